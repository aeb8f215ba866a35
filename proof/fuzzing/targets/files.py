"""What people write down: configuration files, rule files and round scripts.

It is read, or every fault of it is told in printable words. Of a rule file reading is not all: one
that passes every check and stops the table in the middle of a round would be found by players, so
what was read is played for a while. A script has a result, or an error with its status: cannot be
read, or not permitted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.files.rules import read_rules, rule_files, rules_in
from controller.game.round.refusal import Refused
from controller.game.rules.loader import RulesError
from controller.game.scripts.runner import StepRefused, run_script, tell_script
from controller.game.scripts.script import MalformedScript, ScriptKeys, read_json, read_script
from controller.sheets.accounts import account
from pages.table.played_tables import published_text
from proof.fuzzing.choices import HOSTILE, RAW, Choices, text_of
from proof.fuzzing.target import ROOT, Target
from proof.fuzzing.targets.commands import go_on, opened

Read = TypeVar("Read")

_EXAMPLE = (ROOT / "config" / "table.example.toml").read_text(encoding="utf-8")
_LINES = (line for line in _EXAMPLE.splitlines() if line.strip() and not line.startswith("#"))
CONFIGURATION = "\n".join(_LINES)
OF_CONFIGURATION = (
    *HOSTILE,
    *('"1209:0001"', '"1209:0001:A"', '"division-15-pontoon"', "{ 2 = 0 }", "{ 100 = 1, 2 = 900 }"),
    *("[table]", "[devices.shoe]", "[devices.x]", "[[table]]", "[table.x]", "x = 1", '"/dev/null"'),
)
RULES = tuple(path.read_text(encoding="utf-8") for path in rule_files().values())
OF_RULES = (
    *HOSTILE,
    *('"none"', '"any"', '"bank"', '"first"', "[1, 1]", "[3, 2]", "[2, 25]", "[21]", "52", "21"),
    *('["pair"]', '["pandemonium"]', '["pair", "pandemonium"]', "false", "{ value = 1 }", "[x]"),
)
MOST_STEPS = 40


def _read_file(read: Callable[[Path], Read], text: bytes) -> Read | None:
    """What is read of a file with that text; None where its faults are told."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "file.toml"
        path.write_bytes(text)
        try:
            return read(path)
        except (BadConfiguration, RulesError) as error:
            faults = error.faults
    assert faults
    assert all(fault.isprintable() for fault in faults), faults
    return None


def read_configuration(data: bytes) -> int:
    """One configuration."""
    _read_file(load_configuration, text_of(data, (CONFIGURATION,), OF_CONFIGURATION, "\n"))
    return 1


def play_rules(data: bytes) -> int:
    """One rule file, and some play by it."""
    rules = _read_file(read_rules, text_of(data, RULES, OF_RULES, "\n"))
    if rules is not None:
        choices = Choices(bytes(reversed(data)) * 4)
        played = opened(rules)
        for _ in range(MOST_STEPS):
            go_on(choices, played)
            published_text(played.table)
    return 1


# ---- round scripts ------------------------------------------------------------------------------

STEPS = (
    *("hit 1", "! hit 1", "stand 1", "stand 2", "double 1 10", "double 1b 5", "split 1", "press 1"),
    *("done", "insure 1 5", "insure 2@1 5", "overdraw", "absent 1", "follow 1b", "keep 1"),
    *("buy 1 5", "nominate 1 staff", "nominate 1 2", "withdraw 1", "surrender 1", "free 1"),
    *("place 1b 2", "void", "report card", "report misplaced", "report uncovered", "use"),
    *("discard", "card 9D", "sing", ""),
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
    files = sorted((ROOT / "tests" / "rounds").glob("*.jsonl"))
    texts = (path.read_text(encoding="utf-8").splitlines() for path in files)
    taken = (line for lines in texts for line in lines[:: max(1, len(lines) // MOST_OF_EACH)])
    return tuple(json.dumps(json.loads(line)["script"]) for line in taken)


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


def script_of(data: bytes) -> str:
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


def play_script(data: bytes) -> int:
    """One script."""
    try:
        script = read_script(read_json(script_of(data)), _RULES)
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


def _configurations() -> list[bytes]:
    """The example, as it is and edited."""
    return [
        bytes([RAW]) + CONFIGURATION.encode(),
        *(bytes([0, 0, n, 5 * n, 7, n]) for n in range(12)),
    ]


def _rule_files() -> list[bytes]:
    """The files that come with the controller, as they are and edited."""
    return [bytes([RAW]) + RULES[0].encode()[:20000]] + [
        bytes([0, base, base + n, 30 * n, 7, n, n]) for base in range(len(RULES)) for n in range(6)
    ]


def _scripts() -> list[bytes]:
    """Scripts, edited here and there."""
    return [bytes([n, 2, n % 8, n, 1, 1, n, 3, n, 1, 1, n]) for n in range(0, 250, 5)]


TARGETS = (
    Target("configuration", "files", read_configuration, _configurations, most_bytes=6000),
    Target("rules", "files", play_rules, _rule_files, most_bytes=256),
    Target("scripts", "scripts", play_script, _scripts, most_bytes=256),
)
