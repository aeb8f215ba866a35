"""What fills the slots of commands: seats, hands, places and options; and what cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

STAFF: Final = "staff"


class Malformed(ValueError):
    """A step or command that cannot be parsed: why, and what it means for programs (``code``)."""

    def __init__(self, reason: str, code: str = "unreadable-command") -> None:
        self.code = code
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Seat:
    """A box, and a bettor's letter where one was given."""

    box: int
    bettor: str | None = None

    def __str__(self) -> str:
        return f"{self.box}{self.bettor or ''}"


_SEAT: Final = re.compile(r"([1-9])([a-h])?\Z")


def parse_seat(text: str) -> Seat:
    """A box with or without a bettor's letter (``3``, ``3b``); Malformed where it is neither."""
    match = _SEAT.match(text)
    if match is None:
        raise Malformed(f"{text!r} is not a box: expected 1 to 9, with a bettor's letter as in 3b")
    return Seat(int(match[1]), match[2])


class Option(StrEnum):
    """What a player may choose, apart from a card."""

    REFUSE = "refuse"
    PLAY = "play"
    RETURN = "return"


class NoHand(StrEnum):
    """Where a card may lie, apart from a player's hand."""

    DEALER = "dealer"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class HandAt:
    """A box, and its hand by number; 0: not said."""

    box: int
    hand: int = 0

    def __str__(self) -> str:
        return f"{self.box}.{self.hand}" if self.hand else str(self.box)
