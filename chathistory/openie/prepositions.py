"""Phrases that a preposition opens in a Chinese clause: 在, 向, 与, 由."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.phrases import read_list
from chathistory.openie.reading import Reading, after_aspect, skip_adverbs
from chathistory.openie.sentence import frame_end
from chathistory.openie.verb_lists import RECIPROCAL, TRANSITIVE
from chathistory.openie.verbs import ACT_NAMES
from chathistory.openie.word import Word

_TURNED_TO = {
    "投降": "投降",
    "投奔": "投奔",
    "学习": "学习于",
    "请教": "请教",
    "求救": "求救于",
    "求援": "求援于",
    "称臣": "称臣于",
    "请降": "请降于",
    "求和": "求和于",
    "求学": "求学于",
    "问学": "问学于",
    "求助": "求助于",
    "拜师": "师从",
    "问礼": "问礼于",
    "求教": "请教",
    "挑战": "挑战",
    "宣战": "宣战",
    "求婚": "求婚于",
    "告别": "告别",
}


def step_over(words: Sequence[Word], i: int, reading: Reading) -> int | None:
    """Step over 在…, 向…, 与…; return the index after it, ``i`` when it is none, None to stop."""
    text = words[i].text
    phrases, after = read_list(words, i + 1)
    if text in ("在", "于", "从", "自", "当"):
        end = frame_end(words, i + 1)
        if end is None:
            return None
        for word in words[i + 1 : end]:
            if word.tag == "DATE" and text in ("在", "于", "当"):
                reading.date = reading.date or word
        if text in ("在", "于") and len(phrases) == 1 and phrases[0].head.tag != "DATE":
            reading.place = phrases[0]
        return end
    if text == "由" and phrases and after < len(words):
        j = skip_adverbs(words, after)
        if (
            all(p.is_name and p.head.tag in ("PER", "ORG", "LOC") for p in phrases) and words[j].text in TRANSITIVE
            if j < len(words)
            else False
        ):
            for agent in phrases[:3]:
                for subject in reading.subjects[:3]:
                    reading.add_fact(agent.text, ACT_NAMES.get(words[j].text, words[j].text), subject)
        reading.carry = False
        return None
    if not phrases:
        return i + 1 if text in ("以", "用", "因", "由") else None
    if (
        text in ("跟", "向", "从")
        and after < len(words)
        and words[after].text in ("学", "学习", "学琴", "学艺", "问学", "求学")
        and all(p.head.tag == "PER" for p in phrases)
    ):
        reading.add("师从", phrases)
        return None
    if text in ("与", "和", "同", "跟"):
        j = skip_adverbs(words, after)
        partners = [p for p in phrases if p.is_name and p.head.tag in ("PER", "ORG", "LOC")]
        if j < len(words) and words[j].text in RECIPROCAL and len(partners) == len(phrases):
            reading.add(words[j].text, partners)
        return after
    if text == "向":
        j = after_aspect(words, after - 1)
        if j < len(words) and words[j].text in _TURNED_TO:
            reading.add(_TURNED_TO[words[j].text], [p for p in phrases if p.is_name])
            return None
        return after
    if text in ("以", "用", "对", "给", "由", "因", "据", "替", "按", "依", "凭", "随着", "通过"):
        return after
    return i if text == "到" else None
