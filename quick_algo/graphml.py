"""DiGraph to GraphML and back, by the standard library alone.

Format: http://graphml.graphdrawing.org/primer/graphml-primer.html. Attribute types are int, double, boolean and string;
``long`` and ``float`` are read too. An attribute that is an int here and a float there is written as double.
"""

from __future__ import annotations

import gzip
import os
import re
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import BinaryIO, cast

from quick_algo.di_graph import Attribute, DiEdge, DiGraph, DiNode

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
GZIP_SUFFIXES = (".gz", ".graphmlz")
GZIP_MAGIC = b"\x1f\x8b"
_TYPES: dict[type, str] = {bool: "boolean", int: "int", float: "double", str: "string"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML 1.0 file can hold."""


class BadGraphML(ValueError):
    """A file that is no GraphML, or a graph that GraphML cannot hold."""


def save_to_file(graph: DiGraph, filename: str | PathLike[str], enable_zip: bool = False) -> None:
    """Write the graph as GraphML; the old file stays whole until the new one is.

    Parameters
    ----------
    graph
        Attribute values may be str, int, float and bool.
    filename
        Compressed with gzip when it ends in ``.gz`` or ``.graphmlz``, or when ``enable_zip`` is set.

    Raises
    ------
    BadGraphML
        A name or a value holds a character that XML forbids, or a value is of another type.
    OSError
        The file cannot be written; what stood there is untouched.
    """
    target = Path(filename)
    zipped = enable_zip or target.name.endswith(GZIP_SUFFIXES)
    root = _to_xml(graph)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            if zipped:
                with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed:
                    _write(root, cast(BinaryIO, packed))
            else:
                _write(root, stream)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(0o644)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def load_from_file(filename: str | PathLike[str]) -> DiGraph:
    """Read a GraphML file, gzip or plain (told by its first bytes); an undirected edge becomes two.

    Raises
    ------
    BadGraphML
        The file is no GraphML, is cut short, or an edge names a node twice over.
    OSError
        The file cannot be read.
    """
    data = Path(filename).read_bytes()
    try:
        text = gzip.decompress(data) if data.startswith(GZIP_MAGIC) else data
        root = ET.fromstring(text)
    except (ET.ParseError, EOFError, gzip.BadGzipFile) as error:
        raise BadGraphML(f"{filename} is no whole GraphML file ({error}); save the graph again") from error
    return _from_xml(root, str(filename))


def _write(root: ET.Element, stream: BinaryIO) -> None:
    ET.ElementTree(root).write(stream, encoding="utf-8", xml_declaration=True)


def _column_types(items: Iterable[dict[str, Attribute]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for attributes in items:
        for key, value in attributes.items():
            kind = _TYPES.get(type(value))
            if kind is None:
                raise BadGraphML(f"attribute {key!r} is a {type(value).__name__}; use str, int, float or bool")
            known = found.setdefault(key, kind)
            if known != kind:
                found[key] = "double" if {known, kind} == {"int", "double"} else "string"
    return found


def _clean(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise BadGraphML(f"{text!r} holds a character that XML forbids; take it out before saving")
    return text


def _value_text(value: Attribute) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _clean(str(value))


def _to_xml(graph: DiGraph) -> ET.Element:
    root = ET.Element("graphml", {"xmlns": NAMESPACE})
    keys: dict[tuple[str, str], str] = {}
    columns = {
        "node": _column_types(node.attr for node in graph.nodes()),
        "edge": _column_types(edge.attr for edge in graph.edges()),
    }
    for domain, types in columns.items():
        for name, kind in types.items():
            keys[domain, name] = f"d{len(keys)}"
            description = {"id": keys[domain, name], "for": domain, "attr.name": _clean(name), "attr.type": kind}
            ET.SubElement(root, "key", description)
    body = ET.SubElement(root, "graph", {"edgedefault": "directed"})
    for node in graph.nodes():
        _add_data(ET.SubElement(body, "node", {"id": _clean(node.name)}), node.attr, "node", keys)
    for edge in graph.edges():
        _add_data(ET.SubElement(body, "edge", {"source": edge.src, "target": edge.dst}), edge.attr, "edge", keys)
    return root


def _add_data(
    element: ET.Element, attributes: dict[str, Attribute], domain: str, keys: dict[tuple[str, str], str]
) -> None:
    for name, value in attributes.items():
        ET.SubElement(element, "data", {"key": keys[domain, name]}).text = _value_text(value)


def _parse(kind: str, text: str | None) -> Attribute:
    text = text or ""
    if kind in ("int", "long"):
        return int(text)
    if kind in ("float", "double"):
        return float(text)
    if kind == "boolean":
        return text.strip().lower() in ("true", "1")
    return text


def _from_xml(root: ET.Element, source: str) -> DiGraph:
    body = root.find(f"{{{NAMESPACE}}}graph")
    if body is None:
        raise BadGraphML(f"{source} holds no <graph> of {NAMESPACE}; is it GraphML?")
    keys = {
        key.get("id", ""): (key.get("attr.name", key.get("id", "")), key.get("attr.type", "string"))
        for key in root.iter(f"{{{NAMESPACE}}}key")
    }
    default_directed = body.get("edgedefault") != "undirected"

    def attributes(element: ET.Element) -> dict[str, Attribute]:
        found: dict[str, Attribute] = {}
        for data in element.findall(f"{{{NAMESPACE}}}data"):
            name, kind = keys.get(data.get("key", ""), (data.get("key", ""), "string"))
            found[name] = _parse(kind, data.text)
        return found

    graph = DiGraph()
    try:
        for node in body.iter(f"{{{NAMESPACE}}}node"):
            graph.add_node(DiNode(node.attrib["id"], attributes(node)))
        for edge in body.iter(f"{{{NAMESPACE}}}edge"):
            src, dst = edge.attrib["source"], edge.attrib["target"]
            directed = default_directed if edge.get("directed") is None else edge.get("directed") == "true"
            graph.add_edge(DiEdge(src, dst, attributes(edge)))
            if not directed and src != dst:
                graph.add_edge(DiEdge(dst, src, attributes(edge)))
    except (KeyError, ValueError) as error:
        raise BadGraphML(f"{source} cannot be read as a graph without parallel edges: {error}") from error
    return graph
