"""The closed classes that clauses told in their own words need."""

from __future__ import annotations

import re

from chathistory.openie.wordlist import word_list

DEPENDENT = frozenset(
    word_list(
        "如果 假如 倘若 若 若是 要是 因为 由于 虽然 尽管 既然 即使 即便 只要 只有 除非 无论 不论 不管 随着 为了 "
        "而 否则 以致 以至 从而 以免 不但 不仅 而且 并且 与其 宁可 好像 似乎 仿佛 "
        "大概 大约 可能 也许 或许 恐怕 未必 是否 究竟 到底 怎样 怎么 什么 为何 为什么 如何 哪里 谁 何 例如 比如 "
        "譬如 一旦 直到"
    )
)
"""Words that tie a clause to another, or leave it open whether it is so."""


DROPPED = frozenset(
    word_list(
        "就 才 所以 因而 但 但是 然而 不过 也 又 还 再 于是 便 就 遂 则 却 而 并 并且 而且 同时 后来 随后 接着 "
        "然后 最后 最终 终于 因此 乃 即"
    )
)


LAST_NOT = frozenset(
    word_list(
        "时 后 前 之后 之前 以后 以前 时候 的话 期间 之际 之时 的 地 得 是 为 在 于 和 与 及 或 给 对 向 把 被 "
        "让 使 以 来 去 "
        "等 起来 说 道 曰 问 答 云 写道 认为 以为 如下 有 像 如 之 起 第一 不 没有 其中 所 中 上 里 方面 多 着 一"
    )
)


OBJECT_NOT_FIRST = frozenset(
    word_list("的 之 而 和 与 以 来 等 得 地 所 起 着 于 得 起来 下去 为 被 是 并 成 、 过 了 后 时 给")
)


TO_VERB = frozenset(word_list("了 过 着 到 在 于 给 为 成 作 出 进 入 上 下 回 起 向 自 至 往"))


NO_MAIN = frozenset(
    word_list(
        "是 为 有关 如 像 如同 属于 关于 使 令 让 叫 名 号 字 说 问 答 道 曰 想 等 等到 到 来 去 起 成 要 意味着 "
        "意思是 "
        "治下 用来 用于 使得 导致 包括 加上 相当于 经过 容止 说明 表明 证明 显示 看来 算 据说 相传 传说 以为 "
        "觉得 连 趁 只见 可见 不如"
    )
)


CLAUSE_VERBS = frozenset(
    word_list(
        "喜欢 喜爱 爱 打算 决定 要求 准许 同意 允许 想 想要 希望 愿意 愿 肯 准备 企图 试图 赞成 不赞成 反对 主张 "
        "建议 提议 发现 看到 看见 "
        "听到 听说 知道 得知 担心 害怕 请求 教 劝 命 命令 派 派遣 率 率领 带 带领 领 请 邀请 逼 迫使 禁止 规定 "
        "宣布 下令 答应 善于 擅长 "
        "学会 拒绝 不让 不许 容许 阻止 鼓励 帮助 协助 支持 敢 不敢 能 不能 要 不要 不肯 不愿 不得 得以 开始 继续 "
        "停止 看 听 重视 推算"
    )
)
"""Verbs whose object may be a clause."""


NOT_A_THING = frozenset(word_list("理由 原因 缘故 目的 时候 结果 意思 问题"))


SUPPOSING = re.compile(r"只要|只有|若|无论|不论|不管|一旦|既然|即便|虽然|尽管|与其|宁可|如果|假如|要是")
"""Words in a clause after which the next one tells what would be so."""


FRAME_TAGS = frozenset(("T", "DATE"))


LONGEST_PREDICATE = 12


LONGEST_OBJECT = 24


NO_FRAME = frozenset(
    word_list("后来 当时 这时 那时 此时 同时 现在 将来 以后 之后 随后 不久 平时 一时 从前 以前 原来 起初 最初 先 曾经")
)


TIES = frozenset(word_list("如果 因为 虽然 但 若 由于 既然"))


FRAME_END = frozenset(("后", "之后", "以后", "时", "期间"))


COMPANY = frozenset(word_list("对 同 与 和 跟 向 为 给 以 用 从 由 替 因"))
