"""What stands between names in English prose, as regular expressions."""

from __future__ import annotations

import re

from chathistory.openie import english_words as en

_CAP = r"(?:[A-Z]\w*in['’](?= [A-Z])|[A-Z][\w'’.-]*[\w])"
_SMALL = r"(?:de|von|van|du|la|le)\b"
NAME = (
    rf"(?:{_CAP}|[A-Z]\.)(?: (?:{_CAP}|[A-Z]\.|of|the|and(?= [A-Z][a-z]+ [A-Z])|{_SMALL}))*"
    r"(?<! of)(?<! the)(?<! and)"
)
PERSON = rf"{_CAP}(?: (?:{_CAP}|[A-Z]\.|{_SMALL})){{1,3}}"
TITLE = r"[“\"][^”\"]{2,70}[”\"]"
DATE = (
    rf"(?:(?:{en.MONTHS}) \d{{1,2}}, \d{{4}}|\d{{1,2}} (?:{en.MONTHS}) \d{{4}}"
    rf"|(?:{en.MONTHS}) \d{{4}}|\d{{4}}s?)"
)
_TITLED = (
    rf"(?:{_CAP}['’]?|[A-Z]\.)"
    rf"(?: (?:{_CAP}['’]?|\d+|of|the|and the|and(?= [A-Z])|from the(?= [A-Z])|in the(?= [A-Z])(?! U)"
    rf"|a|on(?! (?:{en.MONTHS}))|{_SMALL}))*"
    r"(?<! of)(?<! the)(?<! and)(?<! on)(?<! a)(?<! \d)"
)
_ANY_TITLE = rf"{TITLE}|{_TITLED}"
_KINDS = "songs|albums|films|singles|tracks|poems|novels|books|plays|ballads|essays"
_MADE = (
    "(?:co-)?written and directed|written and produced|"
    "released|recorded|published|founded|directed|produced|written|composed|edited|established|owned|led|held"
    "|located|based"
)

LONG_QUOTE = re.compile(r"[“\"]([^”\"]*)[”\"]?")
BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
ROLE = re.compile(rf"\b(?P<role>(?:[a-z-]+ )?(?:{en.ROLES})) (?P<name>{PERSON})")
WORK = re.compile(rf"\b(?P<kind>{en.WORKS})(?P<comma>,? )(?P<name>{_ANY_TITLE})")
KIN = re.compile(
    rf"(?P<owner>{NAME})['’]s? (?:[a-z]+ )?(?P<kind>{en.KIN})(?:,| named)? (?P<name>{PERSON}|{_CAP})"
    r"(?=[,.;]| (?:was|and|is|had|of|in)\b| [–—]|$)"
)
OWN_WORK = re.compile(
    rf"(?P<owner>{NAME})['’]s? (?:(?P<year>\d{{4}}) )?(?:[a-z-]+ ){{0,2}}(?P<kind>{en.WORKS}),? "
    rf"(?P<name>{_ANY_TITLE})"
)
MANY_WORKS = re.compile(
    rf"\b(?P<kind>{_KINDS})(?: such as|, including| like|[:,])? (?P<list>{TITLE}(?:,? (?:and )?{TITLE})*)"
)
_ITEM = rf"(?:the )?(?:{TITLE}|{NAME})"
AMONG = re.compile(
    r"(?<!['’])\b(?P<kind>(?:(?!of|by|from|with|for|and|in|on|the|to|as|his|her|its|their)[a-z-]+ )?[a-z]{3,}s)"
    r"(?:,? including| such as) "
    rf"(?P<list>{_ITEM}(?:, {_ITEM})*(?:,? and {_ITEM})?)(?=[,.;)]|$)"
)
_HOUSES = (
    "Gallery|Museum|Hall|Studios?|University|Theatre|Theater|Festival|Hospital|School|College|Church|Club|Park|Library"
    "|Center|Centre|Palace|Institute|Academy|Cathedral|Stadium|Bowl|Hotel|Abbey|Garden|Gardens|Arena|Prison|Chapel"
)
STANDS_IN = re.compile(
    rf"\b(?P<name>{_CAP}(?: (?:{_CAP}|of|the|\d+))* ?(?:{_HOUSES})) in "
    rf"(?P<place>{_CAP}(?: {_CAP}){{0,2}})(?=[,.;)]| [a-z]|$)"
)
DATED_WORK = re.compile(
    rf"\b(?P<year>\d{{4}}) (?:[a-z-]+ ){{0,2}}?(?P<kind>{en.WORKS}),? (?P<name>{_ANY_TITLE})(?=[,.;)]| [a-z]|$)"
)
TITLED_ROLE = re.compile(
    r"\b(?P<role>President|Professor|Rabbi|Pastor|Bishop|King|Queen|Emperor|General|Senator|Pope|Captain|Governor|Judge)"
    rf" (?P<name>{PERSON})"
)
LISTED_YEAR = re.compile(r"^(?P<name>[^()\n:;,]{2,60}?) \((?P<year>\d{4})\)(?:[^\n]{0,3})$")
SAYING = (
    "wrote|said|commented|remarked|declared|concluded|stated|noted|observed|argued|recalled|explained|added|replied"
)
QUOTED = re.compile(
    rf"(?P<who>{PERSON}|{_CAP})(?:,? (?!that |who |and )[a-z]+| in {NAME}){{0,2}}? (?P<verb>{SAYING})"
    r"(?: in [^\"“”.;:]{2,40})?[,:]? (?:that )?[\"“](?P<quote>[^\"“”]{8,400})[\"”]?"
)
IN_STATE = re.compile(rf"(?P<place>{_CAP}(?: {_CAP}){{0,2}}), (?P<state>{en.STATES})(?=[,.;)]| |$)")
APPOSITION = re.compile(
    rf"(?P<name>{NAME}), an? (?P<what>[a-z][a-z-]+(?: (?!an? |the |few )[a-z-]+){{0,4}}?)"
    r"(?=,|\.|;| (?:who|which|that|in|at|by|from|for)\b)"
)
BORN = re.compile(
    rf"\bborn (?:(?P<name>{PERSON}),? )?(?:on |in )?(?P<date>{DATE})"
    rf"(?:,? (?:in|at) (?P<place>{NAME}(?:, {NAME})?))?"
)
LIFE = re.compile(rf"\((?:[^()]*; )?(?:born )?(?P<birth>{DATE})\s*[–—-]\s*(?P<death>{DATE})")
YEAR_AFTER = re.compile(rf"(?P<name>{TITLE}|(?<![\w.] ){NAME}) \((?P<year>\d{{4}})\)")
HAS = re.compile(
    rf"(?P<owner>(?<![\w’'] )(?![A-Z][a-z]+ing ){NAME})(?:'s|’s) (?P<what>[a-z][a-z-]+(?: [a-z][a-z-]+){{0,2}})"
    r"(?=[,.;: ]|$)(?! [A-Z])"
)
HIS = re.compile(
    r"\b(?:his|her|His|Her) (?P<what>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2})"
    rf"(?:,? (?P<name>⟦[^⟧]+⟧|{NAME})(?=[,.;]| (?:was|and|in|at|on)\b|$))?"
)
FEATURING = re.compile(rf"(?P<name>{_ANY_TITLE}), (?:featuring|including|containing) (?P<what>{TITLE}|{PERSON})")
REDUCED = re.compile(
    rf"(?<![–—-] )(?P<name>{_ANY_TITLE}),? (?P<verb>{_MADE}) (?P<prep>in|by|on|at) (?P<what>{DATE}|{NAME})"
)
BY = re.compile(rf"(?P<name>{TITLE}) by (?P<who>{PERSON})")
FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|my|me|we|We|My|you|You)\b")
CLOSING = re.compile(r"[\w.,!?…]\"(?:\s|$)")
