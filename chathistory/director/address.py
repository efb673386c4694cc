"""Who is addressed in a line of talk, who is merely spoken about, and who is asked to stay silent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chathistory.director import phrases as ph
from chathistory.domain import USER
from chathistory.text import Mention, NameReader, fold_name
from chathistory.text.names import honorific_end, quotations

CALLED, ASKED, TOPIC, ABOUT, HUSHED, THANKED = "called", "asked", "topic", "about", "hushed", "thanked"
"""Roles of a name in a line: called by name; asked through a verb (请…, …怎么看); the subject of a question; spoken
about; told to be silent; thanked or taken leave of."""


@dataclass(frozen=True, slots=True)
class Address:
    """To whom a line is directed. Names are canonical, in the order in which they should speak.

    ``everyone`` the whole room; ``anyone`` one of the room (谁来说说); ``others`` the room without those who have
    spoken; ``pair`` two unnamed persons (你们俩); ``singular`` a bare 你/您; ``farewell`` thanks, leave or plain
    assent with nothing asked; ``question`` something is asked or asked for; ``goes_on`` the line continues the last
    answer (为什么呢？再讲讲).
    """

    addressed: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    about: tuple[str, ...] = ()
    everyone: bool = False
    anyone: bool = False
    others: bool = False
    pair: bool = False
    singular: bool = False
    farewell: bool = False
    question: bool = False
    goes_on: bool = False
    empty: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Names joined by 和 or 、, with what stands before and after them in their clause."""

    names: tuple[str, ...]
    left: str
    right: str
    sentence: int
    honoured: bool
    at: bool
    mentions: tuple[Mention, ...]
    after: str


def read_address(text: str, reader: NameReader, speaker: str | None = None) -> Address:
    """Return to whom a line is directed.

    Parameters
    ----------
    text
        The line as it was said, any script.
    speaker
        The persona who says it; his own names never count. None or the user's name for the user.
    """
    folded = fold_name(text)
    if not re.search(r"[a-z0-9\u3400-\u9fff]", folded):
        return Address(empty=True)
    by_user = speaker is None or speaker == USER
    mentions = [m for m in reader.mentions(text) if m.name != speaker]
    bare = _without_quotations(folded, text, mentions)
    groups = _groups(bare, [m for m in mentions if not m.quoted])
    roles = _roles(groups)
    room = bool(ph.EVERYONE.search(bare) or ph.ANYONE.search(bare) or ph.OTHERS.search(bare))
    asked_of = _addressed(groups, roles, bare)
    farewell = bool(ph.FAREWELL.search(bare) or ph.THANKS.search(bare) or ph.ASSENT.fullmatch(bare.strip(ph.BREAKS)))
    farewell = farewell and not asked_of and not _asks_beyond_farewell(bare)
    if by_user and not asked_of and not room and not farewell:
        asked_of = _only_named(groups, roles, bare)
    excluded = frozenset(n for g, r in zip(groups, roles, strict=True) if r == HUSHED for n in g.names)
    named = {n for g in groups for n in g.names}
    question = bool(ph.QUESTION.search(bare))
    singular = bool(ph.SINGULAR.search(ph.POLITE_YOU.sub("", bare)))
    everyone = bool(ph.EVERYONE.search(bare)) and not farewell
    if asked_of and everyone and not ph.EVERYONE_TOO.search(bare):
        everyone = False
    pair = bool(ph.PAIR.search(bare))
    return Address(
        addressed=tuple(n for n in asked_of if n not in excluded),
        excluded=excluded,
        about=tuple(dict.fromkeys(m.name for m in mentions if m.name not in asked_of and m.name not in excluded)),
        everyone=everyone and not (pair and named),
        anyone=bool(ph.ANYONE.search(bare)),
        others=bool(ph.OTHERS.search(bare)) and not ph.NOT_OTHERS.search(bare),
        pair=pair,
        singular=singular,
        farewell=farewell,
        question=question,
        goes_on=bool(ph.GOES_ON.match(bare.strip())),
    )


def _without_quotations(folded: str, text: str, mentions: list[Mention]) -> str:
    """Blank out what is quoted, unless it is just a name; the length stays."""
    chars = list(folded)
    for start, end in quotations(text):
        inside = [m for m in mentions if start <= m.start and m.end <= end]
        if inside and not any(m.quoted for m in inside):
            chars[start - 1] = chars[end] = "\u2060"
            continue
        chars[start:end] = "\u2061" * (end - start)
    return ph.ABBREVIATED.sub(lambda match: match.group(1) + " ", "".join(chars))


def _groups(bare: str, mentions: list[Mention]) -> list[_Group]:
    """Join neighbouring names, and cut out their clause."""
    runs: list[list[Mention]] = []
    for mention in mentions:
        if runs:
            last = runs[-1][-1]
            between = bare[_after(bare, last) : mention.start]
            if ph.JOINT.fullmatch(between):
                runs[-1].append(mention)
                continue
        runs.append([mention])
    groups = []
    for run in runs:
        start, end = run[0].start, _after(bare, run[-1])
        left_break = max((m.end() for m in ph.CLAUSE_BREAK.finditer(bare, 0, start)), default=0)
        right_break = ph.CLAUSE_BREAK.search(bare, end)
        groups.append(
            _Group(
                names=tuple(dict.fromkeys(m.name for m in run)),
                left=ph.strip_marks(bare[left_break:start]).strip("\u2061").lstrip("'"),
                right=ph.strip_marks(bare[end : right_break.start() if right_break else len(bare)]),
                sentence=len(ph.SENTENCE_BREAK.findall(bare[:start])),
                honoured=honorific_end(bare, run[-1].end) > run[-1].end
                or bool(ph.ADMIRED.search(bare[left_break:start])),
                at=bare[:start].rstrip(" 【[（(\u2060").endswith(("@", "＠")),
                mentions=tuple(run),
                after=ph.strip_marks(ph.CLAUSE_BREAK.split(bare[right_break.end() :], maxsplit=1)[0])
                if right_break
                else "",
            )
        )
    return groups


def _after(bare: str, mention: Mention) -> int:
    """Where the name ends together with its form of address and closing marks."""
    end = mention.end
    while end < len(bare) and bare[end] in ph.CLOSING_MARKS:
        end += 1
    end = honorific_end(bare, end)
    while end < len(bare) and bare[end] in ph.CLOSING_MARKS:
        end += 1
    return end


def _roles(groups: list[_Group]) -> list[str]:
    roles = [_role(group) for group in groups]
    for i, group in enumerate(groups):
        # 孔子为什么要问老子: behind another name in its clause a name is an object, not somebody asked
        earlier = any(
            o is not group and o.sentence == group.sentence and o.mentions[-1].end <= group.mentions[0].start
            for o in groups[:i]
        )
        if (
            roles[i] == ASKED
            and earlier
            and any(_surfaces(o, group) for o in groups[:i])
            and not ph.ORDER.search(group.left)
        ):
            roles[i] = ABOUT
        if roles[i] == CALLED and len(group.names) > 1 and not group.right and _topic_of_next(groups, i):
            roles[i] = ABOUT
    for i in range(len(groups) - 1, -1, -1):
        group = groups[i]
        others = any(role in (CALLED, ASKED) for k, role in enumerate(roles) if k != i)
        told = group.right or group.after
        if roles[i] in (CALLED, ASKED, TOPIC) and others and (ph.HUSH_AFTER.match(told) or ph.HUSH_SOFT.match(told)):
            roles[i] = HUSHED
        beside = i + 1 < len(groups) and roles[i + 1] == HUSHED and group.after == _surface(groups[i + 1])
        if roles[i] == CALLED and not group.right and beside:
            roles[i] = HUSHED
    return roles


def _topic_of_next(groups: list[_Group], i: int) -> bool:
    """Whether several names stand before another one who is asked about them: 甲和乙，丙更看好谁."""
    after = groups[i + 1] if i + 1 < len(groups) else None
    if after is None or after.sentence != groups[i].sentence or ph.YOU_AFTER.match(groups[i].after):
        return False
    return not ph.INTERJECTION.sub("", after.left) and len(after.names) == 1 and (bool(after.right) or after.honoured)


def _surface(group: _Group) -> str:
    """The names of a group that stand alone in their clause, as they were said."""
    return fold_name(group.mentions[0].surface) if len(group.mentions) == 1 and not group.left else "\0"


def _surfaces(other: _Group, group: _Group) -> bool:
    """Whether ``other`` stands in the part of the clause before ``group``."""
    return any(fold_name(m.surface) in group.left for m in other.mentions)


def _role(group: _Group) -> str:
    left, right = ph.INTERJECTION.sub("", group.left), group.right
    if group.at:
        return CALLED
    if ph.KIN.match(right):
        return ABOUT
    if (
        ph.HUSH_BEFORE.search(group.left)
        or ph.HUSH_AFTER.match(right)
        or ph.HUSH_AROUND.search(group.left + "\u2060" + right)
    ):
        return HUSHED
    if ph.THANKS_BEFORE.search(group.left) or ph.LEAVE_AFTER.match(right):
        return THANKED
    if not left and (not right or ph.YOU_AFTER.match(right) or ph.PARTICLE.fullmatch(right)):
        return CALLED
    if not left and group.honoured and ph.REQUEST_AFTER.match(right):
        return CALLED
    if ph.ask_before(group.left, right) or (group.left.endswith("就") and ph.PARTICLE.fullmatch(right)):
        return ASKED
    if not right and ph.CALL_AT_END.search(group.left):
        return CALLED
    if not left and ph.OPINION_AFTER.match(right):
        return ASKED
    if ph.ENGLISH_ASK.search(group.left) and not right.startswith(("'s", "’s")):
        return ASKED
    if not left and not right.startswith(("的", "之", "'", "’")):
        return TOPIC
    return ABOUT


def _addressed(groups: list[_Group], roles: list[str], bare: str) -> list[str]:
    """Resolve the roles into those who should answer, in order."""
    called = {g.sentence for g, r in zip(groups, roles, strict=True) if r == CALLED}
    strong: list[str] = []
    for group, role in zip(groups, roles, strict=True):
        asked = role == ASKED and (
            group.sentence not in called or bool(ph.ORDER.search(group.left)) or _not_of_called(group)
        )
        if role == CALLED and _only_leave(bare, group):
            continue
        if role == CALLED or asked:
            strong.extend(group.names)
    order = list(dict.fromkeys(strong))
    first = [n for g in groups for n in g.names if n in order and ph.FIRST_AFTER.match(g.right)]
    return list(dict.fromkeys([*first, *order]))


def _only_named(groups: list[_Group], roles: list[str], bare: str) -> list[str]:
    """Who is meant when the user names somebody without calling or asking him: 关于生死，我佩服庄子先生，您能谈谈吗.

    A 您 before the name, or one beside a name without a form of address, means the last speaker instead, and so
    nobody here.
    """
    open_to = [(g, r) for g, r in zip(groups, roles, strict=True) if r in (TOPIC, ABOUT)]
    open_to.sort(key=lambda pair: (not pair[0].honoured, pair[1] != TOPIC))
    if not open_to:
        return []
    group = open_to[0][0]
    you = ph.SINGULAR.search(ph.POLITE_YOU.sub(lambda m: "\u2060" * len(m.group()), bare))
    if you and (not group.honoured or you.start() < group.mentions[0].start):
        return []
    return list(group.names)


def _not_of_called(group: _Group) -> bool:
    """Whether an asked name is asked for its own sake although another one is called: no 您 in what is asked."""
    return bool(ph.PLEASE.search(group.left)) or bool(ph.TOO_AFTER.match(group.right))


def _only_leave(bare: str, group: _Group) -> bool:
    """Whether a called name belongs to a sentence of thanks or leave with nothing asked in it."""
    if group.right and ph.REQUEST_AFTER.match(group.right):
        return False
    parts = ph.SENTENCE_BREAK.split(bare)
    sentence = parts[group.sentence] if group.sentence < len(parts) else ""
    if not (ph.FAREWELL.search(sentence) or ph.THANKS.search(sentence) or ph.LEAVE.search(sentence)):
        return False
    return not _asks_beyond_farewell(bare)


def _asks_beyond_farewell(bare: str) -> bool:
    """Whether anything is asked, or asked for, besides the thanks and the leave."""
    rest = ph.THANKS.sub(" ", ph.FAREWELL.sub(" ", bare))
    return bool(ph.QUESTION.search(rest))
