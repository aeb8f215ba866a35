"""What was entered and dealt at a live table, recorded as a round script.

The script is another way to the same settlements: :meth:`Record.expected` plays it with
:mod:`controller.game.scripts`, and the result must be what the table settled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from controller.files.rules import rules_in
from controller.game.commands.command import first_word
from controller.game.commands.verbs import VERBS, Family
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import read_json, read_script
from hil_tests.bench.interface import Json

HERE = Path(__file__).resolve().parent
NOT_IN_SCRIPTS = {name for name, row in VERBS.items() if row.part is Family.TABLE} | {"done", "hit"}
"""Entries of a live table that a script has no word for, or that it does by itself."""


@cache
def rules_by_name() -> Any:
    """A loader of rule sets, each read once."""
    return rules_in(HERE)


@dataclass(slots=True)
class Record:
    """One round: its wagers as they stood when bets closed, its cards, presses and decisions."""

    rules: str
    limits: tuple[int, int]
    wagers: list[Json] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    multipliers: list[int] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def close(self, boxes: Json) -> None:
        """Note the wagers, from the status as bets are closed."""
        self.wagers = [
            {"box": int(box), "bettor": bettor}
            | {kind: float(amount) for kind, amount in placed.items()}
            for box, shown in boxes.items()
            for bettor, placed in shown["wagers"].items()
        ]

    def note_command(self, command: str) -> None:
        """Note a decision."""
        if first_word(command) not in NOT_IN_SCRIPTS:
            self.steps.append(command)

    def taken_back(self) -> None:
        """Forget the last decision."""
        self.steps.pop()

    def card(self, card: str, before: Json) -> None:
        """Note a card, and that it was a hit where the hand could have stood (``before``: the
        status when it left the shoe)."""
        if before["state"] != "play.forced_card":
            self.steps += [one["text"] for one in before["actions"] if one["verb"] == "hit"]
        self.cards.append(card)

    def press(self, box: int, multiplier: int) -> None:
        """Note a press and what the meter showed."""
        self.steps.append(f"press {box}")
        self.multipliers.append(multiplier)

    def script(self, title: str = "as played") -> Json:
        """The round script."""
        return {
            "title": title,
            "rules": self.rules,
            "wagers": self.wagers,
            "shoe": " ".join(self.cards),
            "multipliers": self.multipliers,
            "steps": self.steps,
            "limits": {"min": self.limits[0], "max": self.limits[1]},
        }

    def expected(self) -> Json:
        """The result that the round must have had."""
        return result_of(self.script())


def result_of(script: Json) -> Json:
    """The result of a round script."""
    return dict(run_script(read_script(read_json(json.dumps(script)), rules_by_name())))
