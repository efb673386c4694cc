"""Scenes and raw answers with known outcomes, run through the real judge and the real reader.

    python -m benchmarks.director FILE [--json]

FILE holds ``scenes`` (roster, history, last_speaker, expect, forbid) and ``parse_cases`` (roster, model_output,
expect).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from chathistory.director import EmbeddedJudge, choose, read_choice
from chathistory.domain import Line, Member, Scene


def scene_of(case: dict[str, Any]) -> Scene:
    """Return the Scene of one case; ``spoken`` counts the lines since the user's last one."""
    history = tuple(Line(line["speaker"], line["text"]) for line in case["history"])
    users = [i for i, line in enumerate(history) if line.speaker == "用户"]
    spoken = len(history) - 1 - users[-1] if users else len(history)
    return Scene(members(case), history, case.get("last_speaker"), None, spoken)


def members(case: dict[str, Any]) -> tuple[Member, ...]:
    """Return the roster of one case."""
    return tuple(
        Member(
            m["name"],
            tuple(m.get("aliases", ())),
            m.get("online", True),
            m.get("muted", False),
            m.get("talkativeness", 0.5),
        )
        for m in case["roster"]
    )


def run(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the counts and one line a wrong case."""
    wrong: list[str] = []
    told: list[str] = []
    scenes, parses = data.get("scenes", []), data.get("parse_cases", [])
    for case in scenes:
        choice = choose(scene_of(case), EmbeddedJudge())
        right = choice.name in case["expect"] and choice.name not in case.get("forbid", ())
        if not right:
            wrong.append(case["id"])
            told.append(
                f"{case['id']} {case['category']}: {choice.name}（{choice.reason}），应为 {case['expect']}："
                f"{case['history'][-1:]}"
            )
    scenes_wrong = len(wrong)
    for case in parses:
        read = read_choice(case["model_output"], members(case), case.get("numbered", False))
        if read != case["expect"]:
            wrong.append(case["id"])
            told.append(f"{case['id']} {case['category']}: {read}，应为 {case['expect']}：{case['model_output']!r}")
    counts = {
        "scenes": len(scenes),
        "scenes_right": len(scenes) - scenes_wrong,
        "parse_cases": len(parses),
        "parse_right": len(parses) - (len(wrong) - scenes_wrong),
        "wrong": wrong,
    }
    return counts, told


def main(argv: list[str] | None = None) -> int:
    """Run one file; 0 when it could be read."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.director", description="谁接着说：场景与模型答复")
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true", help="只输出一行 JSON")
    args = parser.parse_args(argv)
    try:
        data = json.loads(args.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"读不了 {args.file}：{error}\n")
        return 1
    counts, told = run(data)
    if args.json:
        print(json.dumps(counts, ensure_ascii=False))
        return 0
    print(f"场景 {counts['scenes_right']}/{counts['scenes']}，答复 {counts['parse_right']}/{counts['parse_cases']}")
    print("\n".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
