"""Short forms of verbs, as facts use them."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.openie.phrases import Phrase
from chathistory.openie.wordlist import word_list

ACT_NAMES = dict(
    pair.split(":")
    for pair in word_list(
        "杀:杀死 斩:斩杀 诛:诛杀 攻:进攻 伐:讨伐 征:征讨 破:击破 围:包围 擒:擒获 灭:消灭 据:占据 袭:袭击 "
        "救:救援 娶:迎娶 降:投降 废:废黜 追:追击 赐:赐予 败:击败 捕:逮捕 平:平定 迎:迎接 赠:赠予 囚:囚禁 "
        "奔:投奔 投:投奔 往投:投奔 往奔:投奔 害:杀害 建:修建 筑:修筑 修:修建 画:绘制 创:创立 教:教 "
        "随:跟随 事:侍奉 侍:侍奉 纳:纳 立:立 表:表荐 拒:抗拒 守:守卫 借:借 读:读 打:打"
    )
)
APPOINT_NAMES = {
    "表": "表荐",
    "上表": "表荐",
    "拜": "任命",
    "任": "任命",
    "封": "册封",
    "命": "任命",
    "推": "推举",
    "选": "选任",
    "授": "任命",
    "加": "加封",
    "升": "提升",
    "召": "征召",
    "征": "征召",
    "调": "调任",
    "除": "任命",
    "转": "调任",
    "谥": "追谥",
    "奉": "尊奉",
    "尊": "尊奉",
}
CALLED = frozenset(
    word_list("称 尊 誉 评 尊称 誉称 赞 赞誉 称赞 公认 视 奉 叫 推崇 合称 并称 俗称 改名 更名 命名 定 列 评选")
)
_NOBLE = ("侯", "王", "公", "帝", "后", "妃", "太子", "世子", "伯", "爵", "君")
_PEOPLE = (
    "家",
    "人",
    "士",
    "者",
    "师",
    "生",
    "商",
    "匠",
    "徒",
    "手",
    "员",
    "工",
    "子",
    "客",
    "僧",
    "将",
    "兵",
    "臣",
    "族",
    "儿",
    "友",
    "强",
    "望",
    "绅",
    "领",
    "袖",
    "使",
)


def title_predicate(title: str) -> str:
    """任 for an office, 是 for a calling or a rank."""
    return "是" if title.endswith(_PEOPLE + _NOBLE) and not title.endswith("太守") else "任"


def office_predicate(titles: Sequence[Phrase]) -> str:
    """任 for an office, 受封 for a title of nobility, 是 for a calling."""
    text = titles[0].text
    if text.endswith(_NOBLE):
        return "受封"
    return "是" if text.endswith(_PEOPLE) and not text.endswith(("夫子", "太守")) else "任"
