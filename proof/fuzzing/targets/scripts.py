"""Round scripts: a result, or an error with its status: cannot be read, or not permitted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from controller.files.rules import rules_in
from controller.game.round.refusal import Refused
from controller.game.scripts.runner import StepRefused, run_script, tell_script
from controller.game.scripts.script import MalformedScript, ScriptKeys, read_json, read_script
from controller.sheets.accounts import account
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import ROOT, Target

STEPS = (
    *("hit 1", "! hit 1", "stand 1", "stand 2", "double 1 10", "double 1b 5", "split 1", "press 1"),
    *(
        "done",
        "insure 1 5",
        "insure 2@1 5",
        "overdraw",
        "absent 1",
        "follow 1b",
        "keep 1",
        "buy 1 5",
    ),
    *(
        "nominate 1 staff",
        "nominate 1 2",
        "withdraw 1",
        "surrender 1",
        "free 1",
        "place 1b 2",
        "void",
    ),
    *(
        "report card",
        "report misplaced",
        "report uncovered",
        "use",
        "discard",
        "card 9D",
        "sing",
        "",
    ),
)
CARDS = ("AS", "KD", "TC", "9H", "9H^", "9H&", "2C%", "5D^%&", "??", "1X", "QS", "8C", "3D", "7H")
VALUES: tuple[object, ...] = (
    *(0, 1, 2, -1, 10, 0.01, 1e300, 10**30, True, None, "", "x", "a", "c", "d", "\ud800", [], {}),
    *([25], [100, 2], [[]], "division-15-pontoon", "rws-pontoon-plus-v5", "../..", "/dev/null"),
    *({"min": 1, "max": 2}, {"box": 1, "main": 10}, {"box": 1, "bettor": "b", "main": 10}),
)
MOST_OF_EACH = 40
MOST_EDITS = 4

Tree = dict[str, Any]


@cache
def bases() -> tuple[str, ...]:
    """Scripts that run, or stop at a step."""
    found: list[str] = []
    for path in sorted((ROOT / "tests" / "rounds").glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for line in lines[:: max(1, len(lines) // MOST_OF_EACH)]:
            found.append(json.dumps(json.loads(line)["script"]))
    return tuple(found)


def _changed(choices: Choices, items: list[Any], parts: Sequence[Any]) -> None:
    """One item more, less, or another. An edit before may have left something else there, to which
    some releases of Python take a slice as a key."""
    if not isinstance(items, list):
        raise TypeError
    at = choices.below(len(items) + 1)
    items[at : at + choices.below(2)] = [choices.among(parts)] * choices.below(3)


def _edit(choices: Choices, script: Tree) -> None:
    match choices.below(8):
        case 0 | 1 | 2:
            _changed(choices, script.setdefault("steps", []), STEPS)
        case 3 | 4:
            words = str(script.get("shoe", "")).split()
            _changed(choices, words, CARDS)
            script["shoe"] = " ".join(words)
        case 5:
            _changed(choices, script.setdefault("multipliers", []), (2, 3, 5, 25, 100, 7, "x"))
        case 6:
            wagers = script.get("wagers") or [{}]
            wager = choices.among(wagers)
            keys = ("box", "bettor", "main", "pair", "pandemonium", "bonus", "x")
            wager[choices.among(keys)] = deepcopy(choices.among(VALUES))
        case 7:
            script[choices.among(ScriptKeys.__slots__)] = deepcopy(choices.among(VALUES))


def text_of(data: bytes) -> str:
    """The script that bytes stand for: one that is right, edited; or the bytes as text."""
    choices = Choices(data)
    base = choices.below(256) % (len(bases()) + 1)
    if base == len(bases()):
        return choices.raw(len(data)).decode("utf-8", "replace")
    script: Tree = json.loads(bases()[base])
    try:
        for _ in range(choices.below(MOST_EDITS) + 1):
            _edit(choices, script)
    except (AttributeError, LookupError, TypeError):
        pass  # an edit before it has left nothing there to edit
    return json.dumps(script)


_RULES = rules_in(Path(ROOT / "config" / "rules"))


def run_bytes(data: bytes) -> int:
    """One script."""
    try:
        script = read_script(read_json(text_of(data)), _RULES)
        result = run_script(script)
        told = tell_script(script)
    except MalformedScript as bad:
        said = str(bad)
    except StepRefused as refused:
        said = refused.state and refused.refused.reason
        steps = range(len(script.steps))
        said = said if refused.index is None or refused.index in steps else ""
    except Refused as refused:
        said = refused.reason
    else:
        json.dumps(result, allow_nan=False)
        assert told[0] == result
        said = "".join(account(*told))
    assert said, "an error without a reason, or a result without an account"
    return 1


def seeds() -> list[bytes]:
    """Scripts, edited here and there."""
    return [bytes([n, 2, n % 8, n, 1, 1, n, 3, n, 1, 1, n]) for n in range(0, 250, 5)]


TARGET = Target("scripts", "scripts", run_bytes, seeds, most_bytes=256)
