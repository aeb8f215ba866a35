"""Insurance and surrender: their guards, who may still take them, and what is offered late."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from controller.game.commands.values import Seat, Stake, write_amount
from controller.game.round.hands import box_of, controller_of, decided_by, main_bet
from controller.game.round.looks import is_late, late_offer
from controller.game.round.model import OUTSIDE, Bet, BettorKey
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Insure, Step, Surrender
from controller.game.rules.cards import RANKS
from controller.game.rules.cases import KNOWN
from controller.game.rules.play_sections import InsuranceRules
from controller.game.rules.sections import Rule

Offer = Insure | Surrender
"""A step that takes an offer up."""


def _may(rnd: Round, step: Offer) -> bool:
    if isinstance(step, Insure):
        return refusal_of(check_insure, rnd, step) is None
    return refusal_of(check_surrender, rnd, step) is None


def offers_left(rnd: Round) -> bool:
    """Whether any bettor may still insure or surrender."""
    return next(open_offers(rnd), None) is not None


def open_offers(rnd: Round) -> Iterator[Offer]:
    """The insurances (amounts left out) and surrenders that may be made now, one by one: whether
    there is any is asked most often. Of people without a wager one stands for all."""
    if not rnd.dealer:
        return
    rank = RANKS[rnd.dealer[0].rank - 1]
    insurance, surrender = rnd.rules.insurance, rnd.rules.surrender
    if insurance and rank in insurance.dealer_first.value:
        yield from (step for step in _insurances(rnd, insurance) if _may(rnd, step))
    if surrender.offered.value == "before_play" and rank in surrender.dealer_first.value:
        yield from (step for step in map(Surrender, _owners(rnd)) if _may(rnd, step))


def late_steps(rnd: Round) -> list[Offer]:
    """The steps that take up what is offered late to a box: one for each bettor who may."""
    if late_offer(rnd) is None:
        return []
    steps = (kind(seat) for kind in (Insure, Surrender) for seat in _owners(rnd))
    return [step for step in steps if is_late(rnd, step) and _may(rnd, step)]


def check_late(rnd: Round, step: Step) -> None:
    """Check that no offer made late is to be taken up or declined before the step."""
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


def _owners(rnd: Round) -> Iterator[Seat]:
    """Everybody who has a main wager."""
    return (box.seat(bettor) for box in rnd.boxes.values() for bettor in box.bettors_in_order)


def _insurances(rnd: Round, rule: InsuranceRules) -> Iterator[Insure]:
    """All that could be insured, by whom; nobody has asked yet whether it may be."""
    yield from map(Insure, _owners(rnd))
    if not rule.others.value:
        return
    everybody = [box.seat(who) for box in rnd.boxes.values() for who in sorted(box.bettors)]
    for owner in _owners(rnd):
        yield from (Insure(taker, owner) for taker in everybody if taker != owner)
    if rule.outside.value:  # people without a wager are named by the box whose insurance they take
        for owner in _owners(rnd):
            yield from _next_outsider(rnd, owner)


def _next_outsider(rnd: Round, owner: Seat) -> list[Insure]:
    """What ``owner`` declined, taken up by the next letter that is free; where each is somebody's
    already, by the first of those who still may."""
    box = rnd.boxes[owner.box]
    letters = [bettor for bettor in OUTSIDE if bettor not in box.bettors]
    known = {bettor for (number, bettor), _ in rnd.insurance if number == box.number}
    letters.sort(key=lambda bettor: bettor in known)
    steps = (Insure(Seat(owner.box, bettor), owner) for bettor in letters)
    return list(islice((step for step in steps if _may(rnd, step)), 1))


def check_surrender(rnd: Round, step: Surrender) -> None:
    """Check ``surrender``: against the document's dealer cards, not on a paid hand, not twice."""
    rule = rnd.rules.surrender
    if rule.offered.value == "in_turn":
        _check_in_turn(rnd, step.seat)
        return
    bet = main_bet(rnd, step.seat, "surrender")
    _check_dealer_has_a_card(rnd)
    _check_dealer_first(rnd, "surrender", rule.dealer_first)
    hand = rnd.boxes[step.seat.box].hands[0]
    drawn = (len(hand.cards) > 2 or hand.doubled) and not _dealer_card_came_late(rnd)
    late = rnd.state == State.PLAY_DECIDE and rnd.irregular.late != ("surrender", step.seat.box)
    if hand.split or drawn or late:
        raise Refused(
            f"surrender is not offered any more ({rnd.state})",
            (rule.after_split if hand.split else rule.offered).clause,
            short="OFFERS ARE OVER",
        )
    if not bet.open:
        raise Refused(
            f"box {step.seat.box} has been paid", rule.offered.clause, short="PAID ALREADY"
        )
    if bet.surrendered:
        raise Refused(
            f"{step.seat} has already surrendered", rule.scope.clause, short="ALREADY GIVEN UP"
        )
    if rule.scope.value == "box":
        control = controller_of(rnd, rnd.boxes[step.seat.box])
        if (step.seat.bettor or "a") != control:
            raise Refused(
                f"{step.seat} may not surrender: {step.seat.box}{control} decides for the box",
                rule.scope.clause,
                short="NOT HIS DECISION",
            )


def _dealer_card_came_late(rnd: Round) -> bool:
    """Whether the dealer's late first card has every hand offered, stood or drawn (MBS 5.12.2)."""
    upon_it = rnd.state in (State.OFFERS_OPEN, State.OFFERS_AGAIN) and len(rnd.dealer) == 1
    return (
        upon_it and rnd.irregular.owing is not None and "surrender" in rnd.irregular.owing.options
    )


def _check_dealer_has_a_card(rnd: Round) -> None:
    if not rnd.dealer:
        raise Refused("the dealer has no card yet", rnd.clause, short="DEALER HAS NONE")
    if len(rnd.dealer) > 1:  # a card was found to lie there
        raise Refused("the dealer has more than one card", rnd.clause, short="DEALER HAS MORE")


def _check_in_turn(rnd: Round, seat: Seat) -> None:
    """Check a surrender in the hand's own turn: on its first two cards, not after a split."""
    rule = rnd.rules.surrender
    hand = decided_by(rnd, seat)
    if hand.split:
        raise Refused(
            f"box {hand.box} has split: its hands may not surrender",
            rule.after_split.clause,
            short="SPLIT ALREADY",
        )
    if len(hand.cards) != 2:
        raise Refused(
            f"box {hand.box} has {len(hand.cards)} cards: only the first two may surrender",
            rule.offered.clause,
            short="ONLY ON 2 CARDS",
        )
    if rnd.dealer:
        _check_dealer_first(rnd, "surrender", rule.dealer_first)


def _check_dealer_first(rnd: Round, what: str, first: Rule[tuple[str, ...]]) -> None:
    if RANKS[rnd.dealer[0].rank - 1] not in first.value:
        raise Refused(
            f"{what} is not offered against the dealer's {rnd.dealer[0]}",
            first.clause,
            short=f"DEALER HAS {rnd.dealer[0]}",
            code="not-against-this-card",
        )


def check_insure(rnd: Round, step: Insure) -> None:
    """Check ``insure``: of one's own wager, or a declined one where the document permits."""
    rule = rnd.rules.insurance
    assert rule
    owner = step.owner or step.seat
    if step.owner is None and step.seat.bettor in OUTSIDE and not rule.outside.value:
        raise Refused(
            f"{step.seat}: people outside the box may not insure",
            rule.outside.clause,
            short="NOT FROM OUTSIDE",
        )
    _check_dealer_has_a_card(rnd)
    _check_dealer_first(rnd, "insurance", rule.dealer_first)
    bet = main_bet(rnd, owner, "insure")
    taker_key = (step.seat.box, step.seat.bettor or "a")
    owner_key = (owner.box, owner.bettor or "a")
    missed = is_late(rnd, Insure(owner)) and not bet.given_back
    if not bet.open and (not missed or rnd.boxes[owner.box].hands[0].is_pontoon):
        raise Refused(
            f"{owner} has been paid: nothing is left to insure",
            rule.paid_hand.clause,
            short="PAID ALREADY",
        )
    if step.owner is not None:
        _check_take_up(rnd, rule, step, taker_key, owner_key)
    elif (taker_key, owner_key) in rnd.insurance:
        raise Refused(f"{owner} is already insured", rule.limit.clause, short="ALREADY INSURED")
    elif any(insured == owner_key for _, insured in rnd.insurance):
        raise Refused(
            f"{owner} declined and another has taken it up",
            rule.others.clause,
            short="ANOTHER TOOK IT",
        )
    limit = rule.limit if step.owner is None else rule.others
    _check_insurance_amount(rnd, bet, owner, owner_key, step.amount, limit.clause)


def _check_take_up(
    rnd: Round, rule: InsuranceRules, step: Insure, taker: BettorKey, owner: BettorKey
) -> None:
    if not rule.others.value:
        raise Refused(
            "nobody may take part in another's insurance", rule.others.clause, short="ONLY HIS OWN"
        )
    stranger = rule.outside.value and taker[0] == owner[0] and taker[1] in OUTSIDE
    box = box_of(rnd, Seat(taker[0]) if stranger else step.seat)
    if taker[1] not in box.bettors and not stranger:
        raise Refused(
            f"{taker[0]}{taker[1]} is not in the round",
            (rule.outside if taker[1] in OUTSIDE else rule.others).clause,
            short="NO SUCH BETTOR",
        )
    if taker == owner:
        raise Refused(
            f"{step.owner} insures his own wager without @",
            rule.others.clause,
            short="HIS OWN: NO B",
        )
    if (owner, owner) in rnd.insurance:
        raise Refused(
            f"{step.owner} has insured it himself", rule.others.clause, short="HE HAS INSURED"
        )
    if (taker, owner) in rnd.insurance:
        raise Refused(
            f"{step.seat} has already taken up {step.owner}'s",
            rule.others.clause,
            short="ALREADY TAKEN UP",
        )


def _check_insurance_amount(
    rnd: Round, bet: Bet, owner: Seat, owner_key: BettorKey, amount: Stake, clause: str
) -> None:
    if bet.stake is None:
        return
    taken = sum(
        placed or 0 for (_, insured), placed in rnd.insurance.items() if insured == owner_key
    )
    if 2 * ((amount or 1) + taken) > bet.stake:
        raise Refused(
            f"insurance of {write_amount(amount) or 'any sum'} for {owner}: at most half of "
            "his wager of "
            f"{write_amount(bet.stake)}"
            + (f", of which {write_amount(taken)} is taken up" if taken else ""),
            clause if not taken else f"{clause}; A-67",
            short="MOST IS HALF",
        )
