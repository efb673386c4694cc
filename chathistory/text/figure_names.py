"""What may be a figure's name: the one check of it, for the encyclopedia and for the store."""

from __future__ import annotations

import unicodedata

from chathistory.errors import BadName

LONGEST_NAME = 100


def check_name(name: str) -> str:
    """Return a figure's name without outer blanks; any Unicode letter, sign and emoji may stand in it.

    Raises
    ------
    BadName
        Empty, longer than 100 characters, without any letter, or holding control characters.
    """
    name = " ".join(name.split())
    if not name:
        raise BadName("名字是空的。请写一个历史人物的名字，例如：孔子。")
    if len(name) > LONGEST_NAME:
        raise BadName(f"名字有 {len(name)} 个字，最长 {LONGEST_NAME} 个。请只写人物的名字，例如：孔子。")
    if any(unicodedata.category(char) in {"Cc", "Cs", "Co", "Cn"} for char in name):
        raise BadName("名字里有控制字符或无法显示的字符。请重新输入。")
    if not any(char.isalnum() for char in name):
        raise BadName(f"“{name}”里没有一个文字，不像人物的名字。请写例如：孔子。")
    return name
