"""OpenIE over a model: one call a passage where one model does both tasks, a call for each where two do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from chathistory.domain import Extraction, Figure, Message, Passage, text_id
from chathistory.errors import BadModelReply, ExtractionError
from chathistory.models.cancel import Cancel
from chathistory.models.chat import Ask, Chat, JsonForm, Limits
from chathistory.models.estimate import Estimate, priced
from chathistory.models.json_reply import ask_json
from chathistory.models.protocols import Extractor
from chathistory.models.tokens import estimate_tokens, prompt_tokens
from chathistory.openie.cleaning import Reading, cleaned, is_real_text
from chathistory.openie.said import Said
from chathistory.prompts import prompt_version, render

_CLEANING = "2"
"""Changes whenever ``cleaning`` would keep something else."""
_LONGEST_MAKER = 128
_OUT_PER_TOKEN = 1.2
_OUT_BASE = 40
_TIMES = 2
_MOST_BASE = 300
_MOST_PER_TOKEN = 3
"""The longest answer: small models fall into repeating themselves; what is cut off is repaired."""


class StageStore(Protocol):
    """Keeps what the first of two calls read, so that a stop between them costs nothing (ExtractionRepository)."""

    def get_many(self, ids: Sequence[str], figure: str, maker: str, version: str) -> Mapping[str, Extraction]:
        """Return what is stored among passage ids."""
        ...

    def put_many(self, items: Sequence[Extraction], figure: str, maker: str, version: str) -> None:
        """Store what is not there yet."""
        ...


def _form(*parts: str) -> JsonForm:
    text = {"type": "string"}
    kinds = {
        "entities": {"type": "array", "items": text},
        "triples": {"type": "array", "items": {"type": "array", "items": text}},
    }
    return JsonForm(
        "extraction",
        {
            "type": "object",
            "properties": {part: kinds[part] for part in parts},
            "required": list(parts),
            "additionalProperties": False,
        },
    )


_JOINT = _form("entities", "triples")
_ENTITIES = _form("entities")
_TRIPLES = _form("triples")


class ModelExtractor:
    """Reads passages by model, wholly or in one of the two tasks. Safe to share between threads.

    Parameters
    ----------
    entities, facts
        Who does each task: a chat model, or the rule-based maker. At least one is a chat model; where both are the
        same model of the same provider, one call does both.
    stages
        Keeps what was found between the two calls of two models; None keeps nothing.
    seconds
        Time for one answer.
    """

    def __init__(
        self,
        entities: Chat | Extractor,
        facts: Chat | Extractor,
        stages: StageStore | None = None,
        *,
        seconds: float = 180.0,
    ) -> None:
        if not isinstance(entities, Chat) and not isinstance(facts, Chat):
            raise ValueError("neither task is done by a model; use the rule-based maker itself")
        self._entities = entities
        self._facts = facts
        self._stages = stages
        self._limits = Limits(connect=5, whole=seconds)
        self._joint = (
            isinstance(entities, Chat)
            and isinstance(facts, Chat)
            and (entities.provider, entities.model) == (facts.provider, facts.model)
        )
        prompts = ["extract"] if self._joint else []
        if not self._joint:
            prompts += ["entities"] if isinstance(entities, Chat) else []
            prompts += ["triples"] if isinstance(facts, Chat) else []
        self._prompts = prompts
        both = [_name(entities)] if self._joint else [_name(entities), _name(facts)]
        self.maker = _short("+".join(both))
        rules = "".join(f".{maker.version}" for maker in (entities, facts) if not isinstance(maker, Chat))
        self.version = f"{prompt_version(*prompts)}.{_CLEANING}{rules}"[:32]
        chats = [maker for maker in (entities, facts) if isinstance(maker, Chat)]
        self.workers = max(chat.concurrency for chat in chats) * _TIMES
        """Passages worth reading at one time: twice what the provider takes, since some wait to try again."""

    def extract(self, passage: Passage, figure: Figure) -> Extraction:
        """Return entities and facts of a passage.

        Raises
        ------
        ExtractionError
            Real text gave nothing of use, even when asked again.
        ModelError
            The model could not be had.
        """
        try:
            return self.read(passage, figure).extraction
        except BadModelReply as error:
            raise ExtractionError(str(error)) from error

    def read(self, passage: Passage, figure: Figure, *, account: str = "", cancel: Cancel | None = None) -> Reading:
        """Return entities and facts of a passage, and what was dropped of the model's answer.

        Raises
        ------
        BadModelReply
            Real text gave nothing of use, even when asked again; ``raw`` keeps the answer.
        ModelError, Cancelled
            The model could not be had, or the work was stopped.
        """
        if not is_real_text(passage.text):
            return Reading(Extraction(passage.id, (), ()))
        if self._joint and isinstance(self._entities, Chat):
            messages = render("extract", figure=_names_of(figure), passage=passage.text)
            return self._ask(self._entities, "extract", messages, _JOINT, passage, figure, account, cancel)
        first = self._read_entities(passage, figure, account, cancel)
        if not isinstance(self._facts, Chat):
            by_rules = self._facts.extract(passage, figure)
            both = dict.fromkeys([*first.extraction.entities, *by_rules.entities])
            return Reading(Extraction(passage.id, tuple(both), by_rules.facts), first.dropped)
        names = first.extraction.entities
        messages = render(
            "triples", figure=_names_of(figure), entities="、".join(names) or "（无）", passage=passage.text
        )
        second = self._ask(self._facts, "facts", messages, _TRIPLES, passage, figure, account, cancel, known=names)
        return Reading(second.extraction, first.dropped + second.dropped)

    def _read_entities(self, passage: Passage, figure: Figure, account: str, cancel: Cancel | None) -> Reading:
        if not isinstance(self._entities, Chat):
            return Reading(self._entities.extract(passage, figure))
        maker, version = _short(_name(self._entities)), f"{prompt_version('entities')}.{_CLEANING}"
        if self._stages is not None:
            stored = self._stages.get_many([passage.id], figure.name, maker, version).get(passage.id)
            if stored is not None:
                return Reading(stored)
        messages = render("entities", figure=_names_of(figure), passage=passage.text)
        found = self._ask(self._entities, "entities", messages, _ENTITIES, passage, figure, account, cancel)
        if self._stages is not None:
            self._stages.put_many([found.extraction], figure.name, maker, version)
        return found

    def _ask(
        self,
        chat: Chat,
        task: str,
        messages: Sequence[Message],
        form: JsonForm,
        passage: Passage,
        figure: Figure,
        account: str,
        cancel: Cancel | None,
        known: Sequence[str] = (),
    ) -> Reading:
        def use(said: Said) -> Reading:
            reading = cleaned(passage, figure, [*known, *said.entities], said.triples)
            if not reading.extraction.entities:
                raise BadModelReply("没有读出任何一个段落里有的实体。")
            return reading

        ask = Ask(
            task,
            limits=self._limits,
            temperature=0.0,
            max_tokens=_MOST_BASE + _MOST_PER_TOKEN * estimate_tokens(passage.text),
            think=False,
            form=form,
            hurry=True,
            account=account,
        )
        return ask_json(chat, messages, Said, ask, cancel, use=use)

    def estimate(self, passages: Sequence[Passage], figure: Figure) -> Estimate:
        """Return what reading these passages will take, each asked once."""
        tasks: list[tuple[Chat, str]] = []
        if self._joint and isinstance(self._entities, Chat):
            tasks.append((self._entities, "extract"))
        else:
            tasks += [(self._entities, "entities")] if isinstance(self._entities, Chat) else []
            tasks += [(self._facts, "triples")] if isinstance(self._facts, Chat) else []
        real = [passage for passage in passages if is_real_text(passage.text)]
        whole = Estimate(passages=len(real))
        text = sum(estimate_tokens(passage.text) for passage in real)
        for chat, prompt in tasks:
            values = {"figure": _names_of(figure), "passage": ""} | ({"entities": ""} if prompt == "triples" else {})
            each = prompt_tokens(render(prompt, **values))
            sent = each * len(real) + text
            answered = int(text * _OUT_PER_TOKEN) + _OUT_BASE * len(real)
            whole += priced(Estimate(calls=len(real), tokens_in=sent, tokens_out=answered), chat.price)
        return whole


def _names_of(figure: Figure) -> str:
    others = "、".join(dict.fromkeys(figure.aliases[:6]))
    return f"{figure.name}（又称：{others}）" if others else figure.name


def _name(maker: Chat | Extractor) -> str:
    return f"{maker.provider}/{maker.model}" if isinstance(maker, Chat) else maker.maker


def _short(name: str) -> str:
    """A maker's name as the store takes it; a long one keeps its beginning and the hash of the whole."""
    name = f"llm:{name}"
    return name if len(name) <= _LONGEST_MAKER else f"{name[: _LONGEST_MAKER - 17]}~{text_id(name)[:16]}"
