"""Every round worked out by hand comes out the same at a live table: what goes wrong two and three
times in one round, and what was once not put right, from the keypad, too."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from controller.files.rules import load_rules
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import read_json, read_script
from hil_tests.bench.interface import Json
from hil_tests.tables.scripted import as_it_stands
from tests.table.live.random_scripts import random_script
from tests.table.live.scripted import LiveScript
from tests.table.live.settled import settled_in_full

SEEDS = int(os.environ.get("TABLE_WALKS", "33"))
"""Of rounds at random; every script tells its seed."""

ROUNDS = Path(__file__).resolve().parents[2] / "rounds"

KEYED = ("*-two.jsonl", "*-three.jsonl", "*-put-right.jsonl")


def _rounds(*patterns: str) -> list[Any]:
    found = []
    for path in sorted(path for pattern in patterns for path in ROUNDS.glob(pattern)):
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            title = line["script"]["title"]
            if "expect" in line:
                found.append(pytest.param(line, id=f"{path.stem}: {title}"))
    return found


@pytest.mark.parametrize("line", _rounds("*.jsonl"))
def test_comes_out_the_same_at_a_live_table(line: Json) -> None:
    _comes_out(line, keyed=False)


@pytest.mark.parametrize("line", _rounds(*KEYED))
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


@pytest.mark.parametrize("first", range(0, SEEDS, 50))
def test_whatever_goes_wrong_comes_out_as_in_a_script(first: int) -> None:
    compared = 0
    for seed in range(first, first + 50):
        script = random_script(seed)
        if script is None:
            continue
        expected = run_script(read_script(read_json(json.dumps(script)), load_rules))
        _comes_out({"script": script, "expect": expected}, keyed=False)
        compared += 1
    assert compared > 25
