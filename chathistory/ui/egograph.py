"""The neighbourhood of an entity in a persona's facts, as a DOT string."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chathistory.domain import Fact
from chathistory.ui.plain import clipped

_MOST = 10
_LONGEST = 12


def ego_dot(centre: str, facts: Iterable[Fact], most: int = _MOST) -> str:
    """Return the graph of the entities that share a fact with ``centre``, the most frequent ones; '' when none does.

    Labels are data of pages and models: quoted and escaped, never read as DOT or HTML.
    """
    edges: dict[tuple[str, str], list[str]] = {}
    weight: Counter[str] = Counter()
    for fact in facts:
        other = fact.object if fact.subject == centre else fact.subject if fact.object == centre else None
        if not other or other == centre:
            continue
        weight[other] += 1
        labels = edges.setdefault((fact.subject, fact.object), [])
        if fact.predicate not in labels:
            labels.append(fact.predicate)
    kept = {name for name, _ in weight.most_common(most)}
    if not kept:
        return ""
    lines = [
        "digraph {",
        '  layout=neato; overlap=false; sep="+12"; splines=true; bgcolor="transparent";',
        '  node [shape=box, style="rounded,filled", fillcolor="#f1eadb", color="#c9bda3", fontsize=12];',
        '  edge [color="#b7aa90", fontcolor="#6b6152", fontsize=10, arrowsize=0.6, len=1.9];',
        f'  {_quote(centre)} [fillcolor="#9c2b1f", fontcolor="#fbf8f1", color="#9c2b1f"];',
    ]
    for (subject, object_), labels in edges.items():
        if subject in kept or object_ in kept:
            label = clipped(labels[0], _LONGEST)
            lines.append(f"  {_node(subject)} -> {_node(object_)} [label={_quote(label)}];")
    return "\n".join([*lines, "}"])


def _node(name: str) -> str:
    return _quote(clipped(name, _LONGEST))


def _quote(text: str) -> str:
    """Return a DOT string; a backslash would start an escape, a quote end the string, a line break is a blank."""
    return '"' + " ".join(text.split()).replace("\\", "＼").replace('"', "＂") + '"'
