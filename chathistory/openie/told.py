"""A clause that names whom it is about, told in its own words: what stands before the object is the predicate."""

from __future__ import annotations

from chathistory.openie.reading import Triple, said
from chathistory.openie.sentence import Clause
from chathistory.openie.told_steps import (
    accompanied,
    disposed,
    ends_well,
    frame,
    goes_on,
    is_object,
    made,
    main_verb,
    stands_alone,
    untrailed,
    without_links,
)
from chathistory.openie.told_words import (
    DROPPED,
    LONGEST_OBJECT,
    LONGEST_PREDICATE,
    NO_FRAME,
    TIES,
    TO_VERB,
)


def told_facts(clause: Clause, subject: str) -> list[Triple]:
    """Return the clause as facts of ``subject``: (S, verb and what precedes it, rest) and (S, when or where, rest).

    Empty where the clause depends on another one, asks, supposes, or stands for more than it says.
    """
    words = untrailed(clause.words[clause.start :])
    while words and (words[0].tag in ("C", "F") or words[0].text in DROPPED) and words[0].text not in TIES:
        words = words[1:]
    if any(
        word.text in ("要", "想", "让", "使", "愿", "须", "请", "令", "叫") for word in clause.words[: clause.start]
    ):
        return []
    if len(words) < 2 or not stands_alone(clause.words, words):
        return []
    if words[0].text in ("至", "到", "～", "—", "－"):
        return []
    opening = frame(words)
    rest = words[opening:]
    if not rest or rest[0].text in ("至", "到", "-", "—"):
        return []
    found: list[Triple] = []
    at = main_verb(rest)
    if any(word.text == "是" for word in rest[(-1 if at is None else at) + 1 :]):
        return []
    if at is not None:
        end = at + 1
        while end < len(rest) and (rest[end].text in TO_VERB or goes_on(rest, at, end)):
            end += 1
        predicate = said([word for word in without_links(rest[:end]) if word.text not in ("了", "过", "着")])
        obj = rest[end:]
        if not obj and (moved := disposed(rest, at)) is not None:
            found.append((subject, *moved))
        elif (link := made(obj)) and len(predicate) + len(said(obj[:link])) <= LONGEST_PREDICATE + 4:
            if is_object(obj[link:], rest[at]) or obj[link].tag == "PER":
                found.append((subject, predicate + said(obj[:link]), "".join(word.text for word in obj[link:])))
        elif obj and len(predicate) <= LONGEST_PREDICATE and is_object(obj, rest[at]):
            found.append((subject, predicate, said(obj)))
    if (
        opening
        and (at is not None or rest[-1].tag in ("A", "I"))
        and not (found and any(word.tag == "DATE" for word in words[:opening]))
    ):
        whole = said(without_links(rest))
        opened = said(words[:opening])
        if 3 <= len(whole) <= LONGEST_OBJECT and 2 <= len(opened) <= LONGEST_PREDICATE and ends_well(rest):
            found.append((subject, opened, whole))
    return found or accompanied(rest, subject)


def framed(clause: Clause, subject: str) -> list[Triple]:
    """孔子晚年回到鲁国: (孔子, 晚年, 回到鲁国), told beside the act itself; [] for a bare date."""
    words = clause.words[clause.start :]
    if len(words) < 3 or not stands_alone(clause.words, words) or any(word.text == "是" for word in words):
        return []
    opening = frame(words)
    rest = without_links(words[opening:])
    opened, whole = said(words[:opening]), said(rest)
    if (
        not opening
        or not rest
        or words[0].tag == "R"
        or any(word.tag == "DATE" for word in words[:opening])
        or words[0].text in NO_FRAME
        or rest[0].tag in ("F", "U", "X")
    ):
        return []
    good = 3 <= len(whole) <= LONGEST_OBJECT and 2 <= len(opened) <= LONGEST_PREDICATE
    return [(subject, opened, whole)] if good else []
