"""Parsing of steps, as round scripts and dealers write them. The parser knows the language, not the
rules: the round may still refuse a step that it accepts.
"""

from __future__ import annotations

import re
from typing import Final

from controller.round.money import parse_amount
from controller.round.steps import irregular
from controller.round.steps.step import STAFF, Malformed, Step, parse_seat

_NUMBER: Final = re.compile(r"[0-9]{1,9}")

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
    "dealer": "",
}

STEP_VERBS: Final = (*_FORMS, *irregular.FORMS)
"""The first words of all steps."""

_USAGE: Final = {"s": "BOX", "a": "AMOUNT", "b": "BY", "i": "BOX[@BOX]", "n": "HAND"}


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
    if verb in irregular.FORMS:
        return irregular.parse_irregular(text, words)
    form = _FORMS.get(verb)
    if form is None:
        raise Malformed(f"unknown step {verb!r}: expected one of {', '.join(STEP_VERBS)}")
    least = len(form.rstrip("a")) if not amounts_needed else len(form)
    if not least <= len(given) <= len(form):
        usage = " ".join([verb, *(_USAGE[kind] for kind in form)])
        raise Malformed(f"{text!r}: expected {usage}")
    step = Step(verb)
    for kind, word in zip(form, given, strict=False):
        step = _with_word(step, kind, word)
    return step


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
