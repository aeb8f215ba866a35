"""Reports of irregularities and their remedies, read from text: ``report together 9D``, ``use 5C``.

Each form is a line of :data:`FORMS`; like other steps they are only parsed here; the round decides
whether they are permitted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.round.money import parse_amount
from controller.round.steps.step import Malformed, Step, parse_seat
from controller.rules.cards import Card, parse_card
from controller.rules.triggers import KNOWN

FORMS: Final = {
    "report": "report TRIGGER …",
    "void": "void",
    "void-hand": "void-hand BOX",
    "reconstruct": "reconstruct",
    "use": "use [CARD]",
    "discard": "discard [CARD]",
    "choose": "choose BOX OPTION",
    "reshuffle": "reshuffle",
    "cap": "cap",
    "pro-rata": "pro-rata",
    "continue": "continue",
    "correct": "correct N CARD",
    "lies": "lies N BOX[.HAND] | dealer | out",
}
"""How reports, remedies and corrections are written."""

OPTIONS: Final = ("refuse", "play", "return")
"""What a player may choose, apart from a card."""

PLACES: Final = ("dealer", "out")
"""Where a card may lie, apart from a box."""


def parse_irregular(text: str, words: list[str]) -> Step:
    """The report, remedy or correction in ``text``; ``words`` are its words.

    Raises:
        Malformed: it cannot be parsed.
    """
    verb, given = words[0], words[1:]
    match verb, given:
        case "report", [trigger, *rest]:
            return _report(text, trigger, rest)
        case "void" | "reconstruct" | "reshuffle" | "cap" | "pro-rata" | "continue", []:
            return Step(verb)
        case "void-hand", [box]:
            return Step(verb, parse_seat(box))
        case "use" | "discard", []:
            return Step(verb)
        case "use" | "discard", [name]:
            return Step(verb, cards=(_card(name),))
        case "choose", [box, option] if option in OPTIONS:
            return Step(verb, parse_seat(box), word=option)
        case "choose", [box, name]:
            return Step(verb, parse_seat(box), cards=(_card(name),))
        case "correct", [number, name] if number.isdecimal() and 0 < int(number) < 1000:
            return Step(verb, number=int(number), cards=(_card(name),))
        case "lies", [number, place] if number.isdecimal() and 0 < int(number) < 1000:
            return _lies(text, int(number), place)
    raise Malformed(f"{text!r}: expected {FORMS[verb]}")


def _lies(text: str, number: int, place: str) -> Step:
    if place in PLACES:
        return Step("lies", number=number, word=place)
    box, dot, hand = place.partition(".")
    if dot and hand not in tuple("123456789"):
        raise Malformed(f"{text!r}: {hand!r} is not a hand's number")
    seat = parse_seat(box)
    if seat.bettor:
        raise Malformed(f"{text!r}: expected {FORMS['lies']}")
    return Step("lies", seat, number=number, option=hand)


def _report(text: str, trigger: str, rest: list[str]) -> Step:
    if trigger not in KNOWN:
        raise Malformed(
            f"{text!r}: unknown trigger {trigger!r}: expected one of {', '.join(KNOWN)}"
        )
    with_box = KNOWN[trigger].box
    if KNOWN[trigger].by_card:
        raise Malformed(f"{text!r}: {trigger} is not reported: the card itself brings it")
    step = Step("report", word=trigger)
    match rest:
        case [] if not with_box:
            return step
        case ["seen" | "dealer" as option] if trigger == "drawn":
            return replace(step, option=option)
        case ["dealer", "seen"] if trigger == "drawn":
            return replace(step, option="dealer seen")
        case [box, *seen] if trigger == "drawn" and seen in ([], ["seen"]):
            return replace(step, seat=parse_seat(box), option=" ".join(seen))
        case [*names] if trigger == "together" and names:
            return replace(step, cards=tuple(_card(name) for name in names))
        case [box, sum_] if trigger == "over-maximum":
            try:
                return replace(step, seat=parse_seat(box), amount=parse_amount(sum_))
            except ValueError as error:
                raise Malformed(f"{text!r}: {error}") from error
        case [box] if with_box and trigger != "over-maximum":
            return replace(step, seat=parse_seat(box))
    box = " BOX" if with_box else ""
    more = {"over-maximum": " AMOUNT", "drawn": " [BOX | dealer] [seen]", "together": " [CARD …]"}
    raise Malformed(f"{text!r}: expected report {trigger}{box}{more.get(trigger, '')}")


def _card(name: str) -> Card:
    try:
        return parse_card(name)
    except ValueError as error:
        raise Malformed(str(error)) from error
