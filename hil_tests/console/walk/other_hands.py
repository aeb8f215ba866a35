"""Whoever else is at the table that a finger walks over: cards are drawn, the button is pressed,
and somebody at another screen gives commands."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from typing import Final

from controller.control.client import NoController, RefusedByController
from hil_tests.bench.interface import Json
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.people.dealer import stack_whole_set
from hil_tests.people.shoe_hand import script_card
from simulators.hands import HandsError

DRAWS: Final = 0.85
HELD_FOR: Final = 6
SAME_FOR: Final = 12
"""Looks at a table that is held, or as it was, before somebody at another screen helps."""
ROUNDS_OF_A_SHOE: Final = 12


class OtherHands:
    """They work at ``table``, by chance."""

    def __init__(self, table: ConsoleBesideTable, source: random.Random) -> None:
        self._dealer = table.dealer
        self._random = source
        self._held = self._same = 0
        self._at = -1
        self._loaded_in = 0
        self.done: Counter[str] = Counter()

    def lost(self) -> None:
        """The controller was killed."""
        self._dealer.bench.hang_up()

    def go_on(self) -> None:
        """What has to be done beside the page, so that play goes on."""
        status = self._dealer.status
        self._same = self._same + 1 if status["at"] == self._at else 0
        self._held = self._held + 1 if status["held"] else 0
        self._at = status["at"]
        if status["state"] == "idle" and status["round"] - self._loaded_in >= ROUNDS_OF_A_SHOE:
            self._load(status["round"])
        elif status["held"] and self._held > HELD_FOR:
            self._held = 0
            self._supervise(status)
        elif status["awaiting"] in ("card", "press") and self._random.random() < DRAWS:
            self._at_device(status["awaiting"])
        elif self._same > SAME_FOR:
            self._same = 0
            self._give_command(status)

    def anything(self) -> str:
        """Something that happens just now, in words; "" where nothing could."""
        status = self._dealer.status
        if status["awaiting"] in ("card", "press") and self._random.random() < DRAWS:
            return self._at_device(status["awaiting"])
        return self._give_command(status)

    def _at_device(self, awaiting: str) -> str:
        with suppress(HandsError):
            if awaiting == "press":
                self._dealer.jackpot.do("press")
                self.done["presses"] += 1
                return "a press"
            if self._dealer.shoe.look()["gate"] == "unlocked":
                [card] = self._dealer.shoe.do("draw")["cards"]
                self.done["cards"] += 1
                return f"card {script_card(str(card))}"
        return ""

    def _give_command(self, status: Json) -> str:
        known = [one["text"] for one in status["actions"] if not one["slots"]]
        if not known:
            return ""
        command = self._random.choice(known)
        with suppress(RefusedByController, NoController):
            self._dealer.bench.control.dealer(command)
            self.done["commands of another screen"] += 1
            return f"another screen: {command}"
        return ""

    def _supervise(self, status: Json) -> None:
        actions = status["held"]["remedy_actions"]
        remedies = [one["text"] for one in actions if not one["slots"]]
        command = self._random.choice(remedies or ["void"])
        with suppress(RefusedByController, NoController):
            self._dealer.supervisor(command)
            self.done["remedies of another screen"] += 1
            if (self._dealer.status["held"] or {}).get("fault") == "void-unconfirmed":
                self._dealer.second_person()

    def _load(self, number: int) -> None:
        self._loaded_in = number
        stack_whole_set(self._dealer, [], burned=False, tens=False, source=self._random)
        self.done["shoes"] += 1
