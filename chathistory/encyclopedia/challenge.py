"""Challenge pages: what stands before an article when a site takes us for a robot."""

from __future__ import annotations

import re

from chathistory.errors import Blocked

_ADDRESS = re.compile(
    r"/anticrawl/|captchaview|wappass\.baidu\.com|/static/captcha|verify\.baidu\.com|/antispider", re.I
)
_TITLE = re.compile(r"<title[^>]*>\s*(?:百度百科\s*-\s*验证|百度安全验证|安全验证|百度验证|访问验证|网络不给力)", re.I)
_SCRIPT = re.compile(r"/api/mkd\.js|mkdjump|class=[\"'][^\"']*\banti-crawl\b|passMod\.callback", re.I)
_ARTICLE = re.compile(r"lemma-summary|J-summary|lemmaSummary_|label-module=|data-tag=[\"']paragraph|class=[\"']?para\b")

REMEDY = "请换一个来源（例如维基百科），或在浏览器里打开词条、通过验证后把网页保存下来，再作为文件导入。"


def is_challenge_address(url: str) -> bool:
    """Whether an address (of a redirect or of the final page) leads to a challenge."""
    return _ADDRESS.search(url) is not None


def is_challenge(text: str, url: str = "") -> bool:
    """Whether a page is a challenge: by its address, its title, or its scripts without an article beside them."""
    if url and is_challenge_address(url):
        return True
    if _TITLE.search(text[:20000]):
        return True
    return _ARTICLE.search(text) is None and _SCRIPT.search(text) is not None


def blocked(name: str) -> Blocked:
    """The error for a challenge page, with the remedy."""
    about = f"“{name}”" if name else "这个词条"
    return Blocked(f"百度百科要求人机验证，没有取到{about}的内容。{REMEDY}")
