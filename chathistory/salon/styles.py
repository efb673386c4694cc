"""Styles that mean one person in a room and nobody outside it: 陛下, 皇上."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chathistory.domain import Figure, Member
from chathistory.persona import rank

_STYLES = ("陛下", "皇上", "圣上")


def with_styles(roster: tuple[Member, ...], online: Mapping[str, Figure]) -> tuple[Member, ...]:
    """Give the one sovereign in the room the styles that mean nobody else there: 陛下, 皇上."""
    sovereigns = [name for name, figure in online.items() if rank(figure) == "sovereign"]
    if len(sovereigns) != 1:
        return roster
    return tuple(
        replace(member, aliases=(*member.aliases, *_STYLES)) if member.name == sovereigns[0] else member
        for member in roster
    )
