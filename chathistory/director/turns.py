"""What every judge needs to know of a scene: who may speak, and what was said since the user's line."""

from __future__ import annotations

from collections.abc import Sequence

from chathistory.domain import USER, Line, Member, Scene


def eligible(scene: Scene) -> tuple[Member, ...]:
    """Return those who are online and not muted, in the order of the roster."""
    return tuple(member for member in scene.roster if member.online and not member.muted)


def is_persona(scene: Scene, speaker: str) -> bool:
    """Return whether a speaker's name is one of the roster's; the user's never is."""
    return speaker != USER and any(member.name == speaker for member in scene.roster)


def split(scene: Scene) -> tuple[Line | None, tuple[Line, ...]]:
    """Return the user's last line (None where there is none) and the personas' lines after it."""
    lines: Sequence[Line] = scene.history
    for i in range(len(lines) - 1, -1, -1):
        if lines[i].speaker == USER:
            return lines[i], tuple(lines[i + 1 :])
    return None, tuple(lines)


def just_spoke(scene: Scene) -> str | None:
    """Return the persona whose line is the very last one, None when the user spoke last."""
    if scene.history and is_persona(scene, scene.history[-1].speaker):
        return scene.history[-1].speaker
    return None
