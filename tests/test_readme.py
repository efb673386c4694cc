"""The README tells the truth: its commands exist, its files are there."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import click
import pytest

from chathistory.config import Config, Tables
from chathistory.console.commands import cli
from chathistory.domain import Finished
from chathistory.salon import Archive, Salon

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = [line.strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
STEPS = [shlex.split(step) for line in LINES for step in line.split("&&")]


def test_the_two_commands_that_start_it_stand_in_the_readme() -> None:
    assert "pip install -e . && streamlit run sl_UI.py" in LINES
    assert "pip install -e . && python main.py" in LINES
    assert "pip install -e '.[test]' && python -m pytest" in LINES


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_every_command_in_the_readme_exists(step: list[str]) -> None:
    if step[:2] == ["pip", "install"]:
        extra = re.search(r"\[(\w+)\]", step[-1])
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert extra is None or extra.group(1) in project["optional-dependencies"]
    elif step[:2] == ["streamlit", "run"]:
        assert (ROOT / step[2]).is_file()
    elif step[0] == "python" and step[1] == "main.py":
        assert (ROOT / "main.py").is_file()
        if len(step) > 2:
            command = cli.commands[step[2]]
            known = {name for option in command.params for name in [*option.opts, *option.secondary_opts]}
            used = {word for word in step[3:] if word.startswith("-")}
            assert used <= known, f"{step[2]} has no {used - known}"
            words = [word for word in step[3:] if not word.startswith("-")]
            needed = sum(isinstance(p, click.Argument) and p.required for p in command.params)
            assert len(words) >= needed
    elif step[:2] == ["python", "-m"]:
        assert step[2] in ("pytest",) or (ROOT / step[2].replace(".", "/")).with_suffix(".py").is_file()
    else:
        pytest.fail(f"the README names a command that this test does not know: {step}")


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make (\w+)`", README))))
def test_every_make_target_in_the_readme_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_installed_command_is_main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"chathistory": "main:main"}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:docs/|\.ci/|data/)?[\w./-]+\.(?:md|toml))`", README))))
def test_every_file_named_in_the_readme_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


def test_the_readmes_first_talk_is_worth_showing(summoned: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(summoned, data)
    prompts = re.findall(r"^🏯ChatHistory> (.+)$", README, re.MULTILINE)
    names = [prompt.removeprefix("/summon ") for prompt in prompts if prompt.startswith("/summon ")]
    [question] = [prompt for prompt in prompts if not prompt.startswith("/")]
    archive = Archive(Config(Tables(), data), data)
    salon = Salon(archive)
    for name in names:
        salon.join(name)
    said = [event.utterance for event in salon.say(question) if isinstance(event, Finished)]
    assert {line.speaker for line in said} == set(names)
    assert all(line.passages and "智慧" in line.text for line in said)
    archive.close()
