"""Insurance and surrender: who may still take them, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from controller.game.commands.values import Seat
from controller.game.round.guards.decisions import CHECKS
from controller.game.round.hand_decisions import note, surrender
from controller.game.round.looks import is_late, late_offer
from controller.game.round.model import BETTORS, OUTSIDE
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.steps import Insure, Step, Surrender
from controller.game.rules.cards import RANKS
from controller.game.rules.triggers import KNOWN, LateOffer

Offer = Insure | Surrender
"""A step that takes an offer up."""

_KINDS: Final[dict[LateOffer, type[Offer]]] = {
    LateOffer.INSURANCE: Insure,
    LateOffer.SURRENDER: Surrender,
}


def offers_left(rnd: Round) -> bool:
    """Whether any bettor may still insure or surrender."""
    return next(_open(rnd), None) is not None


def open_offers(rnd: Round) -> list[Offer]:
    """The insurances (amounts left out) and surrenders that may be made now. Of the people without
    a wager, of whom any may insure, one stands for all."""
    return list(_open(rnd))


def _open(rnd: Round) -> Iterator[Offer]:
    """One after the other: whether there is any is asked far more often than which."""
    if not rnd.dealer:
        return
    rank = RANKS[rnd.dealer[0].rank - 1]
    insurance, surrender = rnd.rules.insurance, rnd.rules.surrender
    before_play = surrender.offered.value == "before_play"
    if insurance and rank in insurance.dealer_first.value:
        yield from (step for step in _candidates(rnd, Insure) if may(rnd, step))
    if before_play and rank in surrender.dealer_first.value:
        yield from (step for step in _candidates(rnd, Surrender) if may(rnd, step))


def late_steps(rnd: Round) -> list[Offer]:
    """The steps that take up what is offered late to a box: one for each bettor who may."""
    offer = late_offer(rnd)
    if offer is None:
        return []
    steps = (step for step in _own(rnd, _KINDS[offer[0]]) if is_late(rnd, step))
    return [step for step in steps if may(rnd, step)]


def check_late(rnd: Round, step: Step) -> None:
    """Check that no offer made late stands in the way of the step.

    Raises:
        Refused: it is to be taken up or declined first.
    """
    late = late_offer(rnd)
    if late is None:
        return
    offer, box = late
    clause = next(c.clause for c in rnd.rules.irregularities if KNOWN[c.trigger].offer is offer)
    raise Refused(
        f"{step}: {offer.words} is offered late to box {box}{rnd.irregular.late_to}: "
        f"{offer} {box}{rnd.irregular.late_to}, or done",
        clause,
        short="LATE OFFER FIRST",
    )


def may(rnd: Round, step: Step) -> bool:
    """Whether the guard of ``step`` permits it."""
    try:
        CHECKS[type(step)](rnd, step)
    except Refused:
        return False
    return True


def _owners(rnd: Round) -> Iterator[Seat]:
    """Everybody who has a main wager."""
    for box in rnd.boxes.values():
        for bettor in BETTORS:
            if bettor in box.main:
                yield Seat(box.number, None if bettor == "a" else bettor)


def _own(rnd: Round, kind: type[Offer]) -> Iterator[Offer]:
    """What bettors may do for their own wagers."""
    return (kind(seat) for seat in _owners(rnd))


def _candidates(rnd: Round, kind: type[Offer]) -> Iterator[Offer]:
    yield from _own(rnd, kind)
    insurance = rnd.rules.insurance
    if kind is not Insure or insurance is None or not insurance.others.value:
        return
    seats = list(_owners(rnd))
    everybody = [
        Seat(box.number, None if bettor == "a" else bettor)
        for box in rnd.boxes.values()
        for bettor in BETTORS
        if bettor in box.bettors
    ]
    for owner in seats:
        yield from (Insure(taker, owner) for taker in everybody if taker != owner)
    if not insurance.outside.value:
        return
    # People without a wager are named by the box whose insurance they take up.
    for owner in seats:
        yield from _next_outsider(rnd, owner)


def _next_outsider(rnd: Round, owner: Seat) -> list[Insure]:
    """What ``owner`` declined, taken up by the next letter that is free; where each is somebody's
    already, by the first of those who still may."""
    box = rnd.boxes[owner.box]
    letters = [bettor for bettor in OUTSIDE if bettor not in box.bettors]
    known = {bettor for (number, bettor), _ in rnd.insurance if number == box.number}
    letters.sort(key=lambda bettor: bettor in known)
    steps = (Insure(Seat(owner.box, bettor), owner) for bettor in letters)
    return list(islice((step for step in steps if may(rnd, step)), 1))


def place_insurance(rnd: Round, step: Insure) -> None:
    """Place an insurance that the guard has permitted."""
    owner = step.owner or step.seat
    taker_key = (step.seat.box, step.seat.bettor or "a")
    rnd.insurance[taker_key, (owner.box, owner.bettor or "a")] = step.amount


def place_surrender(rnd: Round, step: Surrender) -> None:
    """Surrender a wager before play, which the guard has permitted."""
    hand, bettor = rnd.boxes[step.seat.box].hands[0], step.seat.bettor or "a"
    note(rnd, hand, bettor, step)
    surrender(rnd, hand, bettor)
