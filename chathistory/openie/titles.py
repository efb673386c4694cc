"""Places with their kinds, events, offices with their places; classes corrected by their neighbours."""

from __future__ import annotations

from chathistory.openie.lexicon import PLACE_ROLE, ROLE_WORDS
from chathistory.openie.word import Word
from chathistory.openie.wordlist import word_list

_PLACE_TAILS = frozenset(
    word_list(
        "县 郡 州 城 国 省 市 镇 村 乡 山 河 江 湖 海 关 口 岛 宫 殿 陵 寺 坡 津 渡 谷 原 桥 门 里 邑 亭 "
        "营 街 路 区 半岛 大学 学院 书院 中学 小学 教堂 修道院 图书馆 博物馆"
    )
)


def merge_places(words: list[Word]) -> list[Word]:
    """Join a place's name with its kind (邺 城, 濡须 口), and an event's with its (官渡 之战)."""
    merged: list[Word] = []
    for word in words:
        last = merged[-1] if merged else None
        if last is not None and not last.note:
            if word.text in _PLACE_TAILS and (
                last.tag == "LOC" or (len(last.text) == 1 and last.tag == "N" and _unusual(last.text))
            ):
                merged[-1] = Word(last.text + word.text, "ORG" if len(word.text) > 1 else "LOC", note=word.note)
                continue
            if word.text in (
                "之战",
                "之乱",
                "之变",
                "之盟",
                "之会",
                "战役",
                "起义",
                "事变",
                "会战",
                "变法",
                "运动",
            ) and last.tag in ("LOC", "PER", "N"):
                merged[-1] = Word(last.text + word.text, "EVENT", note=word.note)
                continue
            if (
                word.text in ("战", "乱", "变", "盟", "会", "围", "役")
                and last.text == "之"
                and len(merged) > 1
                and merged[-2].tag in ("LOC", "PER", "N", "ORG")
            ):
                merged[-2:] = [Word(merged[-2].text + "之" + word.text, "EVENT", note=word.note)]
                continue
        merged.append(word)
    return merged


def _join_split_roles(words: list[Word]) -> list[Word]:
    """Two neighbours that together are an office are one word: 才 人, 别 驾."""
    merged: list[Word] = []
    for word in words:
        last = merged[-1] if merged else None
        if (
            last is not None
            and not last.note
            and len(last.text) == 1
            and len(word.text) <= 2
            and last.text + word.text in ROLE_WORDS
            and last.tag not in ("V", "LOC")
        ):
            merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
        else:
            merged.append(word)
    return merged


def _unusual(char: str) -> bool:
    return char not in "大小新旧古老高一此该本各全我他敌其"


def merge_roles(words: list[Word]) -> list[Word]:
    """Join an office with its place and qualifiers: 豫州 牧, 左 将军, 建宁 督邮."""
    merged: list[Word] = []
    words = _join_split_roles(words)
    for i, word in enumerate(words):
        last = merged[-1] if merged else None
        if last is not None and not last.note and last.tag in ("LOC", "B", "F", "ROLE") and word.tag != "PER":
            after = words[i + 1] if i + 1 < len(words) else None
            office = word.tag == "ROLE" or (
                word.text in PLACE_ROLE
                and last.tag in ("LOC", "ROLE")
                and (after is None or after.tag in ("PER", "X", "C", "U", "F"))
            )
            if office and (last.tag != "ROLE" or word.text not in ("弟子", "学生")):
                merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
                continue
        if (
            last is not None
            and word.tag == "ROLE"
            and last.text
            in (
                "左",
                "右",
                "前",
                "后",
                "大",
                "小",
                "副",
                "总",
                "车骑",
                "骠骑",
                "镇东",
                "镇西",
                "镇南",
                "镇北",
                "征西",
                "征南",
                "征东",
                "征北",
                "中",
            )
        ):
            merged[-1] = Word(last.text + word.text, "ROLE", note=word.note)
            continue
        merged.append(word)
    return merged


def retag(words: list[Word]) -> list[Word]:
    """Correct a class by its neighbour: a noun before 过 or 了 is a verb, an adverb before 的 an adjective."""
    for i in range(len(words) - 1):
        word, after = words[i], words[i + 1].text
        if word.tag in ("N", "I", "VN") and after in ("过", "了") and 1 <= len(word.text) <= 3:
            words[i] = Word(word.text, "V", word.value, word.note)
        elif (
            word.text == "将"
            and i
            and words[i + 1].tag == "PER"
            and words[i - 1].tag in ("N", "LOC")
            and len(words[i - 1].text) == 1
        ):
            words[i] = Word("将", "ROLE")
        elif word.tag == "D" and after == "的":
            words[i] = Word(word.text, "A", word.value, word.note)
    return words
