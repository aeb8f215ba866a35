"""Cards drawn from the shoe, as they should leave it and as they should not, and the button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.game.rules.cards import RANKS, TEN
from controller.game.scripts.script import ShoeCard
from hil_tests.bench.interface import Bench, Device, Json
from hil_tests.bench.setup import Setup
from hil_tests.bench.steps import step
from simulators.hands import HandsError

WAIT_S = 10.0
TRIES = 20
SUITS = "CDHS"
MARKS = "utbd"
"""Of how a card lay or left, behind a simulator's card."""


class ShoeHand:
    """Who draws the cards at a bench's table and presses; ``drawn`` are those that left the shoe.

    A way to disturb play overrides :meth:`before_action`, :meth:`after_action` and
    :meth:`wait_for`.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.drawn: list[str] = []

    @property
    def shoe(self) -> Device:
        """The card shoe."""
        return self.bench.devices["shoe"]

    @property
    def jackpot(self) -> Device:
        """The button and the meter."""
        return self.bench.devices["jackpot"]

    def before_action(self, what: str) -> None:
        """The gate is open for a "card", the button armed for a "press"; next it is done."""

    def after_action(self, what: str) -> None:
        """A card has just left the shoe, or the button been pressed, and is on its way."""

    def wait_for(self, name: str, predicate: Callable[[Json], object], what: str = "") -> Json:
        """A device's state once the predicate holds."""
        return self.bench.devices[name].wait_for(predicate, WAIT_S, what)

    def load(self, **shoe: Any) -> None:
        """Load the shoe, with ``cards`` or with ``decks`` that are shuffled from a ``seed``."""
        self.shoe.do("load", **shoe)
        self.acknowledged()

    def stack(self, cards: str) -> None:
        """Have these cards come next, as many in all as before: a scenario's, never the demo's."""
        self.shoe.do("stack", cards=cards)

    def reach_for_card(self, **marks: bool) -> str:
        """Draw as soon as the shoe gives a card. After a replug the gate may still be open from
        before and be locked while the hand reaches out: then it reaches out again."""
        for _ in range(TRIES):
            self.wait_for("shoe", lambda shoe: shoe["gate"] == "unlocked", "an open gate")
            self.before_action("card")
            try:
                card = self.pull(**marks)
            except HandsError as error:
                if "gate is locked" not in str(error):
                    raise
            else:
                self.after_action("card")
                return card
        raise AssertionError("the gate is locked whenever a card is reached for")

    def draw(self, **marks: bool) -> str:
        """Pull a card out of the shoe, due or not; returns when the controller has it."""
        card = self.pull(**marks)
        self.acknowledged()
        return card

    def draw_with_the_last(self, **marks: bool) -> str:
        """Pull a card that sticks to the one before it: once the gate is as it is to be."""
        self.gate_at_rest()
        return self.draw(force=True, **{"together": True, **marks})

    def gate_at_rest(self) -> None:
        """Wait until gate and lamp are as the controller wants them. What they are alone tells
        nothing: from an answer until its commands have come they are as they were before it."""
        status: Json = self.bench.control.status()
        opens = status["shoe"]["gate"] > 0
        self.wait_for(
            "shoe",
            lambda shoe: (shoe["signal"] == "green") == (shoe["gate"] == "unlocked") == opens,
            f"a gate that is {'open' if opens else 'locked'}",
        )

    def pull(self, **marks: bool) -> str:
        """Pull a card out of the shoe."""
        [card] = self.shoe.do("draw", **marks)["cards"]
        self.drawn.append(script_card(str(card)))
        return self.drawn[-1]

    def acknowledged(self, name: str = "shoe") -> None:
        """Wait until the controller has every event of the device, every card that left."""
        self.wait_for(name, lambda look: look["unacked"] == 0, f"all that the {name} tells")

    @step
    def press_button(self) -> None:
        """Press the button as soon as it is armed. After a hold it may still be armed from before
        and be disarmed while somebody presses: then it is pressed again."""
        for _ in range(TRIES):
            self.wait_for("jackpot", lambda unit: unit["armed"] is not None, "an armed button")
            self.before_action("press")
            if self.jackpot.do("press")["counted"]:
                self.after_action("press")
                return
        raise AssertionError("the button is disarmed whenever it is pressed")

    def draw_under_the_lid(self, **marks: bool) -> str:
        """Open the lid and pull a card out: the gate has locked itself. What the controller says
        meanwhile the shoe hears afterwards."""
        self.shoe.do("hold_back", inward=True)
        self.shoe.do("lid", open=True)
        self.shoe.do("lid", open=False)
        card = self.pull(force=True, **marks)
        self.shoe.do("let_go")
        self.acknowledged()
        return card


def script_card(card: str) -> str:
    """A simulator's card as round scripts write it."""
    return card.rstrip(MARKS).replace("10", "T")


def whole_set(setup: Setup, *, tens: bool) -> list[str]:
    """The cards of the whole set of a table so set up, by rank."""
    ranks = [rank for number, rank in enumerate(RANKS, 1) if tens or number != TEN]
    return [rank + suit for rank in ranks for suit in SUITS] * setup.decks


def marks_of(entry: ShoeCard, *, tens: bool) -> dict[str, bool]:
    """How the shoe tells what the script's marks say; a ten tells by its rank that it does not
    belong to a set without tens."""
    foreign = "%" in entry.marks and (tens or entry.card.rank != TEN)
    told = {"face_up": "^" in entry.marks, "together": "&" in entry.marks, "other_back": foreign}
    return {mark: True for mark, said in told.items() if said}
