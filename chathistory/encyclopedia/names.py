"""The other names of a person: out of infobox values, lead brackets, ``字玄德`` patterns, bold type and redirects."""

from __future__ import annotations

import re

from chathistory.encyclopedia.wordlist import words
from chathistory.text import simplify

_NAME_KEYS = words("""
    字 号 表字 别名 别称 别号 本名 原名 谥号 谥 庙号 尊号 封号 外文名 外文名称 英文名 又名 小名 小字 乳名 幼名
    名 名字 字号 其他名号 化名 笔名 法名 法号 道号 全名 全称 尊称 称号 世称 昵称 绰号 外号 原文名 母语名
    拉丁文名 汉名 蒙古名 满文名 中文名 中文名称 姓名 译名 又称 俗称 艺名 自号 戒名 追谥 私谥 徽号 别字 曾用名
    名讳 讳 号称 人称 别署 室名 斋号 追尊 谥号全称 简称 通称 人物别名 帝号 称呼 年号以外称号 教名 族名 爵号
    雅号 訳名 native_name other_names birth_name full_name nickname nickname(s) also_known_as courtesy_name
    art_name posthumous_name temple_name pen_name name alias aliases pseudonym stage_name regnal_name
    other_name 罗马字 假名 英语名 本名以外
""")
_COURTESY_KEYS = frozenset({"字", "表字", "courtesy_name"})
_SPLIT = re.compile(
    r"[、，,；;／/|\n。]|(?<=[\u3400-\u9fff）)》])\s+(?=[\u3400-\u9fff])|→|\s或\s|\bor\b|或(?=[\u3400-\u9fff]{2})"
)
_BRACKETS = re.compile(r"[（(\[【〔][^（）()\[\]【】〔〕]*[）)\]】〕]?")
_LABEL = re.compile(
    r"^(?:[^：:]{0,8}[：:]|(?:小名|小字|乳名|幼名|又字|一字|本字|改字|后改字|字|又号|号|表字|别号|别名|别称|自号|本名|原名"
    r"|谥号|谥曰|谥|追谥|庙号|尊号|又名|又称|亦称|也称|亦名|一名|世称|人称|俗称|史称|尊称|简称|全名|全称|名讳|讳|名|后世称"
    r"|被称为|被尊称为|绰号|外号|晚号|改名|初名|曾用名|法名|道号|英文名|曰|为|是)(?=[\u3400-\u9fffA-Z·“「]))"
)
_LEAD_NAME = re.compile(
    r"(?:(?<=[，,。；;、（(年日）)人氏子\s])|^)(?:表字|小字|小名|乳名|本字|又字|一字|后改字|改字|字|别号|自号|晚号|又号|号"
    r"|别名|别称|又名|又称|又作|亦称|也称|亦作|本名|原名|初名|世称|人称|史称|尊称|俗称|谥号|追谥|谥曰|谥|庙号|尊号|名|笔名"
    r"|化名|全名|后世称|后人称|世人称|被称为|被尊称为|尊称为|史称为|别字|幼名|道号|法号|简称)"
    r"[为曰作是]?\s*([“「‘『]?[\u3400-\u9fff·]{1,10}?[”」’』]?(?:、[“「]?[\u3400-\u9fff·]{1,8}[”」]?){0,5}?)"
    r"(?=[，,。；;）)（(\s]|$|又|一字|一作)"
)
_CLAN_NAME = re.compile(
    r"(?:^|[，,。；;、）)])(?:姓([\u3400-\u9fff]{1,2})[，,]?|([\u3400-\u9fff]{1,2})氏[，,])名([\u3400-\u9fff]{1,2})(?=[，,。；;（(]|$)"
)
_LATIN = re.compile(
    r"[A-Za-zÀ-žΑ-ωάέήίόύώἀ-ῼА-я][A-Za-zÀ-žΑ-ωάέήίόύώἀ-ῼА-я.'’\-]*(?:\s+[A-Za-zÀ-žΑ-ωάέήίόύώἀ-ῼА-я.'’\-]+){0,5}"
)
_LATIN_LABEL = re.compile(
    r"(?:英语|英文|英語|希腊语|希臘語|古希腊语|古希臘語|拉丁语|拉丁文|德语|德文|德語|法语|法文|法語|俄语|俄文|意大利语|西班牙语"
    r"|葡萄牙语|荷兰语|外文|英譯|英译|外文名|英文名)(?:名)?[：:]\s*([^；;，,）)（(，。]+)"
)
_REJECTED = words("""
    谥号 庙号 表字 小名 小字 别号 别名 尊号 字号 号 字 本名
    皇后 皇太后 太后 太子 皇太子 才人 昭仪 贵妃 公主 国王 女王 总统 主席 将军 丞相 同名 原名 无 不详 暂无
    未知 不明 等 其他 略 待考 以及 又 和 与 中国 汉族 同上 公元 人物 皇帝 君主 先生 无谥 失考 none
    unknown
""")
_PUNCTUATION = " 　·・,，.。;；:：“”‘’「」『』《》\"'*-—–"
_COMPOUND_SURNAMES = words("""
    欧阳 司马 诸葛 上官 夏侯 公孙 慕容 司徒 尉迟 长孙 宇文 皇甫 令狐 独孤 淳于 单于 太史 端木 东方 南宫 西门
    完颜 耶律 拓跋 闻人 公冶 百里 呼延 轩辕 钟离 澹台 宗政 濮阳 公羊 赫连 司空 鲜于 贺兰 呼延 申屠 万俟 仲孙
    第五
""")


def aliases_of(
    title: str, infobox: tuple[tuple[str, str], ...], lead: str, bold: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the other names of a person, in the page's script, the surest first; never the title itself.

    The surname before a courtesy name (曹孟德) is added, since people are called so.
    """
    found: list[str] = []
    courtesy: list[str] = []
    for key, value in infobox:
        name = simplify(key).replace(" ", "_").lower().rstrip(":：")
        if name in _NAME_KEYS or name.endswith(("谥号", "庙号", "尊号", "封号", "名号")):
            names = split_names(value)
            found.extend(names)
            if name in _COURTESY_KEYS:
                courtesy.extend(names)
    first = lead.split("\n", 1)[0][:400]
    plain = _in_simplified(first)
    for match in _LEAD_NAME.finditer(plain):
        names = [name for name in map(clean_name, first[match.start(1) : match.end(1)].split("、")) if name]
        if not names or not _is_name_here(match.group(0), names[0]):
            continue
        given = re.match(r"(?:表|本|又|一|后改|改)?字|名", match.group(0)) is not None
        found.extend(names[:1] if given else names)
        if given and "字" in match.group(0)[:3]:
            courtesy.append(names[0])
    for match in _CLAN_NAME.finditer(plain):
        family = 1 if match.group(1) else 2
        found.append(first[match.start(family) : match.end(family)] + first[match.start(3) : match.end(3)])
    found.extend(_foreign(first))
    found.extend(name for name in map(clean_name, bold) if name)
    surname = surname_of(title)
    found.extend(surname + name for name in courtesy if surname and 1 <= len(name) <= 2 and _is_han(name))
    return tuple(name for name in dict.fromkeys(found) if (name != title and len(name) > 1) or name in courtesy)


def _in_simplified(text: str) -> str:
    """The text in Simplified characters where that keeps every character in its place, else as it is."""
    plain = simplify(text)
    return plain if len(plain) == len(text) else text


def surname_of(title: str) -> str:
    """Return the surname of a Chinese name of two to four characters, '' for others."""
    if not _is_han(title) or not 2 <= len(title) <= 4:
        return ""
    plain = simplify(title)
    if len(plain) > 2 and plain[:2] in _COMPOUND_SURNAMES:
        return title[:2]
    return title[0] if len(title) <= 3 and plain[-1] not in "帝后王公宗祖子" else ""


def split_names(value: str) -> list[str]:
    """Return the names in an infobox value, explanations in brackets and labels before them taken off."""
    bare = value
    for _ in range(3):
        bare = _BRACKETS.sub("、", bare)
    names = [clean_name(part) for part in _SPLIT.split(bare)]
    if value != bare:
        names += [clean_name(m) for m in re.findall(r"[（(]([A-Za-zÀ-ž][^（）()：:;；]{2,40})[）)]", value)]
    return list(dict.fromkeys(name for name in names if name))


def clean_name(text: str) -> str:
    """Return a name without labels, quotes and explanations; '' where nothing that can be a name is left."""
    name = " ".join(_BRACKETS.sub("", text).split()).strip(_PUNCTUATION)
    for _ in range(3):
        label = _LABEL.match(_in_simplified(name))
        name = (name[label.end() :] if label else name).strip(_PUNCTUATION)
    name = re.sub(r"(?:等|之称|的称号|的美誉)$", "", name).strip(_PUNCTUATION)
    if (
        not name
        or _in_simplified(name) in _REJECTED
        or name.lower() in _REJECTED
        or any(char.isdigit() for char in name)
    ):
        return ""
    if _is_han(name):
        return name if len(name) <= 16 else ""
    if re.search(r"[\u3400-\u9fff]", name):
        return name if len(name) <= 16 and not re.search(r"[a-z]{2}|[=<>{}%]", name) else ""
    return name if 2 <= len(name) <= 48 and _LATIN.search(name) and "http" not in name and "<" not in name else ""


def _is_name_here(whole: str, name: str) -> bool:
    """``名将``, ``名叫``, ``号召`` are words, not a name after its label; ``人称`` and the like want two characters."""
    if whole.startswith("名") and not whole.startswith("名讳"):
        return len(name) <= 2 and name[0] not in "将相叫人士臣医家义门誉言声列著称"
    if whole.startswith("号"):
        return name[0] not in "召令称" and len(name) <= 8
    if re.match(r"(?:本|又|一|后改|改)?字", whole):
        return len(name) <= 3 and name[0] not in "画体词号数典母音形义句迹辈"
    return len(name) <= 10


def _foreign(lead: str) -> list[str]:
    names: list[str] = []
    for match in re.finditer(r"[（(]([^（）()]{3,200})[）)]", lead[:300]):
        inside = match.group(1)
        labelled = _LATIN_LABEL.findall(inside)
        if labelled:
            names.extend(clean_name(name) for name in labelled)
        elif re.match(r"^[A-Za-zÀ-žΑ-ω][A-Za-zÀ-žΑ-ωά-ώ .'’\-]{2,48}(?=[，,；;]|$)", inside) and not re.search(
            r"\bborn\b|^c\.|BC", inside
        ):
            names.append(clean_name(re.split(r"[，,；;]", inside)[0]))
    for match in re.finditer(r"\bborn ([A-Z][\w.'’\-]+(?: [A-Z][\w.'’\-]+){1,4})\s*[,;)]", lead[:400]):
        if not re.match(
            r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b",
            match.group(1),
        ):
            names.append(match.group(1))
    return [name for name in names if name]


def _is_han(text: str) -> bool:
    return bool(text) and all("\u3400" <= char <= "\u9fff" or char == "·" for char in text)
