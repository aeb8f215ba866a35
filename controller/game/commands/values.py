"""What fills the slots of commands: seats, hands, places, options and amounts of money; and what
cannot be read. Money is whole cents inside, dollars with two decimals outside; None: not given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar, Final

from controller.forms.expected import Expected

Stake = int | None
"""A wager's amount in cents, or None where amounts are not entered."""

MAX_CENTS = 10**12

_WRITTEN = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?")  # Decimal takes 1_0, 1e1 and other digits too


def parse_amount(given: str | int | float | Decimal) -> int:
    """Cents of an amount in dollars.

    Raises:
        ValueError: not a number, negative, too large, or with a fraction of a cent.
    """
    if isinstance(given, bool) or (isinstance(given, str) and not _WRITTEN.fullmatch(given)):
        raise ValueError(f"{given} is not an amount: expected dollars, as in 25 or 12.50")
    try:
        cents = Decimal(str(given)) * 100
    except ArithmeticError as error:  # no number, or one of millions of digits
        raise ValueError(
            f"{given!r} is not an amount: expected dollars, as in 25 or 12.50"
        ) from error
    if not cents.is_finite() or not 0 <= cents <= MAX_CENTS:
        raise ValueError(f"{given} is not an amount that can be wagered")
    if cents != cents.to_integral_value():
        raise ValueError(f"{given} has a fraction of a cent")
    return int(cents)


def write_amount(cents: Stake) -> str | None:
    """``12.50`` for 1250 cents; None stays None."""
    if cents is None:
        return None
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def brief_amount(cents: int) -> str:
    """``12.50``, but ``12`` for whole dollars, where room is scarce."""
    return (write_amount(cents) or "").removesuffix(".00")


@dataclass(eq=False, repr=False)
class Dollars(Expected):
    """An amount in dollars, more than none, which becomes cents."""

    SAID: ClassVar[str] = "{0.what}, in dollars"
    GIVEN: ClassVar[Any] = int | Decimal
    MEND: ClassVar[str] = " as a number (25 or 12.50)"

    def judged(self, value: int | Decimal, folder: Any) -> int:
        """The cents."""
        try:
            cents = parse_amount(value)
        except ValueError as error:
            more = "more than 0, in dollars and whole cents (25 or 12.50)"
            raise ValueError(f"expected {self.what}, {more}") from error
        if cents == 0:
            raise ValueError(f"expected {self.what}, more than 0")
        return cents


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
