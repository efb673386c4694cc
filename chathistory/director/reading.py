"""The tolerant reader of a model's answer to “who speaks next?”."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chathistory.director import answers as an
from chathistory.director.phrases import KIN
from chathistory.domain import END
from chathistory.errors import BadModelReply
from chathistory.models.json_reply import read_json
from chathistory.models.reasoning import split_reasoning
from chathistory.text import NameReader, fold_name
from chathistory.text.name_forms import Named
from chathistory.text.names import honorific_end, quotations


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    strong: bool
    best: bool
    rejected: bool
    bare: bool
    start: int
    end: int


def read_choice(raw: str, roster: Sequence[Named], numbered: bool = False) -> str | None:
    """Return the one canonical name an answer chooses, ``END``, or None when it names nobody usable.

    Parameters
    ----------
    raw
        The model's answer as it came: reasoning tags, fences, JSON, prose, any script.
    numbered
        Whether the choices were shown as a list: then 1..len(roster) stands for a member and 0 for END.
    """
    text, _ = split_reasoning(raw)
    reader = NameReader(roster)
    if not text.strip(an.MARKS):
        return None
    value, found = _json_value(text)
    if found:
        if value is None or isinstance(value, bool):
            return END if value is True else None
        text = str(value)
        if isinstance(value, int):
            return _by_number(value, roster) if numbered else None
    text = an.FENCE.sub("", re.sub(r"</?(?!end\b|END\b)[a-zA-Z_]+>", " ", text)).strip()
    return _read_prose(text, reader, roster, numbered)


def _read_prose(text: str, reader: NameReader, roster: Sequence[Named], numbered: bool) -> str | None:
    bare = text.strip(an.MARKS)
    if not bare or fold_name(bare) in ("null", "undefined", "unknown", "用户", "user"):
        return None
    whole = reader.resolve(bare)
    if whole:
        return whole
    if an.END_ALONE.fullmatch(fold_name(bare)):
        return END
    if an.LONGER_NAME.fullmatch(fold_name(bare)) and any(m.start == 0 and m.end == 2 for m in reader.mentions(bare)):
        return None
    folded = _mask_quotes(text, reader)
    items = _items(folded, text, reader)
    if numbered:
        match = an.NUMBER.match(folded.strip())
        if re.match(r"[-−]\d", folded.strip()) or an.SEVERAL_NUMBERS.search(an.BECAUSE.split(folded)[0]):
            return None
        if match:
            rest = folded.strip()[match.end() :].lstrip(" .。、)）】]:：")
            here = [i for i in items if i.bare or rest.startswith(fold_name(i.name))]
            chosen = _by_number(int(match.group(1)), roster)
            agreed = chosen not in (None, END) and rest.startswith(fold_name(str(chosen))) and "\n" not in rest
            if not here or agreed or an.BECAUSE.search(rest):
                return chosen
        elif not items:
            number = re.search(r"(?<!\d)(\d{1,3})(?!\d)", folded)
            if number:
                return _by_number(int(number.group(1)), roster)
            return _by_word(folded, roster)
    return _decide(items, folded)


def _items(folded: str, text: str, reader: NameReader) -> list[_Item]:
    """Names and endings of the text in order, each judged by its own clause."""
    spans = [(m.start, honorific_end(folded, m.end), m.name) for m in reader.mentions(text) if not m.quoted]
    spans += [(m.start(), m.end(), END) for m in an.END_WORD.finditer(text)]
    spans += [(m.start(), m.end(), END) for m in an.END_PHRASE.finditer(folded)]
    spans += _ending_clauses(folded)
    spans.sort()
    corrections = [m.end() for m in an.CORRECTION.finditer(folded)]
    outsider = [m for m in an.OUTSIDER.finditer(folded) if not any(m.start(1) <= s < m.end(1) for s, _, _ in spans)]
    items: list[_Item] = []
    for k, (start, end, name) in enumerate(spans):
        left_break = max((m.end() for m in an.CLAUSE.finditer(folded, 0, start)), default=0)
        soft_break = max((m.end() for m in an.BREAK.finditer(folded, 0, start) if m.group() not in ":："), default=0)
        right = an.CLAUSE.search(folded, end)
        right_end = right.start() if right else len(folded)
        left = folded[soft_break:start]
        after = folded[end : _group_end(folded, spans, k)] if name != END else folded[end:right_end]
        bare = _stands_alone(folded, spans, k)
        if name == END:
            rejected = bool(an.END_DENIED.search(left)) or bool(an.NEVER_ENDS.search(folded[left_break:right_end]))
            strong = not rejected
        else:
            tail = _tail_after_group(folded, spans, k)
            rejected = bool(an.REJECT_BEFORE.search(left)) or bool(an.REJECT_AFTER.match(tail)) or bool(KIN.match(tail))
            rejected = rejected or (bare and bool(an.REJECT_AFTER.match(_said_of_it(folded, end))))
            strong = not rejected and bool(an.STRONG_BEFORE.search(left) or an.STRONG_AFTER.match(after))
        rejected = rejected or any(
            start < c and not any(start < s < c and n == name for s, _, n in spans) for c in corrections
        )
        best = not rejected and (bool(an.BETTER.match(after)) or bool(an.CHOSEN.search(left)))
        items.append(_Item(name, strong and not rejected, best, rejected, bare, start, end))
    if outsider and not any(item.strong for item in items):
        return [_Item(i.name, False, False, True, i.bare, i.start, i.end) for i in items]
    return items


def _ending_clauses(folded: str) -> list[tuple[int, int, str]]:
    """Clauses that are nothing but an ending: 结束吧."""
    spans, start = [], 0
    for stop in [*(m.start() for m in an.BREAK.finditer(folded)), len(folded)]:
        clause = folded[start:stop]
        inner = an.SO.sub("", clause.strip(an.MARKS))
        if (
            (len(inner) > 1 or folded[max(0, start - 1) : start] in (":", "："))
            and inner
            and an.END_ALONE.fullmatch(inner)
            and inner not in ("没有", "stop", "none")
        ):
            at = start + clause.index(inner)
            spans.append((at, at + len(inner), END))
        start = stop + 1
    return spans


def _stands_alone(folded: str, spans: list[tuple[int, int, str]], k: int) -> bool:
    """Whether the clause of a name holds nothing but names (孔子、老子)."""
    start, end, _ = spans[k]
    low = max((m.end() for m in an.BREAK.finditer(folded, 0, start)), default=0)
    stop = an.BREAK.search(folded, end)
    high = stop.start() if stop else len(folded)
    rest, at = "", low
    for a, b, _ in spans:
        if low <= a and b <= high:
            rest, at = rest + folded[at:a] + " ", max(at, b)
    return not an.JOINERS.sub("", rest + folded[at:high]).strip(an.MARKS)


def _said_of_it(folded: str, end: int) -> str:
    """The clause behind a name and a colon or question mark (刘备？他已经说了)."""
    match = an.ASIDE.match(folded, end)
    if not match:
        return ""
    stop = an.BREAK.search(folded, match.end())
    return folded[match.end() : stop.start() if stop else len(folded)]


def _group_end(folded: str, spans: list[tuple[int, int, str]], k: int) -> int:
    right = an.CLAUSE.search(folded, spans[k][1])
    return right.start() if right else len(folded)


def _tail_after_group(folded: str, spans: list[tuple[int, int, str]], k: int) -> str:
    """What follows a name, or follows the list of names it is part of (孔子和墨子都不合适)."""
    end = spans[k][1]
    for start, stop, _ in spans[k + 1 :]:
        if not re.fullmatch(r"\s*(?:[、和与跟及/,，]|还有|以及|and|or|或者?)?\s*", folded[end:start]):
            break
        end = stop
    right = an.BREAK.search(folded, end)
    return folded[end : right.start() if right else len(folded)]


def _decide(items: list[_Item], folded: str) -> str | None:
    live = [item for item in items if not item.rejected]
    if not live:
        return None
    if live[0].name == END and not folded[: live[0].start].strip(an.MARKS):
        return END
    first = live[0]
    opens = first.bare and not folded[: first.start].strip(an.MARKS)
    if opens and len({item.name for item in live if item.bare}) == 1 and an.FULL_STOP.match(folded, first.end):
        return first.name
    strong = list(dict.fromkeys(item.name for item in live if item.strong))
    if len(strong) == 1:
        return strong[0]
    if len(strong) > 1:
        best = list(dict.fromkeys(item.name for item in live if item.best))
        if len(best) == 1:
            return best[0]
        finals = [m.start() for m in an.FINAL.finditer(folded)]
        late = list(dict.fromkeys(i.name for i in live if i.strong and finals and i.start > finals[-1]))
        if len(late) == 1:
            return late[0]
        because = an.BECAUSE.search(folded)
        early = list(dict.fromkeys(i.name for i in live if i.strong and because and i.start < because.start()))
        return early[0] if len(early) == 1 else None
    if len({item.name for item in live if item.bare}) > 1:
        return None
    head = re.split(r"[。！!？?\n；;：:，,]|\.(?=\s|$)|因为|由于|理由|because|since", folded, maxsplit=1)
    in_head = list(dict.fromkeys(i.name for i in live if i.start < len(head[0])))
    if len(in_head) == 1 and live[0].bare:
        return in_head[0]
    lines = [line for line in re.finditer(r"[^\n]+", folded) if line.group().strip(an.MARKS)]
    if len(lines) > 1:
        last = lines[-1]
        closing = [i for i in live if i.start >= last.start()]
        if len({i.name for i in closing}) == 1 and closing[0].bare:
            return closing[0].name
    if len(in_head) == 1:
        return in_head[0]
    names = {item.name for item in live}
    return live[0].name if len(names) == 1 else None


def _mask_quotes(text: str, reader: NameReader) -> str:
    """Folded text in which quotations are blanked, unless they hold just a name or an ending."""
    chars = list(fold_name(text))
    for start, end in quotations(text):
        inside = text[start:end]
        if reader.resolve(inside) or fold_name(inside).strip() in ("end", "结束"):
            continue
        chars[start:end] = "\u2061" * (end - start)
    return "".join(chars)


def _by_number(number: int, roster: Sequence[Named]) -> str | None:
    if number == 0:
        return END
    return roster[number - 1].name if 1 <= number <= len(roster) else None


def _by_word(folded: str, roster: Sequence[Named]) -> str | None:
    """The choice that one number in words makes (第二位, the second); None for none, and for two that differ."""
    found = set()
    for match in an.NUMBER_WORD.finditer(folded.strip(an.MARKS)):
        last = match["last"] or match["last_en"]
        word = next((word for word in match.group("a", "b", "c", "d", "e") if word), "")
        found.add(len(roster) if last else an.NUMERALS[word])
    return _by_number(found.pop(), roster) if len(found) == 1 else None


def _json_value(text: str) -> tuple[Any, bool]:
    """Return (the chosen value, whether the answer is JSON at all)."""
    body = an.FENCE.sub("", text).strip()
    start = re.search(r"[{\[]", body)
    if body.startswith('"') and body.endswith('"') and len(body) > 1 and body.count('"') == 2:
        return body[1:-1], True
    if not start or not re.search(r"[\"':：]", body[start.start() :]):
        return None, False
    if body[start.start()] == "[" and start.start() > 0:
        brace = body.find("{")
        if brace < 0:
            return None, False
        piece = body[brace:]
    else:
        piece = body[start.start() :]
    try:
        data, _ = json.JSONDecoder().raw_decode(piece)
    except (ValueError, RecursionError):
        try:
            data = read_json(piece)
        except BadModelReply:
            return None, False
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    if isinstance(data, dict):
        return _from_object(data), True
    if isinstance(data, str | int) and body[start.start()] == "[":
        return data, True
    return None, False


def _from_object(data: dict[Any, Any]) -> Any:
    """The value that names the choice: a known key, else the only value that is no reason."""
    folded = {fold_name(str(key)).strip().replace("-", "_").replace(" ", "_"): value for key, value in data.items()}
    if any(folded.get(key) is True for key in an.ENDING_KEYS):
        return True
    for key in an.KEYS:
        if key in folded or key + "s" in folded:
            value = folded.get(key, folded.get(key + "s"))
            while isinstance(value, list) and len(value) == 1:
                value = value[0]
            if isinstance(value, bool):
                return None
            if value is not None:
                return _from_object(value) if isinstance(value, dict) else value
    rest = [value for key, value in folded.items() if key not in an.REASONS and isinstance(value, str | int | dict)]
    if len(rest) == 1 and (isinstance(rest[0], dict) or len(str(rest[0])) <= 20):
        return (
            _from_object(rest[0])
            if isinstance(rest[0], dict)
            else f"{next(k for k, v in data.items() if v is rest[0])}：{rest[0]}"
        )
    return None
