"""A look at everything that can be wrong, without changing anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chathistory.config import EMBEDDED
from chathistory.errors import ChatHistoryError
from chathistory.knowledge import texts_to_embed
from chathistory.overlay import in_force
from chathistory.salon.archive import Archive
from chathistory.store import PersonaRow


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; ``detail`` says what to do where ``ok`` is False."""

    name: str
    ok: bool
    detail: str


def examine(archive: Archive) -> Iterator[Check]:
    """Yield the checks: configuration, providers, embedder, database, each persona's consistency."""
    tables = archive.config.tables
    yield Check("设置", True, f"来自 {archive.config.root}，数据在 {archive.data_dir}")
    if archive.settings_error is not None:
        yield Check("设置页", False, str(archive.settings_error))
    elif archive.settings_path.is_file():
        set_here = "；".join(in_force(archive.config, archive.base)) or "没有改变什么"
        yield Check("设置页", True, f"{archive.settings_path} 盖在 config.toml 上：{set_here}")
    tasks = {
        "entity_extract": tables.entity_extract.llm,
        "rdf_build": tables.rdf_build.llm,
        "qa": tables.qa.llm,
        "qa.filter": tables.qa.filter,
        "director": tables.director.llm,
    }
    for task, chosen in tasks.items():
        if chosen.provider == EMBEDDED:
            yield Check(f"任务 {task}", True, "内置（不联网）")
        else:
            yield _provider(archive, task, chosen.provider, chosen.model)
    if tables.embedding.provider != EMBEDDED:
        yield _provider(archive, "embedding", tables.embedding.provider, tables.embedding.model)
    makers_work = _makers_work(archive)
    yield makers_work
    complaints = archive.database.check()
    yield Check("数据库", not complaints, "；".join(complaints) or archive.database.where)
    yield Check("黑名单", True, f"{len(archive.blacklist.names)} 个名字")
    if not makers_work.ok:
        return
    for row in archive.rows():
        yield from _set_aside(archive, row)
        yield _persona(archive, row)


def _set_aside(archive: Archive, row: PersonaRow) -> Iterator[Check]:
    """What today's model could not read of a persona, with the beginning of what it said instead."""
    extractor = archive.makers.extractor
    made_by = (extractor.maker, extractor.version)
    items = [item for item in archive.set_aside.all(row.name) if (item.maker, item.version) == made_by]
    if items:
        shown = "；".join(
            f"{item.passage_id[:8]} {item.error}" + (f" “{' '.join(item.raw.split())[:60]}”" if item.raw else "")
            for item in items[:3]
        )
        more = f"等 {len(items)} 段" if len(items) > 3 else f"共 {len(items)} 段"
        yield Check(
            f"搁置 {row.name}",
            False,
            f"{shown}（{more}）。先由内置规则代读；运行 summon {row.name} --retry-failed 重试",
        )


def _makers_work(archive: Archive) -> Check:
    expected = archive.config.tables.embedding.dimension
    try:
        embedder = archive.makers.embedder
        dimension = embedder.dimension
    except ChatHistoryError as error:
        return Check("嵌入模型", False, str(error))
    note = embedder.note or "就绪"
    if expected is not None and expected != dimension and not embedder.note:
        note += f"；config.toml 写的是 {expected} 维，以模型的 {dimension} 维为准"
    return Check("嵌入模型", True, f"{embedder.model_id}（{dimension} 维）：{note}")


def _provider(archive: Archive, task: str, provider: str, model: str) -> Check:
    try:
        chosen = archive.config.provider(task, provider)
        chosen.key()
    except ChatHistoryError as error:
        return Check(f"任务 {task}", False, str(error))
    return Check(f"任务 {task}", True, f"{provider} / {model}（{chosen.address}）")


def _persona(archive: Archive, row: PersonaRow) -> Check:
    title = f"人物 {row.name}"
    if row.state != "ready":
        return Check(title, False, f"召唤没有做完；再运行一次 summon {row.name}")
    passages = archive.personas.passages(row.id)
    extractions = archive.personas.extractions(row.id)
    ids = {passage.id for passage in passages}
    strays = [item.passage_id for item in extractions if item.passage_id not in ids]
    if not passages or strays:
        return Check(title, False, f"段落与事实对不上；重新召唤：summon {row.name} --source {row.source or 'auto'}")
    texts = texts_to_embed(passages, extractions)
    missing = len(texts) - len(archive.vectors.get_many(archive.embedder.model_id, list(texts)))
    if missing:
        return Check(
            title, False, f"有 {missing} 个向量不是当前模型的；运行 summon {row.name} 补上（原文都在，不必重抓）"
        )
    facts = sum(len(item.facts) for item in extractions)
    return Check(title, True, f"{len(passages)} 段，{facts} 条事实，来源 {row.source}")
