"""The command line as people and programs use it: output, JSON contracts, exit codes."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chathistory.config import Config, Tables
from chathistory.console import run
from chathistory.console.repl import Repl
from chathistory.salon import Archive, Salon

ROOT = Path(__file__).resolve().parents[1]
Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def data(summoned: Path) -> Path:
    """A data folder with three samples in it."""
    return summoned


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(argv), ROOT)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def parsed(out: str) -> Any:
    return json.loads(out)


def test_list_tells_who_is_there(cli: Cli, data: Path) -> None:
    code, out, _ = cli("list", "--json", "--data", str(data))
    assert code == 0
    rows = parsed(out)
    assert [row["name"] for row in rows] == ["孔子", "苏格拉底", "李白"]
    assert set(rows[0]) == {"name", "passages", "facts", "online", "source"}
    assert rows[0]["passages"] >= 35
    assert rows[0]["facts"] >= 3 * rows[0]["passages"]
    code, out, _ = cli("list", "--data", str(data))
    assert "孔子" in out


def test_options_may_stand_before_the_command(cli: Cli, data: Path) -> None:
    assert cli("--data", str(data), "--json", "list")[1] == cli("list", "--json", "--data", str(data))[1]


def test_article_is_the_contract(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("article", "孔子", "--source", "sample", "--json", "--data", str(tmp_path))
    assert code == 0
    article = parsed(out)
    wanted = {"title", "requested", "sense", "aliases", "birth", "death", "infobox", "sections", "portrait_url"}
    assert wanted | {"source_url", "partial"} <= set(article)
    assert article["birth"]["year"] == -551
    assert "仲尼" in article["aliases"]
    assert sum(len(section["paragraphs"]) for section in article["sections"]) >= 35
    assert all(set(section) == {"title", "level", "paragraphs"} for section in article["sections"])
    assert all(len(pair) == 2 for pair in article["infobox"])
    code, out, _ = cli("article", "孔子", "--source", "sample", "--data", str(tmp_path))
    assert code == 0
    assert "仲尼" in out


def test_article_reads_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "某人.md"
    path.write_text("# 某人\n\n某人（600年－650年）是将军，一生打了三十场仗。\n", encoding="utf-8")
    code, out, _ = cli("article", str(path), "--json", "--data", str(tmp_path))
    assert code == 0
    assert parsed(out)["title"] == "某人"


def test_recall_is_the_contract(cli: Cli, data: Path) -> None:
    code, out, _ = cli("recall", "孔子", "您为什么离开鲁国？", "-k", "4", "--json", "--data", str(data))
    assert code == 0
    found = parsed(out)
    assert set(found) == {"passages", "confident"}
    assert len(found["passages"]) == 4
    assert all(set(one) == {"id", "text", "score", "facts"} for one in found["passages"])
    scores = [one["score"] for one in found["passages"]]
    assert scores == sorted(scores, reverse=True)
    assert any("女乐" in one["text"] or "离开鲁国" in one["text"] for one in found["passages"])
    assert all(len(fact) == 3 for one in found["passages"] for fact in one["facts"])
    code, out, _ = cli("recall", "仲尼", "您为什么离开鲁国？", "--data", str(data))
    assert code == 0
    assert "1." in out


def test_say_prints_one_object_a_line_and_is_repeatable(cli: Cli, data: Path) -> None:
    argv = ("say", "两位怎么看勇敢？", "--with", "孔子，苏格拉底", "--max-round", "3", "--seed", "1", "--json")
    code, out, _ = cli(*argv, "--data", str(data))
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines[-1]["event"] == "end"
    assert lines[-1]["reason"]
    said = lines[:-1]
    assert {line["speaker"] for line in said} == {"孔子", "苏格拉底"}
    assert all(set(line) == {"event", "speaker", "text", "passages", "cut"} for line in said)
    assert cli(*argv, "--data", str(data))[1] == out


def test_say_for_people(cli: Cli, data: Path) -> None:
    code, out, _ = cli("say", "孔子，您的父亲是谁？", "--with", "孔子", "--data", str(data))
    assert code == 0
    assert "叔梁纥" in out
    assert out.startswith("孔子：")


def test_an_error_is_named_on_stderr(cli: Cli, data: Path) -> None:
    code, out, err = cli("recall", "关羽", "？", "--json", "--data", str(data))
    assert (code, out) == (1, "")
    assert json.loads(err)["error"] == "UnknownPersona"
    code, _, err = cli("recall", "关羽", "？", "--data", str(data))
    assert code == 1
    assert "summon 关羽" in err


@pytest.mark.parametrize(
    "argv", [["nonsense"], ["recall", "孔子"], ["say", "你好"], ["recall", "孔子", "?", "-k", "0"], ["list", "--wrong"]]
)
def test_wrong_use_is_exit_code_2(cli: Cli, argv: list[str]) -> None:
    assert cli(*argv)[0] == 2


def test_a_broken_config_is_exit_code_1(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[qa.params]\nppr_dampin = 1\n", encoding="utf-8")
    code, _, err = cli("list", "--config", str(path), "--json")
    assert code == 1
    assert json.loads(err)["error"] == "ConfigError"
    assert "ppr_damping" in json.loads(err)["message"]


@pytest.mark.parametrize("name", ["../../etc", "a/b", "🐉", "孔" * 200, "..", "CON"])
def test_strange_names_are_handled_or_refused_and_never_leave_the_data_folder(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "deep" / "data"
    code, _, err = cli("summon", name, "--source", "sample", "--json", "--data", str(folder))
    assert code == 1
    assert json.loads(err)["error"] in {"BadName", "NotFound"}
    assert {path.name for path in tmp_path.rglob("*")} <= {"deep", "data", "cache", "log"} | {
        path.name for path in folder.rglob("*")
    }


def test_remove_and_doctor(cli: Cli, tmp_path: Path) -> None:
    source = tmp_path / "某人.txt"
    source.write_text("某人是将军。某人在青山学剑十年。\n", encoding="utf-8")
    folder = str(tmp_path / "d")
    assert cli("summon", "某人", "--source", str(source), "--data", folder)[0] == 0
    code, out, _ = cli("doctor", "--json", "--data", folder)
    assert code == 0
    assert all(check["ok"] for check in parsed(out)["checks"])
    assert "数据库" in cli("doctor", "--data", folder)[1]
    assert parsed(cli("remove", "某人", "--json", "--data", folder)[1]) == {"removed": "某人"}
    assert parsed(cli("list", "--json", "--data", folder)[1]) == []
    assert cli("remove", "某人", "--data", folder)[0] == 1
    assert "summon" in cli("list", "--data", folder)[1]


# --- the REPL ---


def repl(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path, text: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    capsys.readouterr()
    assert run(["--data", str(data)], ROOT) == 0
    return capsys.readouterr().out


def test_a_piped_talk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    script = "孔子在吗\n/join 孔子\n/join Socrates\n孔子，您的字是什么？\n/who\n/leave 孔子\n/mode random\nexit\n"
    out = repl(capsys, monkeypatch, data, script)
    assert "在座还没有人" in out
    assert "孔子入座了" in out
    assert "苏格拉底入座了" in out
    assert "仲尼" in out
    assert "孔子离座了" in out
    assert "随机" in out
    assert out.rstrip().endswith("再会。")


def test_the_seeds_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    script = "help\n/join 孔子\nquery\n您的弟子有哪些？\nexit\nqa\n您的弟子有哪些？\nexit\nimport oie | play\nexit\n"
    out = repl(capsys, monkeypatch, data, script)
    assert "/summon" in out
    assert "颜回" in out
    assert out.count("回到谈话。") == 2
    assert "没有要读的" in out


def test_a_line_with_a_bar_in_it_is_talk(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    out = repl(capsys, monkeypatch, data, "/join 孔子\n孔子，您好 | 请多指教\n")
    assert "孔子：" in out


def test_mistakes_are_told_and_the_talk_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    out = repl(capsys, monkeypatch, data, "/nonsense\n/join 关羽\n/summon\n/save\n/mode loud\n/join 孔子\n")
    assert "没有 /nonsense" in out
    assert "UnknownPersona" in out
    assert out.rstrip().endswith("再会。")
    assert "孔子入座了" in out


def test_a_talk_is_saved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path, tmp_path: Path
) -> None:
    script = f"/join 孔子\n孔子，您好。\n/save {tmp_path / 'a.json'}\n/save {tmp_path / 'a.md'}\n"
    repl(capsys, monkeypatch, data, script)
    lines = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert [line["speaker"] for line in lines] == ["用户", "孔子"]
    assert "**孔子**：" in (tmp_path / "a.md").read_text(encoding="utf-8")


def test_summon_and_import_in_the_repl(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "d"
    home = folder / "%E6%9F%90%E7%94%B2"
    home.mkdir(parents=True)
    doc = {"idx": "0", "passage": "某甲在东海钓鱼。", "extracted_entities": ["某甲"]}
    doc["extracted_triples"] = [["某甲", "钓鱼于", "东海"]]
    openie = {"docs": [doc], "avg_ent_chars": 2, "avg_ent_words": 1}
    (home / "openie.json").write_text(json.dumps(openie, ensure_ascii=False), encoding="utf-8")
    source = tmp_path / "赵大山.txt"
    source.write_text("赵大山是大周的将军。赵大山少年时在青山学剑十年。\n", encoding="utf-8")
    out = repl(capsys, monkeypatch, folder, f"import oie\n/summon 赵大山 {source}\n赵大山，您在哪里学剑？\n/who\n")
    assert "读进了 1 个人物" in out
    assert "赵大山入座了" in out
    assert "某甲" in out
    assert "青山" in out


def test_completion_offers_commands_and_names(data: Path) -> None:
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from chathistory.console.completion import NameCompleter

    salon = Salon(Archive(Config(Tables(), ROOT), data))
    salon.join("孔子")
    completer = NameCompleter(salon, [*Repl(salon)._slash, "exit"])

    def offered(text: str) -> list[str]:
        return [one.text for one in completer.get_completions(Document(text), CompleteEvent())]

    assert "/join" in offered("/j")
    assert offered("/join 苏") == ["苏格拉底"]
    assert offered("/leave 孔") == ["孔子"]
    assert offered("/mode r") == ["random"]
    assert "牛顿" in offered("/summon 牛")
    assert offered("你好 ") == []


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "list", "--json", "--data", str(tmp_path)],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout.decode("utf-8")) == []
