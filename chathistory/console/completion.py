"""Completion of commands and names in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from chathistory.encyclopedia import sample_names
from chathistory.salon import Salon


class NameCompleter(Completer):
    """Completes a command at the start of a line, and the names that fit it after that."""

    def __init__(self, salon: Salon, commands: Sequence[str]) -> None:
        self._salon = salon
        self._commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what may stand at the cursor."""
        before = document.text_before_cursor
        command, blank, rest = before.partition(" ")
        if not blank:
            words: Iterable[str] = self._commands
            rest = before
        elif command == "/leave":
            words = self._salon.online
        elif command == "/join":
            words = [card.name for card in self._salon.cards() if card.ready and not card.online]
        elif command == "/summon":
            words = sample_names()
        elif command == "/mode":
            words = ("judged", "random")
        else:
            words = ()
        for word in words:
            if word.startswith(rest):
                yield Completion(word, start_position=-len(rest))
