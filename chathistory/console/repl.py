"""The console salon: plain text goes to the talk, the seed's commands and /commands steer it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from chathistory.console import render
from chathistory.console.spending import Consent
from chathistory.domain import USER
from chathistory.encyclopedia import sample_names
from chathistory.errors import ChatHistoryError
from chathistory.salon import Mode, Salon, Terms
from chathistory.store import write_atomically, write_json

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

_PROMPT = "🏯ChatHistory> "
_WORDS = ("help", "import oie", "query", "qa", "play", "exit")
HELP = """\
直接打字，就是对在座的人说话。
  /summon 名字 [来源]   召来一个人物并请他入座（来源：sample、wikipedia、baike 或文件路径）
  /join 名字  /leave 名字  入座、离座，谈话中随时可以
  /who                  谁召来过，谁在座
  /mode judged|random   导演判断谁接话，或随机
  /save 文件            把谈话存成文件（.json 或 .md）
  query                 只看记忆：每行一个问题，列出原文和事实
  qa                    问答：回答后面附上原文
  play                  回到谈话
  import oie            把 data/ 里旧版的 openie.json 读进来
  help  exit            帮助、退出（在 query、qa 里 exit 是回到谈话）
几个命令可以用 | 连写，例如：import oie | query"""


class Repl:
    """Reads lines until exit or the end of the input; works without a terminal too."""

    def __init__(self, salon: Salon) -> None:
        self._salon = salon
        self._mode: Mode = salon.archive.config.tables.salon.mode
        self._state = "play"
        self._out = render.console()
        self._slash: dict[str, Callable[[str], None]] = {
            "/summon": self._summon,
            "/join": lambda rest: self._seat(rest, "入座了。"),
            "/leave": lambda rest: self._tell(f"{self._salon.leave(rest)}离座了。"),
            "/who": lambda rest: render.show_cards(self._salon.cards()),
            "/mode": self._set_mode,
            "/save": self._save,
            "/help": lambda rest: self._tell(HELP),
        }

    def loop(self) -> None:
        """Run until exit; Ctrl-C stops what is running, not the program."""
        self._welcome()
        for line in self._lines():
            try:
                if not self.handle(line):
                    return
            except ChatHistoryError as error:
                self._tell(f"{type(error).__name__}: {error}")
                candidates = getattr(error, "candidates", ())
                if candidates:
                    self._tell("可以试试：" + "、".join(candidates))
            except KeyboardInterrupt:
                self._tell("\n停下了。")
        self._tell("再会。")

    def handle(self, line: str) -> bool:
        """Do one line; False when the user wants to go."""
        line = line.strip()
        parts = [part.strip().lower() for part in line.split("|")]
        if line and all(part in _WORDS or not part for part in parts):
            return all(self._word(part) for part in parts if part)
        command, _, rest = line.partition(" ")
        if command.startswith("/"):
            if command.lower() in ("/exit", "/quit"):
                self._tell("再会。")
                return False
            action = self._slash.get(command.lower())
            if action is None:
                self._tell(f"没有 {command} 这个命令。输入 help 看有哪些。")
            else:
                action(rest.strip())
        elif line:
            self._plain(line)
        return True

    def _word(self, word: str) -> bool:
        if word == "exit":
            if self._state != "play":
                self._state = "play"
                self._tell("回到谈话。")
                return True
            self._tell("再会。")
            return False
        if word == "help":
            self._tell(HELP)
        elif word == "import oie":
            self._import_oie()
        else:
            self._state = word
            hints = {
                "query": "只看记忆：输入问题，exit 返回。",
                "qa": "问答：输入问题，exit 返回。",
                "play": "谈话：请说。",
            }
            self._tell(hints[word])
        return True

    def _plain(self, line: str) -> None:
        if not self._salon.online:
            self._tell("在座还没有人。" + self._suggestion())
        elif self._state == "query":
            for name in self._salon.online:
                self._tell(f"【{name}】")
                render.show_recall(self._salon.recall(name, line), limit=5)
        else:
            render.show_talk(self._salon.say(line, self._mode), self._salon)
            if self._state == "qa":
                for said in takewhile(lambda said: said.speaker != USER, reversed(self._salon.history())):
                    render.show_passages(self._salon, said)

    def _summon(self, rest: str) -> None:
        if not rest:
            self._tell("要召谁？例如：/summon 孔子")
            return
        name, source = rest, None
        head, _, tail = rest.rpartition(" ")
        if head and (tail in ("sample", "wikipedia", "baike", "auto") or Path(tail).exists()):
            name, source = head.strip(), tail
        consent = Consent()
        title = render.follow(self._salon.summon(name, source, Terms(consent)), consent=consent)
        self._seat(title, "入座了，请说。")

    def _seat(self, name: str, words: str) -> None:
        name = self._salon.join(name)
        self._tell(f"{name}{words}")
        if name in self._salon.notes:
            self._tell(self._salon.notes[name])

    def _import_oie(self) -> None:
        archive = self._salon.archive
        known = {row.folder for row in archive.rows()}
        homes = [path.parent for path in sorted(archive.data_dir.glob(f"*/{archive.folder.openie_name}"))]
        new = [home for home in homes if home.name not in known]
        for home in new:
            name = archive.folder.names().get(home.name) or unquote(home.name)
            render.follow(self._salon.summon(name, str(home)))
        self._tell(f"读进了 {len(new)} 个人物。" if new else "没有要读的 openie.json：都读过了，或 data/ 里没有。")

    def _set_mode(self, rest: str) -> None:
        if rest in ("judged", "random"):
            self._mode = rest  # type: ignore[assignment]
            self._tell("导演来判断谁接话。" if rest == "judged" else "在座的人里随机接话。")
        else:
            self._tell(f"现在是 {self._mode}。可选：/mode judged 或 /mode random")

    def _save(self, rest: str) -> None:
        if not rest:
            self._tell("存到哪个文件？例如：/save 谈话.md")
            return
        path = Path(rest).expanduser()
        lines = self._salon.history()
        if path.suffix.lower() == ".json":
            keys = ("id", "speaker", "text", "passages", "cut", "at")
            write_json(path, [{key: getattr(line, key) for key in keys} for line in lines])
        else:
            text = "\n\n".join(f"**{line.speaker}**：{line.text}" for line in lines) + "\n"
            write_atomically(path, text.encode("utf-8"))
        self._tell(f"存好了：{path}（{len(lines)} 句）")

    def _welcome(self) -> None:
        if not sys.stdin.isatty():
            return
        self._tell("🏯 ChatHistory：与历史人物群聊。输入 help 看命令。")
        makers_note = "现在的回答摘自原文（未接大模型）；在 config.toml 里写上 [[llm_providers]] 就能换成大模型。"
        if self._salon.archive.extractive:
            self._tell(makers_note)
        names = [card.name for card in self._salon.cards() if card.ready]
        self._tell(f"召来过的人：{'、'.join(names)}（/join 名字 请入座）" if names else self._suggestion())

    def _suggestion(self) -> str:
        ready = [card.name for card in self._salon.cards() if card.ready]
        if ready:
            return f"请人入座：/join {ready[0]}"
        return f"先召一位：/summon {sample_names()[0]}（自带的还有：{'、'.join(sample_names()[1:])}）"

    def _tell(self, text: str) -> None:
        self._out.print(text, markup=False)

    def _lines(self) -> Iterator[str]:
        if sys.stdin.isatty() and sys.stdout.isatty():
            yield from self._terminal_lines()
            return
        yield from sys.stdin

    def _terminal_lines(self) -> Iterator[str]:
        session = self._session()
        while True:
            try:
                yield session.prompt(_PROMPT)
            except KeyboardInterrupt:
                self._tell("（输入 exit 退出）")
            except EOFError:
                return

    def _session(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        from chathistory.console.completion import NameCompleter

        history = self._salon.archive.data_dir / "log" / "console_history"
        history.parent.mkdir(parents=True, exist_ok=True)
        completer = NameCompleter(self._salon, [*self._slash, *_WORDS])
        return PromptSession(history=FileHistory(str(history)), completer=completer, complete_while_typing=False)
