"""Players, who decide by what the table shows and nothing else.

A player is a function from the status to what happens next: a command of the dealer, or
:data:`CARD` where a card is to be drawn. It is called only where somebody has a choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from controller.game.rules.cards import RANKS
from figures.rounds.strategies import HIT, Situation, simple

Json = dict[str, Any]
Player = Callable[[Json], str]

CARD = "card"
NOT_IN_PLAY = frozenset({"open", "wager", "close", "next", "undo", "shuffle", "burn", "squeeze"})
DECISIONS = ("surrender", "split", "double", "stand")


def choices(status: Json) -> list[str]:
    """The templates that concern the round, :data:`CARD` among them where one may be taken."""
    steps = [text for text in status["permitted"] if text.split()[0] not in NOT_IN_PLAY]
    found = [text for text in steps if not text.startswith("hit ")]
    if any(text.startswith("reveal ") for text in found):
        return found  # the card lies face down: it is turned before anything else
    takes_card = len(found) < len(steps) or status["state"] in (
        "play.split_card",
        "play.double_card",
    )
    return [*found, CARD] if takes_card else found


def stake_of(status: Json, seat: str) -> Decimal:
    """The main wager of a seat such as ``3`` or ``3b``."""
    box, bettor = seat[0], seat[1:] or "a"
    wagers = status["boxes"][box]["wagers"]
    if bettor not in wagers or "main" not in wagers[bettor]:
        bettor = next(letter for letter, placed in wagers.items() if "main" in placed)
    return Decimal(wagers[bettor]["main"])


def basic(status: Json) -> str:
    """The player of the simulation's simple strategy, who never insures."""
    can = choices(status)
    turn = status["turn"]
    if turn is None or status["state"] in ("jackpot.paying", "play.withdraw"):
        return "done" if "done" in can else CARD
    box = turn["box"]
    hand = status["boxes"][str(box)]["hands"][turn["hand"] - 1]
    templates = {"double": f"double {box} AMOUNT"}
    verb = simple(
        Situation(
            ranks=tuple(RANKS.find(card[0]) + 1 for card in hand["cards"].split()),
            total=hand["total"],
            against=RANKS.find(status["dealer"]["cards"][:1] or "?") + 1,
            may=frozenset(v for v in DECISIONS if templates.get(v, f"{v} {box}") in can),
        )
    )
    if status["state"] == "offers.open" and verb in (HIT, "stand"):
        return "done"
    if verb == "double":
        return f"double {box} {stake_of(status, str(box)):f}"
    return CARD if verb == HIT else f"{verb} {box}"


class RandomPlayer:
    """A player who chooses at random among what is permitted."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def __call__(self, status: Json) -> str:
        """One of the choices, with amounts that go with them."""
        template = self._random.choice(choices(status))
        verb, *rest = template.split()
        if verb == "nominate":
            return template.replace("BY", "staff")
        if not rest or rest[-1] != "AMOUNT":
            return template
        seat = rest[0].split("@")[-1]
        stake = stake_of(status, seat)
        amount = stake if verb == "double" and self._random.random() < 0.7 else stake // 2
        return f"{verb} {rest[0]} {max(amount, Decimal(1)):f}"
