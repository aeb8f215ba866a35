"""``journal witness``: what each witness has cosigned last, and what it answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import main
from tests.control.support import controller

AT = 1_790_000_000
W1 = {"name": "w1", "required": True, "size": 36, "time": AT, "answer": "200", "answered": AT}
NONE = {"size": None, "time": None, "answered": None}


def told(
    path: Path, capsys: pytest.CaptureFixture[str], journal: dict[str, object], *options: str
) -> str:
    with controller(path, {"journal": journal}):
        assert main(["--socket", str(path), *options, "journal", "witness"]) == 0
    return capsys.readouterr().out


def test_each_is_told_with_size_time_and_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "control.sock"
    w2 = {"name": "w2", "required": False, **NONE, "answer": "404 unknown log", "answered": AT}
    w3 = {"name": "w3", "required": False, **NONE, "answer": None}
    journal: dict[str, object] = {"witnesses": [W1, w2, w3]}
    head, *rows = told(path, capsys, journal).splitlines()
    assert head.split() == ["witness", "entries", "cosigned", "it", "answered"]
    assert " ".join(rows[0].split()) == (
        "w1 (required) 36 2026-09-21T14:13:20+00:00 200 (2026-09-21T14:13:20+00:00)"
    )
    assert " ".join(rows[1].split()).startswith("w2 none - 404 unknown log (2026")
    assert " ".join(rows[2].split()) == "w3 none - nothing was told since the start"
    assert json.loads(told(path, capsys, journal, "--json")) == journal


def test_a_table_without_witnesses_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So does a controller of an earlier version."""
    said = told(tmp_path / "control.sock", capsys, {})
    assert said == "the configuration names no witness ([[witness]])\n"
