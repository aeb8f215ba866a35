"""Steps of a round, as round scripts and dealers write them: ``double 1 50``, ``insure 2b@1 25``.

Parsing knows the language, not the rules: what it accepts may still be refused by the round.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from controller.table.money import Stake, parse_amount, write_amount

STAFF: Final = "staff"


class Malformed(ValueError):
    """A step that cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A box, and a bettor's letter where one was written."""

    box: int
    bettor: str | None = None

    def __str__(self) -> str:
        return f"{self.box}{self.bettor or ''}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: ``verb``, the ``seat`` it concerns, and what else the verb takes."""

    verb: str
    seat: Seat | None = None
    amount: Stake = None
    other: Seat | None = None
    by_staff: bool = False
    number: int = 0

    def __str__(self) -> str:
        words = [self.verb]
        if self.seat:
            words.append(f"{self.seat}@{self.other}" if self._taken_up else str(self.seat))
        if self.verb == "nominate":
            words.append(STAFF if self.by_staff else str(self.other))
        if self.number:
            words.append(str(self.number))
        if self.amount is not None:
            words.append(write_amount(self.amount) or "")
        return " ".join(words)

    @property
    def _taken_up(self) -> bool:
        return self.verb == "insure" and self.other is not None


_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_SEAT: Final = re.compile(r"([1-9])([abc])?\Z")

#: verb -> what follows it: s seat, a amount, b nominee, i seat or seat@seat
_FORMS: Final = {
    "hit": "s",
    "stand": "s",
    "split": "s",
    "surrender": "s",
    "withdraw": "s",
    "keep": "s",
    "follow": "s",
    "press": "s",
    "free": "s",
    "absent": "s",
    "double": "sa",
    "buy": "sa",
    "insure": "ia",
    "nominate": "sb",
    "place": "sn",
    "done": "",
    "overdraw": "",
}

_USAGE: Final = {"s": "BOX", "a": "AMOUNT", "b": "BY", "i": "BOX[@BOX]", "n": "HAND"}


def parse_step(text: str, *, amounts_needed: bool = True) -> Step:
    """The step that ``text`` writes.

    ``amounts_needed`` is False at a live table, where an amount may be left out.

    Raises:
        Malformed: unknown verb, wrong number of words, or a word of the wrong kind.
    """
    words = text.split()
    if not words:
        raise Malformed("an empty step: expected a verb such as stand, hit or double")
    verb, given = words[0], words[1:]
    form = _FORMS.get(verb)
    if form is None:
        raise Malformed(f"unknown step {verb!r}: expected one of {', '.join(_FORMS)}")
    least = len(form.rstrip("a")) if not amounts_needed else len(form)
    if not least <= len(given) <= len(form):
        usage = " ".join([verb, *(_USAGE[kind] for kind in form)])
        raise Malformed(f"{text!r}: expected {usage}")
    step = Step(verb)
    for kind, word in zip(form, given, strict=False):
        step = _with_word(step, kind, word)
    return step


def parse_seat(text: str) -> Seat:
    """A box with or without a bettor's letter: ``3``, ``3b``.

    Raises:
        Malformed: it is neither.
    """
    match = _SEAT.match(text)
    if match is None:
        raise Malformed(f"{text!r} is not a box: expected 1 to 9, with a bettor's letter as in 3b")
    return Seat(int(match[1]), match[2])


def _with_word(step: Step, kind: str, word: str) -> Step:
    if kind == "s":
        return Step(step.verb, parse_seat(word))
    if kind == "i":
        taker, at, owner = word.partition("@")
        return Step(step.verb, parse_seat(taker), other=parse_seat(owner) if at else None)
    if kind == "b":
        if word == STAFF:
            return Step(step.verb, step.seat, by_staff=True)
        return Step(step.verb, step.seat, other=parse_seat(word))
    if kind == "n":
        if not _NUMBER.fullmatch(word):
            raise Malformed(f"{word!r} is not a hand's number")
        return Step(step.verb, step.seat, number=int(word))
    try:
        amount = parse_amount(word)
    except ValueError as error:
        raise Malformed(str(error)) from error
    if amount == 0:
        raise Malformed(f"{step.verb}: an amount of 0 is none")
    return Step(step.verb, step.seat, amount, step.other)
