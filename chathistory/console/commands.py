"""The one-shot commands; without one, the console salon opens. Every command speaks JSON with ``--json``."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from chathistory import __version__
from chathistory.config import Config, load
from chathistory.console import render
from chathistory.console.spending import Consent, show_usage, usage_json
from chathistory.domain import Ended, Failed, Finished
from chathistory.encyclopedia import WebClient, article_json, fetch
from chathistory.errors import ChatHistoryError
from chathistory.salon import Archive, Salon, Terms
from chathistory.salon.doctor import examine
from chathistory.salon.logs import log_to
from chathistory.salon.usage import usage_of


@dataclass
class Session:
    """What the options before and after a command add up to."""

    home: Path
    config: Path | None = None
    data: Path | None = None
    as_json: bool = False
    opened: list[Archive] = field(default_factory=list)

    def settings(self) -> Config:
        """Return the configuration: --config, else ./config.toml, else the one beside main.py."""
        if self.config is None and not Path("config.toml").is_file():
            beside = self.home / "config.toml"
            return load(beside if beside.is_file() else None)
        return load(self.config)

    def archive(self) -> Archive:
        """Open the data folder and send the log there."""
        archive = Archive(self.settings(), self.data)
        self.opened.append(archive)
        log_to(archive.data_dir / "log", archive.config.secrets())
        if archive.settings_error is not None:
            click.echo(str(archive.settings_error), err=True)
        return archive


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --data, --config and --json, which may stand before or after its name."""

    def keep(field: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
        def callback(ctx: click.Context, _param: click.Parameter, value: Any) -> Any:
            if value:
                setattr(ctx.find_object(Session), field, value)
            return value

        return callback

    path = click.Path(path_type=Path)
    options = [
        click.option("--data", type=path, expose_value=False, callback=keep("data"), help="数据目录"),
        click.option("--config", type=path, expose_value=False, callback=keep("config"), help="设置文件"),
        click.option("--json", is_flag=True, expose_value=False, callback=keep("as_json"), help="输出 JSON"),
    ]
    for option in options:
        command = option(command)
    return command


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="chathistory")
@_common
@click.pass_context
def cli(ctx: click.Context) -> None:
    """ChatHistory：按名字召来历史人物，与他们群聊。不带命令就打开对话台。"""
    if ctx.invoked_subcommand is None:
        from chathistory.console.repl import Repl

        session: Session = ctx.obj
        Repl(Salon(session.archive())).loop()


@cli.command()
@click.argument("name")
@click.option("--source", default=None, help="sample、wikipedia、baike、auto，或文件、目录的路径")
@click.option("--yes", is_flag=True, help="用大模型时不问，直接花")
@click.option("--retry-failed", is_flag=True, help="再读一遍上次模型没读出来的段落")
@_common
@click.pass_obj
def summon(session: Session, name: str, source: str | None, yes: bool, retry_failed: bool) -> None:
    """召唤一个人物：读百科，建记忆。"""
    salon = Salon(session.archive())
    consent = Consent(yes=yes)
    terms = Terms(consent, retry_failed)
    title = render.follow(salon.summon(name, source, terms), quiet=session.as_json, consent=consent)
    card = next(card for card in salon.cards() if card.name == title)
    if session.as_json:
        _print_json({"name": card.name, "passages": card.passages, "facts": card.facts, "source": card.source})


@cli.command("list")
@_common
@click.pass_obj
def list_(session: Session) -> None:
    """列出召来过的人物。"""
    cards = Salon(session.archive()).cards()
    if session.as_json:
        keys = ("name", "passages", "facts", "online", "source")
        _print_json([{key: getattr(card, key) for key in keys} for card in cards])
    else:
        render.show_cards(cards)


@cli.command()
@click.argument("name_or_path")
@click.option("--source", default=None, help="sample、wikipedia、baike、auto 或 file")
@click.option("--lang", default=None, help="维基百科的语言，如 zh、en")
@_common
@click.pass_obj
def article(session: Session, name_or_path: str, source: str | None, lang: str | None) -> None:
    """读一个条目（名字或文件），看看读出了什么。"""
    config = session.settings()
    table = config.tables.encyclopedia
    cache = (session.data or config.data_dir) / "cache"
    if source is None and Path(name_or_path).exists():
        source = name_or_path
    with WebClient(cache, project_url=table.project_url) as client:
        found = fetch(name_or_path, source, client=client, lang=lang or table.lang)
    if session.as_json:
        _print_json(article_json(found))
    else:
        render.show_article(found)


@cli.command()
@click.argument("name")
@click.argument("question")
@click.option("-k", default=5, show_default=True, type=click.IntRange(1, 100), help="取几段")
@_common
@click.pass_obj
def recall(session: Session, name: str, question: str, k: int) -> None:
    """问一个人物的记忆，看原文和通向它的事实。"""
    found = Salon(session.archive()).recall(name, question, k)
    if session.as_json:
        passages = [
            {
                "id": one.passage.id,
                "text": one.passage.text,
                "score": round(float(one.score), 6),
                "facts": [fact.parts() for fact in one.facts],
            }
            for one in found.recollections
        ]
        _print_json({"passages": passages, "confident": found.confident})
    else:
        render.show_recall(found)


@cli.command()
@click.argument("text")
@click.option("--with", "names", required=True, help="在座的人，用逗号隔开")
@click.option("--mode", type=click.Choice(["judged", "random"]), default=None, help="谁接话：导演判断，或随机")
@click.option("--max-round", type=click.IntRange(1, 50), default=None, help="最多接几句")
@click.option("--seed", type=int, default=None, help="随机数种子")
@_common
@click.pass_obj
def say(session: Session, text: str, names: str, mode: Any, max_round: int | None, seed: int | None) -> None:
    """对在座的人说一句话，听他们回答。"""
    archive = session.archive()
    if seed is not None:
        archive.seed(seed)
    salon = Salon(archive, rng=random.Random(seed))
    for name in names.replace("，", ",").replace("、", ",").split(","):
        if name.strip():
            salon.join(name.strip())
    for note in salon.notes.values():
        click.echo(note, err=True)
    events = salon.say(text, mode, max_round)
    if not session.as_json:
        render.show_talk(events, salon)
        return
    for event in events:
        if isinstance(event, Finished):
            said = event.utterance
            line = {"event": "utterance", "speaker": said.speaker, "text": said.text}
            _print_json(line | {"passages": list(said.passages), "cut": said.cut}, indent=None)
        elif isinstance(event, Failed):
            line = {"event": "failed", "speaker": event.speaker, "error": event.error, "message": event.message}
            _print_json(line, indent=None)
        elif isinstance(event, Ended):
            _print_json({"event": "end", "reason": event.reason}, indent=None)


@cli.command()
@click.argument("name")
@_common
@click.pass_obj
def remove(session: Session, name: str) -> None:
    """把一个人物从数据里删去。"""
    removed = Salon(session.archive()).remove(name)
    if session.as_json:
        _print_json({"removed": removed})
    else:
        click.echo(f"{removed}已离去。")


@cli.command()
@_common
@click.pass_obj
def usage(session: Session) -> None:
    """看大模型用了多少：今天、总共，按任务和模型。"""
    found = usage_of(session.archive())
    if session.as_json:
        _print_json(usage_json(found))
    else:
        show_usage(found)


@cli.command()
@_common
@click.pass_obj
@click.pass_context
def doctor(ctx: click.Context, session: Session) -> None:
    """检查设置、模型、数据库和每个人物。"""
    checks = list(examine(session.archive()))
    if session.as_json:
        _print_json({"checks": [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in checks]})
    else:
        render.show_checks(checks)
    if not all(check.ok for check in checks):
        ctx.exit(1)


def run(argv: list[str], home: Path) -> int:
    """Run a command line; ``home`` is the folder of main.py.

    Returns
    -------
    int
        0; 1 after a named error or Ctrl-C; 2 after wrong use.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    session = Session(home)
    try:
        code = cli.main(argv, prog_name="chathistory", standalone_mode=False, obj=session)
    except click.exceptions.Abort:
        code = _fail(session, "Cancelled", "停下了；做完的都存着，再运行一次会接着做。")
    except KeyboardInterrupt:
        code = _fail(session, "Cancelled", "停下了；做完的都存着，再运行一次会接着做。")
    except click.ClickException as error:
        if session.as_json:
            _fail(session, "UsageError", error.format_message())
        else:
            error.show()
        code = 2
    except ChatHistoryError as error:
        code = _fail(session, type(error).__name__, str(error), getattr(error, "candidates", ()))
    except BrokenPipeError:
        sys.stderr.close()
        code = 1
    finally:
        for archive in session.opened:
            archive.close()
    return code if isinstance(code, int) else 0


def _fail(session: Session, name: str, message: str, candidates: tuple[str, ...] = ()) -> int:
    if session.as_json:
        body: dict[str, Any] = {"error": name, "message": message}
        if candidates:
            body["candidates"] = list(candidates)
        click.echo(json.dumps(body, ensure_ascii=False), err=True)
    else:
        click.echo(f"{name}: {message}", err=True)
        if candidates:
            click.echo("可以试试：" + "、".join(candidates), err=True)
    return 1


def _print_json(value: Any, indent: int | None = 1) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent))
