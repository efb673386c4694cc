"""A talk as a text file that can be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chathistory.domain import Utterance
from chathistory.ui.sources import Source


def transcript(lines: Sequence[Utterance], sources: Mapping[str, Sequence[Source]]) -> str:
    """Return a talk as Markdown: speaker and words, the passages they rest on as notes at the end."""
    numbers: dict[str, int] = {}
    notes: list[str] = []
    out = ["# 谈话", ""]
    if lines and lines[0].at:
        out += [lines[0].at[:16].replace("T", " "), ""]
    for line in lines:
        marks = ""
        for source in sources.get(line.id, ()):
            if source.passage.id not in numbers:
                numbers[source.passage.id] = len(numbers) + 1
                title = f"〔{source.passage.section}〕" if source.passage.section else ""
                notes.append(f"[{len(numbers)}] {line.speaker}{title}{source.passage.text}")
            marks += f"[{numbers[source.passage.id]}]"
        out += [f"**{line.speaker}**：{line.text}{'……（未说完）' if line.cut else ''}{marks}", ""]
    if notes:
        out += ["## 出处", ""] + [part for note in notes for part in (note, "")]
    return "\n".join(out)
