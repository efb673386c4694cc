"""What stands on a Baidu page beside its text: pictures with captions, buttons, catalogues, advertisements, marks."""

from __future__ import annotations

from chathistory.encyclopedia.dom import Element, classes
from chathistory.encyclopedia.wordlist import words

_DROPPED = words("""
    lemma-picture lemma-album album-list lemmaWgt-lemmaCatalog lemma-catalog catalog-list anchor-list edit-icon
    audio-play sup-anchor title-prefix headline-prefix edit-lemma lock-lemma lemma-reference reference-list
    top-tool tashuo-bottom tashuo-right open-tag-item lemma-tag rs-container before-content polysemant-list
    side-content basic-info basicInfo-block summary-pic top-share share-list promotion-declaration
    lemmaWgt-promotion-leadPVBtn configModuleBanner lemma-structured lemma-complex-structure starmap-container
    lemma-starmap lemmaWgt-sideRecommend description pic-desc image-caption albumTitle picture-desc carousel
    video-list-container second-wrapper edit-prompt content-bottom after-content copyright footer
    wgt-footer-main bottom-recommend-wrapper new-bdsharebuttonbox bksharebuttonbox top-collect top-vote
    lemma-relation-module star-info-block clear-prefix lemmaWgt-focusAndTag
    authorityListPrompt authority-list lemma-authority tooltip lemma-discussion add-video view-tip-panel
    posterTop feature_poster card-part toggle toOverlap overlap btn-list text-pic image-link magic-album mod-top
    wiki-lemma-icons cmn-icon layout-right layout-center
""")
"""Class tokens, whole."""
_DROPPED_STARTS = tuple(
    words("""
    rs-container special-topic lemma-paper paper_ guess fc-guess
    lemmaPicture lemmaAlbum albumList albumWrapper lemmaCatalog catalogWrapper catalogList editLemma editBtn
    ttsBtn btnList supWrap referenceList lemmaReference basicInfo summaryPic topTool tashuo promotion
    lemmaWgt-promotion rsContainer sideContent audioPlay audio- knowledgeTopic imageDesc picDesc titlePrefix
    posterWrapper lemmaTag polysemant videoList secondKnow starMap starmap carousel collectBtn shareBtn
    voteBtn userBar swiper moduleEdit editIcon copyright footerWrapper anchorList layoutRight titleSpan
    J-lemma-content-single-image lemmaAlbumMarquee lemma-album-marquee supAnchor lemmaWgt-focusAndRelation
    lemmaWgt-major rank-list lemmaStructured dynamicWiki lemmaInfoCite hasError imgTitle albumDesc
    lemmaAuthority authority
    """)
)
"""Starts of class tokens, which are followed by a hash in the present template."""
_DROPPED_IDS = words(
    "open-tag tashuo_bottom tashuo_right side-share hotspotmining_s fmp_flash_div zhixinWrap J-vars lemmaCatalog"
)
_PICTURES = words("picture album image map video audio carousel gallery")


def skip(element: Element) -> bool:
    """Whether an element of a Baidu page says nothing about its subject."""
    if element.get("id") in _DROPPED_IDS:
        return True
    kind = element.get("data-tag") or element.get("data-module-type")
    if kind in _PICTURES or kind == "ref":
        return True
    value = element.get("class")
    if not value or element.tag in {"table", "tr", "td", "th"}:
        return False
    tokens = value.split()
    if "main_tab" in tokens and "main_tab-defaultTab" not in tokens:
        return True
    if not _DROPPED.isdisjoint(tokens):
        return not is_paragraph(element)
    return any(token.startswith(_DROPPED_STARTS) for token in tokens)


def is_paragraph(element: Element) -> bool:
    """Whether an element is a paragraph in any of the templates."""
    if element.get("data-tag") == "paragraph" or element.get("label-module") == "para":
        return True
    return any(token == "para" or token.startswith("para_") or token == "lemma-para" for token in classes(element))
