"""Which sections are no prose about the person, in any of the encyclopedias' wordings."""

from __future__ import annotations

import re

from chathistory.encyclopedia.wordlist import words

_NUMBER = re.compile(r"^[\d一二三四五六七八九十]+[.、．\s]+")

_APPARATUS = words("""
    参考文献 参考资料 参考 参考书目 参考书籍 参考来源 参考条目 参考链接 参考书 文献 资料来源 来源 引用 引用来源
    引文 引用文献 出处 注释 注解 注脚 脚注 注 附注 备注 注释与参考文献 注释和参考文献 注释及参考文献
    参考文献与注释 参考文献和注释 注释与引用 参注 注释与参考资料 参考资料与注释 注释、参考文献 书目 征引文献
    引注 参考与注释 参考和注释 注解与参考文献 外部链接 外部连接 相关链接 链接 参见 参看 另见 另请参见 相关条目
    参阅 延伸阅读 扩展阅读 进一步阅读 拓展阅读 延伸閱讀 深入阅读 目录 词条图册 图册 词条标签 学术论文 相关视频
    猜你喜欢 相关搜索 导航 导航菜单 编者按语 V百科 TA说 秒懂本尊答 图集 图片 图库 画廊 references reference
    notes footnotes citations sources bibliography_sources notes_and_references references_and_notes
    external_links see_also further_reading works_cited explanatory_notes general_references
    sources_and_references footnotes_and_references notes,_citations,_and_sources cited_works
    citations_and_references gallery primary_sources secondary_sources source notes_and_citations
    navigation_menu contents 注釈 出典 脚注・出典 関連項目 外部リンク 参照
""")


def is_apparatus(title: str) -> bool:
    """Whether a heading opens references, notes, links or other apparatus rather than prose about the person."""
    from chathistory.text import simplify

    bare = _NUMBER.sub("", title.strip()).rstrip(":：")
    plain = bare.replace(" ", "_").lower() if bare.isascii() else simplify(bare.replace(" ", "")).lower()
    return plain in _LOWER or (plain.startswith("参考") and len(plain) <= 8 and _is_listing(plain))


def _is_listing(title: str) -> bool:
    return any(word in title for word in ("文献", "资料", "书目", "来源", "注"))


_LEFT_OVER = re.compile(r"^(?:参考资料|参考文献|资料来源|来源|出处|注释|注|參考資料|資料來源)\s*[:：]?\s*$")


def is_left_over(text: str) -> bool:
    """Whether a line only announced reference marks that are gone: ``参考资料：``."""
    return len(text) <= 8 and _LEFT_OVER.match(text) is not None


_LOWER = frozenset(word.lower() for word in _APPARATUS)
