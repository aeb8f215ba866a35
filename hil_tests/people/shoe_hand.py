"""Cards drawn from the shoe, as they should leave it and as they should not."""

from __future__ import annotations

from hil_tests.bench.interface import Bench, Device, Json
from simulators.hands import HandsError

WAIT_S = 10.0
TRIES = 5
MARKS = "utbd"
"""Of how a card lay or left, behind a simulator's card."""


class ShoeHand:
    """Who draws the cards at a bench's table."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    @property
    def shoe(self) -> Device:
        """The card shoe."""
        return self.bench.devices["shoe"]

    def stack(self, cards: str) -> None:
        """Have these cards come next, as many in all as before: a scenario's, never the demo's."""
        self.shoe.do("stack", cards=cards)

    def reach_for_card(self, **marks: bool) -> str:
        """Draw as soon as the shoe gives a card. After a replug the gate may still be open from
        before and be locked while the hand reaches out: then it reaches out again."""
        for _ in range(TRIES):
            self.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked", WAIT_S, "an open gate")
            try:
                return self.pull(**marks)
            except HandsError as error:
                if "gate is locked" not in str(error):
                    raise
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
        self.shoe.wait_for(
            lambda shoe: (shoe["signal"] == "green") == (shoe["gate"] == "unlocked") == opens,
            WAIT_S,
            f"a gate that is {'open' if opens else 'locked'}",
        )

    def pull(self, **marks: bool) -> str:
        """Pull a card out of the shoe."""
        [card] = self.shoe.do("draw", **marks)["cards"]
        return script_card(str(card))

    def acknowledged(self) -> None:
        """Wait until the controller has every card that left."""
        self.shoe.wait_for(lambda shoe: shoe["unacked"] == 0, WAIT_S, "the card's acknowledgement")

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
