"""Every round worked out by hand comes out the same at a live table: what goes wrong twice in one
round from the keypad, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hil_tests.bench.interface import Json
from hil_tests.tables.scripted import as_it_stands
from tests.table.live.scripted import LiveScript
from tests.table.live.settled import settled_in_full

ROUNDS = Path(__file__).resolve().parents[2] / "rounds"


def _rounds(pattern: str) -> list[Any]:
    found = []
    for path in sorted(ROUNDS.glob(pattern)):
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if "expect" in line:
                found.append(pytest.param(line, id=f"{path.stem}: {line['script']['title']}"))
    return found


@pytest.mark.parametrize("line", _rounds("*.jsonl"))
def test_comes_out_the_same_at_a_live_table(line: Json) -> None:
    _comes_out(line, keyed=False)


@pytest.mark.parametrize("line", _rounds("*-two.jsonl"))
def test_comes_out_the_same_from_the_keypad(line: Json) -> None:
    _comes_out(line, keyed=True)


def _comes_out(line: Json, *, keyed: bool) -> None:
    script = line["script"]
    table, result = LiveScript.result(script, keyed=keyed)
    found, expected = [
        {**told, "settlements": as_it_stands(script, told["settlements"])}
        for told in (result, line["expect"])
    ]
    assert json.dumps(found, indent=1) == json.dumps(expected, indent=1)
    if result["outcome"] == "settled":
        settled_in_full(table.live.table)
