"""Reports of irregularities and their remedies, read from text: ``report together 9D``, ``use 5C``.

Each form is a line of :data:`FORMS`; like other steps they are only parsed here; the round decides
whether they are permitted.
"""

from __future__ import annotations

import re
from typing import Final

from controller.game.round.money import parse_amount
from controller.game.round.steps import remedies, reports
from controller.game.round.steps.remedies import HandAt, NoHand, Option
from controller.game.round.steps.reports import DRAWN, OVER_MAXIMUM, TOGETHER, Report
from controller.game.round.steps.step import Malformed, PutsRight, parse_seat
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.side_wagers import KIND
from controller.game.rules.triggers import KNOWN

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
    "wager": "wager BOX KIND[.N] AMOUNT",
}
"""How reports, remedies and corrections are written."""

_WAGER: Final = re.compile(rf"(?P<kind>{KIND.pattern})(?:\.(?P<which>[1-9]))?")

CORRECTIONS: Final = (remedies.Correct.verb, remedies.Lies.verb)
"""The first words of those that are corrections."""


def parse_irregular(text: str, words: list[str]) -> PutsRight:
    """The report, remedy or correction in ``text``; ``words`` are its words.

    Raises:
        Malformed: it cannot be parsed.
    """
    verb, given = words[0], words[1:]
    match verb, given:
        case "report", [trigger, *rest]:
            return _report(text, trigger, rest)
        case _, [] if verb in remedies.ALONE:
            return remedies.ALONE[verb]()
        case "void-hand", [box]:
            return remedies.VoidHand(parse_seat(box))
        case "use", [] | [_]:
            return remedies.Use(*map(_card, given))
        case "discard", [] | [_]:
            return remedies.Discard(*map(_card, given))
        case "choose", [box, option] if option in tuple(Option):
            return remedies.ChooseOption(parse_seat(box), Option(option))
        case "choose", [box, name]:
            return remedies.ChooseCard(parse_seat(box), _card(name))
        case "correct", [number, name] if number.isdecimal() and 0 < int(number) < 1000:
            return remedies.Correct(int(number), _card(name))
        case "lies", [number, place] if number.isdecimal() and 0 < int(number) < 1000:
            return remedies.Lies(int(number), _place(text, place))
        case "wager", [box, name, amount] if found := _WAGER.fullmatch(name):
            kind, which = found["kind"], int(found["which"] or 0)
            try:
                return remedies.WagerLies(parse_seat(box), kind, parse_amount(amount), which)
            except ValueError as error:
                raise Malformed(f"{text!r}: {error}") from error
    raise Malformed(f"{text!r}: expected {FORMS[verb]}")


def _place(text: str, place: str) -> HandAt | NoHand:
    if place in tuple(NoHand):
        return NoHand(place)
    box, dot, hand = place.partition(".")
    if dot and hand not in tuple("123456789"):
        raise Malformed(f"{text!r}: {hand!r} is not a hand's number")
    seat = parse_seat(box)
    if seat.bettor:
        raise Malformed(f"{text!r}: expected {FORMS['lies']}")
    return HandAt(seat.box, int(hand or 0))


def _report(text: str, trigger: str, rest: list[str]) -> Report:
    if trigger not in KNOWN:
        raise Malformed(
            f"{text!r}: unknown trigger {trigger!r}: expected one of {', '.join(KNOWN)}"
        )
    with_box = KNOWN[trigger].box
    if KNOWN[trigger].by_card:
        raise Malformed(f"{text!r}: {trigger} is not reported: the card itself brings it")
    match trigger, rest:
        case "drawn", [] | ["seen"] | ["dealer"] | ["dealer", "seen"]:
            return reports.ReportDrawn(dealer="dealer" in rest, seen="seen" in rest)
        case "drawn", [box] | [box, "seen"]:
            return reports.ReportDrawn(seat=parse_seat(box), seen=len(rest) == 2)
        case "together", _:
            return reports.ReportTogether(cards=tuple(map(_card, rest)))
        case "over-maximum", [box, sum_]:
            try:
                return reports.ReportOverMaximum(seat=parse_seat(box), amount=parse_amount(sum_))
            except ValueError as error:
                raise Malformed(f"{text!r}: {error}") from error
        case _, [] if not with_box:
            return Report(trigger)
        case _, [box] if with_box and trigger != OVER_MAXIMUM:
            return Report(trigger, parse_seat(box))
    box = " BOX" if with_box else ""
    more = {OVER_MAXIMUM: " AMOUNT", DRAWN: " [BOX | dealer] [seen]", TOGETHER: " [CARD …]"}
    raise Malformed(f"{text!r}: expected report {trigger}{box}{more.get(trigger, '')}")


def _card(name: str) -> Card:
    try:
        return parse_card(name)
    except ValueError as error:
        raise Malformed(str(error)) from error
