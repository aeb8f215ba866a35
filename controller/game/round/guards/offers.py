"""Guards of insurance and surrender."""

from __future__ import annotations

from controller.game.commands.values import Seat
from controller.game.money import Stake, write_amount
from controller.game.round.looks import is_late
from controller.game.round.model import OUTSIDE, Bet, BettorKey
from controller.game.round.refusal import Refused
from controller.game.round.seats import box_of, controller_of, decided_by, main_bet
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Insure, Surrender
from controller.game.rules.cards import RANKS
from controller.game.rules.schema import Rule


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
            f"box {step.seat.box} has been paid",
            rule.offered.clause,
            short="PAID ALREADY",
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
    """Whether these are the offers upon the dealer's late first card, which the case makes to every
    hand, stood or drawn (MBS 5.12.2)."""
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
    """Check ``insure``: of the bettor's own wager, or of one whose owner declined, where the
    document permits."""
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
        _check_take_up(rnd, step, taker_key, owner_key)
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


def _check_take_up(rnd: Round, step: Insure, taker: BettorKey, owner: BettorKey) -> None:
    rule = rnd.rules.insurance
    assert rule
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
