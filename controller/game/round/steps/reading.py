"""Parsing of steps, as round scripts and dealers write them. The parser knows the language, not the
rules: the round may still refuse a step that it accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from controller.game.round.money import parse_amount
from controller.game.round.steps import dealers, decisions, jackpot, wagers
from controller.game.round.steps.reading_irregular import FORMS, parse_irregular
from controller.game.round.steps.step import STAFF, Malformed, Seat, Step, parse_seat

_NUMBER: Final = re.compile(r"[0-9]{1,9}")

KINDS: Final[dict[str, type[Step]]] = {
    kind.verb: kind
    for kind in (
        decisions.Hit,
        decisions.Stand,
        decisions.Split,
        decisions.Surrender,
        wagers.Withdraw,
        wagers.Keep,
        wagers.Follow,
        jackpot.Press,
        decisions.Free,
        decisions.Absent,
        decisions.Double,
        decisions.Buy,
        wagers.Insure,
        jackpot.Nominate,
        wagers.Place,
        dealers.Done,
        dealers.Overdraw,
        dealers.HandComplete,
    )
}
"""The steps that are read here, by their verbs."""

STEP_VERBS: Final = (*KINDS, *FORMS)
"""The first words of all steps."""

_USAGE: Final = {"s": "BOX", "a": "AMOUNT", "b": "BY", "i": "BOX[@BOX]", "n": "HAND"}
"""The words of a form by its letters; an amount may be missing at a live table."""

Value = Seat | int | None
"""What a word says: fields of steps."""


def parse_step(text: str, *, amounts_needed: bool = True) -> Step:
    """The step in ``text``.

    ``amounts_needed`` is False at a live table, where an amount may be left out.

    Raises:
        Malformed: unknown verb, wrong number of words, or a word of the wrong kind.
    """
    words = text.split()
    if not words:
        raise Malformed("an empty step: expected a verb such as stand, hit or double")
    verb, given = words[0], words[1:]
    if verb in FORMS:
        return parse_irregular(text, words)
    if verb not in KINDS:
        raise Malformed(f"unknown step {verb!r}: expected one of {', '.join(STEP_VERBS)}")
    kind: Callable[..., Step] = KINDS[verb]
    form = KINDS[verb].form
    least = len(form.rstrip("a")) if not amounts_needed else len(form)
    if not least <= len(given) <= len(form):
        usage = " ".join([verb, *(_USAGE[each] for each in form)])
        raise Malformed(f"{text!r}: expected {usage}")
    fields: list[Value] = []
    for each, word in zip(form, given, strict=False):
        fields += _READERS[each](verb, word)
    return kind(*fields)


def _seat(_: str, word: str) -> tuple[Value, ...]:
    return (parse_seat(word),)


def _taker_and_owner(_: str, word: str) -> tuple[Value, ...]:
    taker, at, owner = word.partition("@")
    return parse_seat(taker), parse_seat(owner) if at else None


def _nominee(_: str, word: str) -> tuple[Value, ...]:
    return (None if word == STAFF else parse_seat(word),)


def _hand(_: str, word: str) -> tuple[Value, ...]:
    if not _NUMBER.fullmatch(word):
        raise Malformed(f"{word!r} is not a hand's number")
    return (int(word),)


def _amount(verb: str, word: str) -> tuple[Value, ...]:
    try:
        amount = parse_amount(word)
    except ValueError as error:
        raise Malformed(str(error)) from error
    if amount == 0:
        raise Malformed(f"{verb}: an amount of 0 is none")
    return (amount,)


_READERS: Final[dict[str, Callable[[str, str], tuple[Value, ...]]]] = {
    "s": _seat,
    "i": _taker_and_owner,
    "b": _nominee,
    "n": _hand,
    "a": _amount,
}
"""The readers of words by their kinds; each is given the verb, too."""
