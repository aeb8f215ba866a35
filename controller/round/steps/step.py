"""Steps of a round, as round scripts and dealers write them: ``double 1 50``, ``insure 2b@1 25``.

They are parsed in :mod:`~.reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from controller.round.money import Stake, write_amount
from controller.rules.cards import Card

STAFF: Final = "staff"


class Malformed(ValueError):
    """A step or command that cannot be parsed; the message says what was expected, ``code`` what it
    means, for programs."""

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


@dataclass(frozen=True, slots=True)
class Step:
    """One step: ``verb``, the ``seat`` it concerns, and the verb's other arguments; ``word`` is the
    trigger of a report, or an option that is not a card."""

    verb: str
    seat: Seat | None = None
    amount: Stake = None
    other: Seat | None = None
    by_staff: bool = False
    number: int = 0
    cards: tuple[Card, ...] = ()
    word: str = ""
    option: str = ""

    def __str__(self) -> str:
        words = [self.verb]
        if self.verb == "report":
            words.append(self.word)
        elif self.number and (self.seat is None or self.verb == "lies"):
            words.append(str(self.number))
        if self.verb == "lies" and self.seat:
            return " ".join([*words, f"{self.seat}{'.' if self.option else ''}{self.option}"])
        if self.seat:
            words.append(f"{self.seat}@{self.other}" if self._taken_up else str(self.seat))
        if self.verb == "nominate":
            words.append(STAFF if self.by_staff else str(self.other))
        if self.number and self.seat is not None:
            words.append(str(self.number))
        if self.amount is not None:
            words.append(write_amount(self.amount) or "")
        words += [self.word] if self.word and self.verb != "report" else []
        words += [self.option] if self.option else []
        words += [str(card) for card in self.cards]
        return " ".join(words)

    def with_cards(self, cards: Iterable[Card]) -> Step:
        """The same step with those cards."""
        return replace(self, cards=tuple(cards))

    @property
    def _taken_up(self) -> bool:
        return self.verb == "insure" and self.other is not None


_SEAT: Final = re.compile(r"([1-9])([a-h])?\Z")


def parse_seat(text: str) -> Seat:
    """A box with or without a bettor's letter: ``3``, ``3b``.

    Raises:
        Malformed: it is neither.
    """
    match = _SEAT.match(text)
    if match is None:
        raise Malformed(f"{text!r} is not a box: expected 1 to 9, with a bettor's letter as in 3b")
    return Seat(int(match[1]), match[2])
