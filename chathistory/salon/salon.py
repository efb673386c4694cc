"""The one facade that both interfaces and the tests use: one talk on an archive."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from chathistory import director
from chathistory.domain import (
    END,
    USER,
    Choice,
    Ended,
    Event,
    Failed,
    Figure,
    Finished,
    Line,
    Passage,
    Progress,
    Recall,
    Recalled,
    Scene,
    SpeakerChosen,
    SpeechRequest,
    Spoken,
    Token,
    Utterance,
    Void,
)
from chathistory.errors import ChatHistoryError, NotOnline
from chathistory.salon.archive import Archive, LoadedPersona, member_of
from chathistory.salon.card import Card, card_of
from chathistory.salon.makers import Mode
from chathistory.salon.remembering import TalkMemory
from chathistory.salon.styles import with_styles
from chathistory.salon.summoning import summon_for
from chathistory.salon.terms import Terms
from chathistory.store import PersonaRow, UtteranceTrace
from chathistory.text import NameReader

_log = logging.getLogger(__name__)


class Salon:
    """One talk. Not shared between threads; many salons share one archive."""

    def __init__(
        self,
        archive: Archive,
        circle: str = "local",
        talk_id: str | None = None,
        *,
        rng: random.Random | None = None,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        address: str = "",
    ) -> None:
        self.archive = archive
        self._rng = rng or random.Random()
        self._now = now
        self._address = address
        self._online: dict[str, LoadedPersona] = {}
        row = archive.talks.find(talk_id) if talk_id else None
        if row is None or row.circle != circle:
            row = archive.talks.create(circle)
        self.talk_id = row.id
        for name in row.members:
            try:
                self._online[name] = archive.load(name)
            except ChatHistoryError as error:
                _log.warning("%s could not come back to the talk: %s", name, error)

    # --- who is here ---

    @property
    def online(self) -> list[str]:
        """The canonical names of those who joined, in the order of joining."""
        return list(self._online)

    @property
    def notes(self) -> dict[str, str]:
        """What the user should know of the memories of those who are here; only of whom there is something to say."""
        return {name: loaded.note for name, loaded in self._online.items() if loaded.note}

    def cards(self, rows: Sequence[PersonaRow] | None = None) -> list[Card]:
        """Return every persona of the archive, of which ``rows`` are known already where they are given."""
        return [
            card_of(row, online=row.name in self._online, avatar=self.archive.folder.avatar(row.folder))
            for row in (self.archive.rows() if rows is None else rows)
        ]

    def summon(self, name: str, source: str | None = None, terms: Terms | None = None) -> Iterator[Progress]:
        """Summon a figure (see ``summoning.summon``); a blacklisted name is logged with the client's address."""
        yield from summon_for(self.archive, name, source, self._address, terms)

    def join(self, name: str) -> str:
        """Load a persona's memory and seat it; returns its canonical name.

        Joining twice changes nothing, but that a persona summoned anew meanwhile gets its new memory.

        Raises
        ------
        UnknownPersona
            Nobody of that name was summoned whole.
        """
        loaded = self.archive.load(name)
        known = loaded.row.name in self._online
        self._online[loaded.row.name] = loaded
        if not known:
            self.archive.talks.set_members(self.talk_id, self.online)
        return loaded.row.name

    def leave(self, name: str) -> str:
        """Let a persona go and free its memory; returns its canonical name.

        Raises
        ------
        NotOnline
            It has not joined this talk.
        """
        canonical = name if name in self._online else self._reader().resolve(name)
        if canonical is None or canonical not in self._online:
            here = "、".join(self.online) or "没有人"
            raise NotOnline(f"“{name}”不在座。在座的：{here}。")
        del self._online[canonical]
        self.archive.talks.set_members(self.talk_id, self.online)
        return canonical

    def remove(self, name: str) -> str:
        """Delete a persona from the archive; returns its canonical name. Cached extractions and vectors stay."""
        row = self.archive.find(name) or self.archive.get(name)
        self._online.pop(row.name, None)
        self.archive.talks.set_members(self.talk_id, self.online)
        self.archive.personas.remove(row.id)
        self.archive.folder.remove(row.folder)
        self.archive.folder.list_names({one.folder: one.name for one in self.archive.rows()})
        return row.name

    def recall(self, name: str, question: str, k: int | None = None) -> Recall:
        """Return what a persona (online or not) remembers for a question."""
        count = k or self.archive.makers.params.res_top_k
        return self.archive.load(name).persona.recall_for(Line(USER, question), (), count)

    def passages(self, utterance: Utterance) -> list[Passage]:
        """Return the passages an utterance rests on, in its order; empty for a persona removed since."""
        row = self.archive.find(utterance.speaker) if utterance.passages else None
        known = {passage.id: passage for passage in self.archive.personas.passages(row.id)} if row else {}
        return [known[key] for key in utterance.passages if key in known]

    # --- the talk ---

    def history(self, limit: int | None = None) -> list[Utterance]:
        """Return the last ``limit`` utterances, oldest first."""
        return self.archive.talks.history(self.talk_id, limit)

    def say(
        self,
        text: str,
        mode: Mode | None = None,
        max_round: int | None = None,
        max_query: int | None = None,
        history_length: int | None = None,
    ) -> Generator[Event, None, None]:
        """Say a line as the user and let the personas answer until the director hands the floor back.

        Parameters
        ----------
        text
            The user's line.
        mode, max_round, max_query, history_length
            As in ``[salon]`` of the configuration, which gives the defaults.

        Yields
        ------
        Event
            SpeakerChosen, Recalled, Token..., Finished for each utterance, Failed where one failed; Ended at last.
            Closing the iterator in the middle of an utterance keeps what was said, marked as cut.
        """
        table = self.archive.config.tables.salon
        rounds = max_round or table.max_round
        limit = history_length or table.history_length
        self._save(Utterance(self.archive.talks.new_id(), USER, text.strip(), at=self._time()))
        if not self._online:
            yield Ended("没有人在座。先请一位进来（join）。")
            return
        self._renew_memories()
        judge = self.archive.makers.judge_for(mode or table.mode, self._rng)
        memory = self._memory()
        last_speaker = next((u.speaker for u in reversed(self.history(limit)[:-1]) if u.speaker != USER), None)
        for spoken in range(rounds):
            history, older = memory.split(self.history(), limit)
            choice = director.choose(self._scene(history, last_speaker, spoken), judge)
            if choice.name == END:
                memory.extend(self.talk_id, older)
                yield Ended(choice.reason)
                return
            yield SpeakerChosen(choice.name, choice.reason)
            try:
                summary = memory.summary(self.talk_id, older)
                yield from self._utter(choice, history, max_query or table.max_query, summary)
            except ChatHistoryError as error:
                _log.warning("%s could not speak: %s", choice.name, type(error).__name__)
                yield Failed(choice.name, type(error).__name__, str(error))
                yield Ended("这一位没能说完，请您接着说。")
                return
            last_speaker = choice.name
        memory.extend(self.talk_id, memory.split(self.history(), limit)[1])
        yield Ended(f"已接了 {rounds} 句，请您说。")

    def _renew_memories(self) -> None:
        """Give those whose memory an older model made, or none, the new one as soon as it is whole."""
        for name in self.notes:
            try:
                self._online[name] = self.archive.load(name)
            except ChatHistoryError as error:
                _log.info("%s goes on with his old memory: %s", name, type(error).__name__)

    def _memory(self) -> TalkMemory:
        tokens = self.archive.config.tables.persona.history_tokens
        return TalkMemory(self.archive.summaries, self.archive.makers.summariser, tokens)

    def _scene(self, history: tuple[Line, ...], last_speaker: str | None, spoken: int) -> Scene:
        roster = tuple(member_of(row, online=row.name in self._online) for row in self.archive.rows())
        return Scene(with_styles(roster, self._figures()), history, last_speaker, self._relevance, spoken)

    def _figures(self) -> dict[str, Figure]:
        return {name: loaded.figure for name, loaded in self._online.items()}

    def _relevance(self, name: str, text: str) -> float:
        loaded = self._online.get(name)
        return 0.0 if loaded is None else loaded.persona.recall_for(Line(USER, text), (), 3).confidence

    def _utter(self, choice: Choice, history: tuple[Line, ...], k: int, summary: str) -> Generator[Event, None, None]:
        name = choice.name
        loaded = self._online[name]
        line = self._answered(name, history)
        before = history[: len(history) - 1] if line == history[-1] else history
        recalled = loaded.persona.recall_for(line, before, k)
        yield Recalled(name, recalled)
        request = SpeechRequest(
            figure=loaded.figure,
            line=line,
            history=before,
            recall=recalled,
            others=tuple(other for other in self._online if other != name),
            others_aliases=tuple(
                alias for other, one in self._online.items() if other != name for alias in one.figure.aliases
            ),
            max_chars=self.archive.config.tables.persona.max_chars,
            summary=summary,
        )
        utterance = Utterance(self.archive.talks.new_id(), name, "", cut=True, at=self._time())
        said: list[str] = []
        speech = loaded.persona.reply(request)
        spoken: Spoken | None = None
        try:
            while spoken is None:
                try:
                    piece = next(speech)
                except StopIteration as stop:
                    spoken = stop.value
                else:
                    if isinstance(piece, Void):
                        said.clear()
                        yield Token(name, "", void=True)
                    else:
                        said.append(piece)
                        yield Token(name, piece)
            utterance = replace(utterance, text=spoken.text, passages=spoken.passages, cut=spoken.cut)
        finally:
            speech.close()
            if utterance.cut and not utterance.text:
                utterance = replace(utterance, text="".join(said))
            if utterance.text:
                self._save(utterance)
                scores = {one.passage.id: one.score for one in recalled.recollections}
                reasoning, note = (spoken.reasoning, spoken.note) if spoken else ("", "")
                reason = f"{choice.reason}。{note}" if note else choice.reason
                self.archive.traces.save(utterance.id, UtteranceTrace(reason, scores, reasoning))
        yield Finished(utterance, spoken.reasoning)

    def _answered(self, name: str, history: tuple[Line, ...]) -> Line:
        """Return the line a speaker answers: the last persona's where it speaks to him, else the user's last."""
        last = history[-1]
        if last.speaker not in (USER, name) and any(m.name == name for m in self._reader().mentions(last.text)):
            return last
        return next((line for line in reversed(history) if line.speaker == USER), last)

    def _reader(self) -> NameReader:
        members = tuple(member_of(loaded.row) for loaded in self._online.values())
        return NameReader(with_styles(members, self._figures()))

    def _save(self, utterance: Utterance) -> None:
        self.archive.talks.save(self.talk_id, utterance)

    def _time(self) -> str:
        return self._now().isoformat(timespec="seconds")
