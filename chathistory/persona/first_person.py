"""Third person into first: a sentence about the figure becomes one the figure says. Pure; nothing is added to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass

from chathistory.persona.mentions import BEFORE_SUBJECT, Mention, Reading, quoted
from chathistory.persona.register import Register

_PAREN = re.compile(r"（[^（）]*）|\([^()]*\)|\[[^\]]*\]|【[^】]*】")
_SPEECH = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"")
_TITLE_BEFORE = re.compile(
    r"(?:(?<=^)|(?<=[，。；迎接是于见召请给把被对向与和同]))(?:太守|刺史|州牧|丞相|司空|将军|诗人|哲学家|科学家|数学家|思想家)$"
)

_KIN_HUMBLE = {
    "父亲": "家父",
    "父": "家父",
    "母亲": "家母",
    "母": "家母",
    "兄长": "家兄",
    "哥哥": "家兄",
    "弟弟": "舍弟",
}
_KIN_WORDS = (
    "曾祖父|外祖父|外祖母|祖父|祖母|父亲|母亲|继父|继母|养父|养母|岳父|叔父|伯父|舅父|兄长|哥哥|弟弟|姐姐|妹妹|妻子|丈夫|夫人|儿子|长子|次子|幼子|女儿|长女|次女"
    "|孙子|孙女|女婿|侄子|子女|后代|后人|祖先|先祖|六世祖|家族|家人|老师|学生|弟子|门人|朋友|好友|部下|部将|手下|将领|谋士|军队|军师|同学|同乡|助手|堂兄|堂弟|从弟|从兄"
    "|追随者|对手|政敌|家乡|故乡|思想|学说|诗歌|作品|著作"
)
_KIN = re.compile(rf"(?:的)?({_KIN_WORDS})")
_KIN_SHORT = re.compile(r"(?:之)?([父母妻兄弟子女孙])(?![弟亲国臣民爵室氏女孙皇母子权系公])")
_SHORT_LONG = {
    "父": "父亲",
    "母": "母亲",
    "妻": "妻子",
    "兄": "兄长",
    "弟": "弟弟",
    "子": "儿子",
    "女": "女儿",
    "孙": "孙子",
}

_SOURCE = re.compile(
    r"^(?:(?:根?据|按照?|依据?)(?:史书|史料|史籍|古籍|传统|[^，。“《]{0,6}《[^》]+》(?:[、和与及]《[^》]+》)*[^，。：《]{0,8}?|[^，。“]{0,10}?)"
    r"(?:记载|所载|记述|所述|说法|的说法)?，"
    r"|《[^》]+》(?:[、和与及]《[^》]+》)*[^，。：“《]{0,4}(?:记载|所载|记述)(?:说|道)?[，：]?(?![“：])|史[书载料籍](?:记载|上说)?[，：]?(?!“)|史称[，：]?)"
)
_HEARSAY = re.compile(r"(?:^|(?<=[，；]))(?:据说|相传|传说中?|据传|传闻|据称)，?")
_VARIANT = re.compile(r"[，；](?:一说|另说|或说|又说|另有说法|也有说法|一作|或作)[^。！？]*")
_LATER_VOICE = re.compile(
    r"后世|后人|后代(?:学者|文人)|今人|史学家|历史学家|史家|学者|学术界|学界|研究者|评论家|被誉为|被称作|被认为|被视为|被视作|被尊(?:为|称|奉)|被公认|被看作"
    r"|誉为|公认|尊称(?:他|她)?为|史称|合称|并称|流传(?:至|下来)|传世|留传|至今|影响深远|深远影响|里程碑|最伟大的|最著名的|历史上(?:唯一|第一|最)|史上(?:唯一|第一|最)|代表人物之一|最杰出的"
)
_AUTHOR = re.compile(
    r"笔者|本文|如图|详见|参见|见上|下文|上文|现存|现藏|馆藏|出土|考古|有待考证|尚无定论|说法不一|众说纷纭|争议|评曰|评价|点评"
    r"|评论(?!员)|我们|咱们|本条目|编辑|是(?:没有|无|不详|未知)(?=[。，；]|$)|史书(?:没有|未|上?没|留下)|没有记载|记载很少|不可考|无从考|真假难定|可见[他她]"
)
_QUOTES_ANNALS = re.compile(
    r"^《[^》]*(?:书|志|史|史记|通鉴|纪|传|世家|注|录|鉴|语)(?:·[^》]*)?》[^，。“]{0,12}[“：]|^[“\"]|^[①-⑳]|[：:][①-⑳]"
)
_SPEAKER = re.compile(r"^([^，。：“《；、\s]{2,8})[：:](?!\s*$)")
_SAYS = re.compile(r"[说曰道云问答言叹称写喊诗]$|如下$|包括$")
_HALF = re.compile(r"^(?:虽然|虽|尽管|不但|不仅|因为|由于|如果|假如|当|既|与其|除了?)")
_PRAISE = re.compile(r"(?:最为?)?(?:著名|杰出|伟大|卓越)的?(?=[^，。；“”]{0,8}[家人者])")
_FIRST = re.compile(r"(?<![自忘])[我吾朕俺](?!国|行我素)|寡人")
_COPULA = re.compile(r"^(吾|我|朕|寡人)，(?=[^，。]{2,14}(?:家|人|者|帝|王|将|臣|士|人物)(?:[、，。]))")
_LEAD_COMMA = re.compile(
    r"^(吾|我|朕|寡人)，(?=(?:本?名|字|号|姓|氏|小名|小字|又名|别号|原名|讳|是|为|[^，]{1,2}姓|[^，]{1,2}氏))"
)
_LABEL = re.compile(rf"^({_KIN_WORDS})[：:]\s*(?=\S)")
_OWN_LIST = re.compile(r"^((?:我|朕|寡人)的[^，。：、]{1,6})：\s*(?=\S)")
_SAYING = re.compile(r"^(吾|我|朕|寡人)曰(?=[：“，])")


_PAIR = re.compile(r"^([^，。：；“]{1,16}?)的([^，。：；的“]{2,6})是([^，。：；“]{1,12})。$")
_NONE = re.compile(r"^(?:无|没有|无子女|无子|无后代|无后|没有子女)$")
_UNKNOWN = re.compile(r"^(?:不详|未知|不明|待考|失考|无考|不可考|佚名|[?？—-]+)$")
_STATE = re.compile(
    r"^(?:终[身生]|一生|从)?(?:未婚|不婚|未娶|不娶|未嫁|未曾结婚|没有结婚|独身|单身|无子女|无后|无子|无嗣)(?:、(?:无子女|无后|无子|无嗣))*$"
    r"|^(?:已婚|离异|丧偶|早逝|早亡|健在|失传|已佚)$"
)
_KIN_STATE = frozenset(("早逝", "早亡", "健在"))


def told_plainly(sentence: str) -> str:
    """Tell a pair of the infobox whose value is a state, not a person or a thing (某的配偶是终身未婚 -> 某终身未婚).

    What the infobox does not know is no sentence ('').
    """
    pair = _PAIR.match(sentence)
    if pair is None:
        return sentence
    name, label, value = pair.groups()
    if _UNKNOWN.match(value):
        return ""
    if _NONE.match(value):
        return f"{name}没有{label}。" if value in ("无", "没有") else f"{name}{value}。"
    if _STATE.match(value):
        return f"{name}的{label}{value}。" if value in _KIN_STATE else f"{name}{value}。"
    return sentence


@dataclass(frozen=True, slots=True)
class Rendered:
    """A sentence in the first person; ``clear`` is False when the 'I' in it may be somebody else."""

    text: str
    clear: bool


def fit_to_speak(sentence: str) -> bool:
    """Whether a sentence could come from the figure's mouth: no author's voice and no bare quote."""
    bare = without(sentence, quoted(sentence))
    if _AUTHOR.search(bare) or _FIRST.search(bare):
        return False
    if sentence.count('"') % 2 or sentence.count("“") != sentence.count("”") or _QUOTES_ANNALS.search(sentence):
        return False
    stripped = _SOURCE.sub("", _PAREN.sub("", sentence)).strip()
    return len(re.sub(r"\W", "", without(stripped, quoted(stripped)))) >= 3


_CONNECTIVE = re.compile(
    r"^(?:此外|另外|同时|其次|再者|而且|并且|不过|然而|可是|但是|但|另一方面|因此|因而|所以|于是|总之|例如|比如|结果|接着|随后|同年|次年|第二年|这年|不久|后来|之后|其后)[，,]?(?=.{6})"
)


def without_connective(text: str) -> str:
    """Return a sentence without the conjunction that tied it to the one before it."""
    return _CONNECTIVE.sub("", text)


def told_by(passage: str) -> str:
    """Return whose words a passage is, when it opens with a label that is no kin word (诸葛亮：……); '' otherwise."""
    label = _SPEAKER.match(passage)
    if not label or "的" in label.group(1) or _SAYS.search(label.group(1)) or re.search(_KIN_WORDS, label.group(1)):
        return ""
    return label.group(1)


def trim(sentence: str, forbidden: Callable[[str], bool] = lambda clause: False) -> str:
    """Take out what nobody says of himself: brackets, variants of scholars, and the clauses of later voices.

    Only whole brackets, praising adjectives and whole clauses at the end go; '' when a later voice (or what
    ``forbidden`` tells) opens the sentence, so that nothing of the figure's own would be left.
    """
    speech = [match.span() for match in _SPEECH.finditer(sentence)]
    brackets = [m.span() for m in _PAREN.finditer(sentence) if not any(a < m.start() < b for a, b in speech)]
    text = _outside_quotes(without(sentence, brackets), lambda part: _VARIANT.sub("", part))
    text = text.replace("我国", "中国").strip()
    text = _outside_quotes(text, lambda part: _PRAISE.sub("", part))
    parts = clauses(text)
    kept: list[str] = []
    for part in parts:
        if _LATER_VOICE.search(without(part, quoted(part))) or forbidden("".join([*kept, part])):
            break
        kept.append(part)
    if len(kept) == len(parts):
        return text
    whole = "".join(kept).rstrip("，、；：")
    if len(re.sub(r"\W", "", whole)) < 6 or _HALF.match(whole):
        return ""
    return whole + "。"


def clauses(text: str) -> list[str]:
    """Split after commas and semicolons that stand outside quotes; joining gives the text back."""
    shut = quoted(text)
    parts: list[str] = []
    start = 0
    for match in re.finditer(r"[，；]", text):
        if all(match.start() < left or match.start() >= right for left, right in shut):
            parts.append(text[start : match.end()])
            start = match.end()
    parts.append(text[start:])
    return [part for part in parts if part]


def without(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the text with the spans (ascending, apart) taken out."""
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end in [*quoted(text), (len(text), len(text))]:
        if start >= position:
            pieces.append(change(text[position:start]))
            pieces.append(text[start:end])
            position = end
    return "".join(pieces)


def render(reading: Reading, register: Register) -> Rendered:
    """Return the sentence as the figure says it.

    Names and sure pronouns become the register's words; 之/的 and kin words after them are fitted (其父 -> 家父);
    quotes stay as they are; hearsay stays hearsay (相传 -> 世传).
    """
    text = reading.text
    pieces: list[str] = []
    position = 0
    clear = reading.clear
    pair = _pair(reading)
    for mention in reading.mentions:
        if mention.start < position:
            continue
        if mention.form == "plural" and pair:
            pieces.append(text[position : mention.start] + "我们")
            position = mention.end
            continue
        if mention.who != "self" or not mention.sure:
            continue
        before = text[position : mention.start]
        pieces.append(_TITLE_BEFORE.sub("", before) if mention.form == "name" else before)
        word, position = _word(text, mention, register)
        pieces.append(word)
    pieces.append(text[position:])
    return Rendered(_polish("".join(pieces), register), clear)


def _pair(reading: Reading) -> bool:
    """Whether the figure and somebody else are joined in the sentence, so that 他们 means us."""
    names = [mention for mention in reading.mentions if mention.form == "name"]
    for left, right in itertools.pairwise(names):
        if {left.who, right.who} == {"self", "other"} and re.fullmatch(
            r"[和与同跟及、]", reading.text[left.end : right.start]
        ):
            return True
    return False


def _word(text: str, mention: Mention, register: Register) -> tuple[str, int]:
    """Return the first-person word for a mention and the position after all it replaces."""
    end = mention.end
    if mention.form == "其":
        joined = text[mention.start : end] == "及其"
        word, end = _owned(text, end, register) or (register.own, end)
        if (
            not joined
            and text[mention.start - 1 : mention.start] in tuple("使令命让将为对以把被给劝请任")
            and not _KIN.match(text, mention.end)
        ):
            return register.object, mention.end
        return ("和" if joined else "") + word, end
    owned = _owned(text, end, register, bare=mention.form == "name")
    if owned:
        return owned
    if text[end : end + 1] == "的":
        return register.own, end + 1
    leads = mention.subject and (mention.start == 0 or text[mention.start - 1] in BEFORE_SUBJECT)
    return (register.subject if leads else register.object), end


def _owned(text: str, end: int, register: Register, bare: bool = True) -> tuple[str, int] | None:
    """The possessive form before a kin word, or None when no kin word follows."""
    kin = _KIN.match(text, end)
    if kin and (bare or text[end] == "的" or text[end - 1] == "其"):
        word = kin.group(1)
        return (_KIN_HUMBLE[word] if register.humble and word in _KIN_HUMBLE else register.own + word), kin.end()
    short = _KIN_SHORT.match(text, end)
    if short and (text[end] == "之" or text[end - 1] == "其"):
        word = short.group(1)
        if register.humble and word in _KIN_HUMBLE:
            return _KIN_HUMBLE[word], short.end()
        return register.own + _SHORT_LONG[word], short.end()
    return None


def _polish(text: str, register: Register) -> str:
    """Smooth what the change of person left rough."""
    hedge = "人们都说" if register.plain else "世传"
    text = _SOURCE.sub(f"{hedge}，", text)
    text = _HEARSAY.sub(hedge, text)
    text = re.sub(rf"{hedge}，?(?={hedge})", "", text)
    for me in {register.subject, register.object}:
        text = re.sub(rf"(?:{me}){{2,}}", me, text).replace(f"{me}本人", f"{me}自己")
    text = _OWN_LIST.sub(lambda match: match.group(1) + ("有" if "、" in text else "是"), text)
    text = _LABEL.sub(lambda match: _labelled(match.group(1), register), text)
    text = _LEAD_COMMA.sub(r"\1", text)
    text = _COPULA.sub(r"\1是", text)
    text = _SAYING.sub(r"\1曾说", text)
    for me in {register.subject, register.object}:
        text = re.sub(
            rf"(?<![\u4e00-\u9fff]){me}、(?=[^，。；与和及]{{2,12}}(?:[，。；]|[一二三四五]人))", f"{me}与", text
        )
    text = re.sub(rf"(少年|青年|幼年|童年|晚年)({register.subject}|{register.object})(?!的)", r"\2\1时", text)
    text = text.replace("我的的", "我的").replace("朕的的", "朕的")
    if not register.plain:
        text = re.sub(r"了。$", "矣。", text) if re.search(r"[去死败亡尽绝成老晚]了。$", text) else text
    return text.strip("，、；： ")


def _labelled(kin: str, register: Register) -> str:
    return f"{_KIN_HUMBLE[kin]}是" if register.humble and kin in _KIN_HUMBLE else f"{register.own}{kin}是"
