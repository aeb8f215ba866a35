"""Steps of a round as snapshots store them: the verb, and its values under names that all verbs
share. They were one class when the first snapshots were stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from controller.game.round.money import Stake
from controller.game.round.steps import dealers, decisions, jackpot, remedies, reports, wagers
from controller.game.round.steps.decisions import Raise
from controller.game.round.steps.remedies import HandAt, NoHand, OfCard, Option
from controller.game.round.steps.step import AtBox, Seat, Step
from controller.game.rules.cards import Card

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A step with all values that steps may have."""

    verb: str
    seat: Seat | None = None
    amount: Stake = None
    other: Seat | None = None
    by_staff: bool = False
    number: int = 0
    cards: tuple[Card, ...] = ()
    word: str = ""
    option: str = ""


def stored(step: Step) -> StoredStep:
    """The step as it is stored."""
    verb, seat = step.verb, step.seat if isinstance(step, AtBox) else None
    match step:
        case Raise():
            return StoredStep(verb, seat, step.amount)
        case wagers.Insure():
            return StoredStep(verb, seat, step.amount, step.owner)
        case wagers.Place():
            return StoredStep(verb, seat, number=step.hand)
        case jackpot.Nominate():
            return StoredStep(verb, seat, other=step.by, by_staff=step.by is None)
        case dealers.Overdraw() | OfCard() | remedies.ChooseCard():
            return StoredStep(verb, seat, cards=(step.card,) if step.card else ())
        case remedies.ChooseOption():
            return StoredStep(verb, seat, word=str(step.option))
        case remedies.Correct():
            return StoredStep(verb, number=step.number, cards=(step.card,))
        case remedies.Lies(place=HandAt(box, hand)):
            option = str(hand) if hand else ""
            return StoredStep(verb, Seat(box), number=step.number, option=option)
        case remedies.Lies():
            return StoredStep(verb, number=step.number, word=str(step.place))
        case reports.Report():
            return _stored_report(step)
    return StoredStep(verb, seat)


def _stored_report(step: reports.Report) -> StoredStep:
    said = StoredStep(step.verb, step.seat, word=step.trigger)
    match step:
        case reports.ReportDrawn():
            option = " ".join(["dealer"] * step.dealer + ["seen"] * step.seen)
            return replace(said, option=option)
        case reports.ReportTogether():
            return replace(said, cards=step.cards)
        case reports.ReportOverMaximum():
            return replace(said, amount=step.amount)
    return said


_AT_BOX: Final[dict[str, type[AtBox]]] = {
    kind.verb: kind
    for kind in (
        decisions.Hit,
        decisions.Free,
        decisions.Stand,
        decisions.Split,
        decisions.Surrender,
        decisions.Absent,
        wagers.Follow,
        wagers.Withdraw,
        wagers.Keep,
        jackpot.Press,
        remedies.VoidHand,
    )
}
_ALONE: Final[dict[str, type[Step]]] = {
    kind.verb: kind
    for kind in (
        dealers.Done,
        dealers.HandComplete,
        remedies.Void,
        remedies.Reconstruct,
        remedies.Reshuffle,
        remedies.Cap,
        remedies.ProRata,
        remedies.Continue,
    )
}
_OF_CARD: Final[dict[str, Callable[[Card | None], Step]]] = {
    kind.verb: kind for kind in (dealers.Overdraw, remedies.Use, remedies.Discard)
}


def restored(given: StoredStep) -> Step:
    """The step that was stored.

    Raises:
        ValueError: it is none.
    """
    verb, card = given.verb, next(iter(given.cards), None)
    if verb in _ALONE:
        return _ALONE[verb]()
    if verb in _OF_CARD:
        return _OF_CARD[verb](card)
    match verb:
        case "report":
            return _report(given)
        case "correct":
            return remedies.Correct(given.number, _needed(card))
        case "lies":
            return remedies.Lies(given.number, _place(given))
    seat = _needed(given.seat)
    match verb:
        case "double":
            return decisions.Double(seat, given.amount)
        case "buy":
            return decisions.Buy(seat, given.amount)
        case "insure":
            return wagers.Insure(seat, given.other, given.amount)
        case "place":
            return wagers.Place(seat, given.number)
        case "nominate":
            return jackpot.Nominate(seat, None if given.by_staff else _needed(given.other))
        case "choose" if card:
            return remedies.ChooseCard(seat, card)
        case "choose":
            return remedies.ChooseOption(seat, Option(given.word))
    if verb not in _AT_BOX:
        raise ValueError(f"no step {verb!r}")
    return _AT_BOX[verb](seat)


def _report(given: StoredStep) -> reports.Report:
    match given.word:
        case reports.DRAWN:
            said = given.option.split()
            return reports.ReportDrawn(
                seat=given.seat, dealer="dealer" in said, seen="seen" in said
            )
        case reports.TOGETHER:
            return reports.ReportTogether(cards=given.cards)
        case reports.OVER_MAXIMUM:
            return reports.ReportOverMaximum(seat=given.seat, amount=given.amount)
    return reports.Report(given.word, given.seat)


def _place(given: StoredStep) -> HandAt | NoHand:
    if given.seat is None:
        return NoHand(given.word)
    return HandAt(given.seat.box, int(given.option or 0))


def _needed(value: T | None) -> T:
    if value is None:
        raise ValueError("a step without one of its values")
    return value
