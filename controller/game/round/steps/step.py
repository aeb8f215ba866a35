"""What all steps of a round are, and the seats that they name.

The classes of steps stand by subject: :mod:`~.decisions` of the hand in turn, what is placed on
:mod:`~.wagers` beside them, the :mod:`~.jackpot`, what the :mod:`~.dealers` say, :mod:`~.reports`
of what went wrong, and :mod:`~.remedies`. They are read from text in :mod:`~.reading`, as round
scripts and dealers write them (``double 1 50``), and written by ``str``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

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
    """A step of a round. ``verb`` is its first word, and the trigger of the machine that it is;
    ``form`` has a letter for each word behind it (:mod:`~.reading`)."""

    verb: ClassVar[str]
    form: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.verb


@dataclass(frozen=True, slots=True)
class AtBox(Step):
    """A step at a box: of the bettor that is named, or of whoever decides for the box."""

    form: ClassVar = "s"
    seat: Seat

    def __str__(self) -> str:
        return f"{self.verb} {self.seat}"


@dataclass(frozen=True, slots=True)
class PutsRight(Step):
    """A step about what went wrong: a report, a remedy or a correction."""


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
