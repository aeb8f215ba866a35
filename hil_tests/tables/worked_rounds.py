"""The rounds that were worked out by hand (tests/rounds), for tables that deal them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Final

from hil_tests.bench.interface import Json
from hil_tests.people.dealer import Dealer
from hil_tests.people.record import result_of
from hil_tests.tables.scripted import as_it_stands, boxes_of

ROUNDS: Final = Path(__file__).resolve().parents[2] / "tests" / "rounds"
WORD: Final = re.compile(r"(?<!\S)[a-z][a-z-]*(?!\S)")
MARK: Final = re.compile(r"[^0-9A-Z ]")
WRONG: Final = frozenset({"report", "correct", "lies", "void", "void-hand", "overdraw"})
"""Steps of a round in which something goes wrong."""


def worked_lines(parse: Callable[[str], Any] = json.loads) -> dict[str, list[Json]]:
    """All of them, by the names of their files: ``script``, and ``expect`` or ``error``; as
    ``parse`` has numbers."""
    return {
        path.stem: [parse(text) for text in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(ROUNDS.glob("*.jsonl"))
    }


def worked_rounds(parse: Callable[[str], Any] = json.loads) -> dict[str, list[Json]]:
    """Those that end in a result."""
    every = worked_lines(parse).items()
    return {name: [line for line in lines if "expect" in line] for name, lines in every}


def goes_wrong(line: Json) -> bool:
    """Whether something goes wrong in that round."""
    script = line["script"]
    steps = {step.removeprefix("! ").split()[0] for step in script["steps"]}
    return bool(MARK.search(script["shoe"]) or steps & WRONG)


def ways(line: Json) -> set[Hashable]:
    """What of a round is a message of its own, or an answer."""
    script, expected = line["script"], line["expect"]
    rules = script["rules"]
    return {
        *((rules, *WORD.findall(step)) for step in script["steps"]),
        *((rules, mark) for mark in MARK.findall(script["shoe"])),
        *((rules, key) for wager in script["wagers"] for key in wager),
        *((told["kind"], told["outcome"]) for told in expected["settlements"]),
        (rules, expected["outcome"]),
    }


def sample(rounds: list[Json], most: int | None = None) -> list[Json]:
    """Those that together go every way, in their order; the richest are taken first, and no more
    than ``most``."""
    known: set[Hashable] = set()
    taken: list[Json] = []
    for line in sorted(rounds, key=lambda line: -len(ways(line))):
        if not ways(line) <= known and len(taken) != most:
            known |= ways(line)
            taken.append(line)
    return sorted(taken, key=rounds.index)


def assert_as_worked_out(line: Json, dealer: Dealer, state: Json) -> None:
    """The round has come to what was worked out, with the multipliers that the table drew."""
    script, expected = line["script"], line["expect"]
    drawn = dealer.record.multipliers
    if drawn:
        expected = result_of({**script, "multipliers": drawn})
    assert state["state"] == expected["outcome"]
    settled = as_it_stands(script, state["settlements"])
    assert settled == as_it_stands(script, expected["settlements"])
    assert state["dealer"] == expected["dealer"]
    assert boxes_of(state) == expected["boxes"]
