"""Players who decide from what the table shows: what a person there would see, and no more.

A player is a function from the status to the next thing to happen: an entry of the dealer, or
:data:`CARD` where a card is to be taken. It is asked only where somebody has a choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

Json = dict[str, Any]
Player = Callable[[Json], str]

CARD = "card"
NOT_IN_PLAY = frozenset({"open", "wager", "close", "next", "undo", "shuffle", "burn", "squeeze"})
PICTURES_AND_ACE = "JQKA"
STANDS_ON_STIFF_AGAINST = frozenset("23456")


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
    """Somebody who knows the game: splits aces and eights, doubles ten and eleven, draws to 17
    against a strong card, surrenders a stiff hand against a picture, never insures."""
    can = choices(status)
    turn = status["turn"]
    if turn is None or status["state"] in ("jackpot.paying", "play.withdraw"):
        return "done" if "done" in can else CARD
    hand = status["boxes"][str(turn["box"])]["hands"][turn["hand"] - 1]
    cards, total = hand["cards"].split(), hand["total"]
    against = status["dealer"]["cards"][:1]
    box = turn["box"]
    if f"surrender {box}" in can and total == 16 and cards[0][0] != cards[1][0]:
        return f"surrender {box}"
    if f"split {box}" in can and cards[0][0] in "A8":
        return f"split {box}"
    if f"double {box} AMOUNT" in can and total in (10, 11) and against not in PICTURES_AND_ACE:
        return f"double {box} {stake_of(status, str(box)):f}"
    if status["state"] == "offers.open":
        return "done"
    stiff = total < 17 and not (total > 13 and against in STANDS_ON_STIFF_AGAINST)
    if f"stand {box}" in can and not stiff:
        return f"stand {box}"
    return CARD


class Anything:
    """Somebody who does whatever is permitted, whatever comes of it; from a seed."""

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
