"""The benchmark of the page readers runs and tells the truth about what is missing."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from benchmarks import article

PAGE = Path(__file__).parent / "fixtures" / "encyclopedia" / "baidu_old.html"


def test_it_measures_every_reader_that_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert article.main([str(PAGE), "--json", "--repeat", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == PAGE.name
    assert set(found["readers"]) == set(article.NAMES)
    for name in ("chathistory", "beautifulsoup"):
        assert found["readers"][name]["seconds"] > 0
        assert found["readers"][name]["characters"] > 100
    assert (found["readers"]["trafilatura"] is None) == (importlib.util.find_spec("trafilatura") is None)
    assert found["ratio_to_beautifulsoup"] > 0


def test_a_missing_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert article.main(["nowhere.html"]) == 1
    assert "nowhere.html" in capsys.readouterr().err
