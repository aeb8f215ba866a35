"""Reports of irregularities: whether they may be, and what is done by itself.

What a case leaves to no person is carried out here automatically, with a remark that cites the
clause. How a round is played again is handed in (``replay``).
"""

from __future__ import annotations

from controller.game.round import remedies
from controller.game.round.hands import controller_of
from controller.game.round.irregular import cases, lying_wagers, reconstructing, settling_anew
from controller.game.round.irregular.cases import case_of
from controller.game.round.irregular.effects import close, undealt, use
from controller.game.round.irregular.replaying import Replay
from controller.game.round.log import Input, Loose
from controller.game.round.model import BETTORS, Box
from controller.game.round.moves import leave, move, say_hit
from controller.game.round.refusal import Refused
from controller.game.round.settling.bookkeeping import return_bettors
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import RoundPart, State
from controller.game.rules.cards import RANKS, Card, write_cards
from controller.game.rules.cases import KNOWN, REMEDIES, TRIGGERS, Case, LateOffer


def report(rnd: Round, step: remedies.Report, replay: Replay) -> None:
    """Open an irregularity that a person reports."""
    found = rnd.irregular.irregularity
    if found is not None:
        if isinstance(step, remedies.ReportTogether) and found.trigger == remedies.TOGETHER:
            found.seen = _cards_of_report(found, step.cards)
            open_it(rnd, found)
            return
        if KNOWN[step.trigger].unasked and KNOWN[found.trigger].unasked:  # this says what happened
            found.trigger, found.box = step.trigger, step.box
            seen = isinstance(step, remedies.ReportDrawn) and step.seen
            found.seen = tuple(found.cards) if seen else ()
            open_it(rnd, found)
            return
        raise Refused(
            f"something is wrong already: {TRIGGERS[found.trigger]}",
            case_of(rnd, found).clause,
            short="ONE AT A TIME",
        )
    if rnd.state == State.VOID:  # a settled one lasts until it is cleared
        raise Refused("the round is over", rnd.clause, short="ROUND IS OVER")
    box, about = step.box, KNOWN[step.trigger]
    if box and (box in rnd.boxes) == about.without_hand:
        if box in rnd.boxes:
            raise Refused(
                f"box {box} has a wager",
                rnd.clause,
                short=f"BOX {box} HAS ONE",
                code="box-has-a-wager",
            )
        if not about.any_box:
            raise Refused(
                f"box {box} is not in the round",
                rnd.clause,
                f"NO BOX {box} IN PLAY",
                code="box-not-in-play",
            )
    if step.trigger == "wrong-payment":
        rnd.remark(f"{TRIGGERS[step.trigger]}, box {box}: what is owed there is said again")
        return
    if about.unasked or step.trigger == remedies.TOGETHER:
        raise Refused(f"{step.trigger}: no card has left the shoe for it", rnd.clause, "NO CARD")
    bettor = (step.seat.bettor or "") if step.seat else ""
    amount = step.amount if isinstance(step, remedies.ReportOverMaximum) else None
    found = Irregularity(step.trigger, box=box, bettor=bettor, amount=amount)
    _check_may_be(rnd, found)
    if about.rewinds:
        reconstructing.look_since(rnd, found, replay)
    found.past = not reconstructing.can_be_reconstructed(rnd, found, replay)
    open_it(rnd, found)


def lay_aside(rnd: Round, loose: Loose) -> None:
    """Have cards wait that may not be played as they came."""
    if loose.asked and not rnd.irregular.owed:
        say_hit(rnd)
    cards = [leave(rnd, card) for card in loose.cards]
    rnd.log.append(Input("loose", loose._replace(cards=tuple(cards))))
    log = rnd.log.copy()
    found = Irregularity(loose.trigger, [*cards], loose.asked, loose.seen, loose.box)
    if rnd.state == State.PLAY_WITHDRAW:  # a further card was drawn, wherever it goes
        move(rnd, "done")
    open_it(rnd, found, by_itself=loose.by_itself)
    rnd.log = log  # what was done automatically follows from it


def _check_may_be(rnd: Round, found: Irregularity) -> None:
    """Check that a report of missing cards is possible in the present round."""
    clause = case_of(rnd, found).clause
    if KNOWN[found.trigger].dealt is not None:
        box = rnd.boxes[found.box]
        hand = box.hands[0]
        played = len(box.hands) > 1 or len(hand.cards) != 2 or hand.doubled
        paid = hand.is_pontoon and not box.given_up
        if played or not (paid or any(bet.open for bet in hand.bets.values())):
            raise Refused(
                f"box {found.box} has been played or settled with its cards", clause, "TOO LATE"
            )
    if found.box > rnd.rules.betting.boxes_max.value:
        raise Refused(
            f"there is no box {found.box}", rnd.rules.betting.boxes_max.clause, "NO SUCH BOX"
        )
    if found.trigger == "wrong-decision" and not reconstructing.decisions_of(rnd, found.box):
        raise Refused(f"box {found.box} has made no decision yet", clause, short="NO DECISION YET")
    if found.trigger == "passed-over" and not reconstructing.decisions_of(rnd, found.box):
        raise Refused(
            f"box {found.box} has not been passed over: its turn is to come", clause, "TURN TO COME"
        )
    if found.trigger == "dealer-no-card":
        before = rnd.state == State.OFFERS_OPEN or rnd.state.part in (
            RoundPart.PLAY,
            RoundPart.JACKPOT,
        )
        before = before or rnd.state == State.DEALER_SECOND_CARD
        if len(rnd.dealer) != 1 or not before:
            raise Refused("the dealer has played with his card", clause, short="TOO LATE")


def limit(rnd: Round, found: Irregularity, how: str) -> None:
    """Limit the wagers on the box; those settled already are settled anew within the maximum."""
    if any(not (bet.open or bet.given_back) for bet in rnd.boxes[found.box].bets):
        settling_anew.settle_otherwise(rnd, lambda: lying_wagers.limit(rnd, found, how))
    else:
        lying_wagers.limit(rnd, found, how)


def limit_again(rnd: Round, box: Box) -> None:
    """Have the wagers of the box count for the maximum that was reported, as it was said then."""
    limits: dict[int, tuple[Irregularity, str]] = {}
    reported: Irregularity | None = None
    for given in rnd.log:
        if isinstance(given.step, remedies.ReportOverMaximum):
            step = given.step
            reported = Irregularity(remedies.OVER_MAXIMUM, box=step.box, amount=step.amount)
            case = case_of(rnd, reported)
            if case.by == "table":
                limits[step.box], reported = (reported, case.remedies[0]), None
        elif reported and isinstance(given.step, remedies.PutsRight):  # what was said about it
            if isinstance(given.step, remedies.Cap | remedies.ProRata):
                limits[reported.box] = reported, given.step.verb
            reported = None
    if box.number in limits:
        found, how = limits[box.number]
        if lying_wagers.is_above(rnd, box.number, found.amount, how):
            lying_wagers.limit(rnd, found, how)


def open_it(rnd: Round, found: Irregularity, *, by_itself: bool = True) -> None:
    """Open an irregularity; a remedy that needs no decision is applied at once."""
    found.case = None
    found.case = case_of(rnd, found)
    rnd.irregular.irregularity = found
    if "use-worst" in found.case.remedies and not cases.is_certain(rnd, found.cards):
        warning = f"the card most detrimental to the dealer's hand is used ({found.case.clause})"
        rnd.remark(f"{write_cards(found.cards)}: {warning}")
    if by_itself:
        _by_itself(rnd)


def _cards_of_report(found: Irregularity, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if any(cards.count(card) > found.cards.count(card) for card in cards):
        raise Refused(
            f"{write_cards(cards)}: together left {write_cards(found.cards)}", short="OTHER CARDS"
        )
    return cards


def _by_itself(rnd: Round) -> None:
    found = rnd.irregular.irregularity
    assert found
    case = case_of(rnd, found)
    if case.by != "table":
        return
    remedy = case.remedies[0]
    what = TRIGGERS[found.trigger]
    rnd.remark(f"{what}: {REMEDIES[remedy]} ({case.clause})")
    match remedy:
        case "use":
            use(rnd, found, found.seen[0] if found.seen else found.cards[0], case)
            return
        case "return" if found.trigger == "no-card":
            undealt(rnd, found)
            return_bettors(rnd, rnd.boxes[found.box], BETTORS, case.clause)
        case "cap" | "pro-rata":
            limit(rnd, found, remedy)
        case "offer":
            _offer_late(rnd, found, case)
        case "after-round":
            rnd.irregular.after_round = (*rnd.irregular.after_round, found.trigger)
    close(rnd, case)


def _may_still(rnd: Round, box: Box, bettor: str, offer: LateOffer) -> bool:
    """Whether the offer can be made to the bettor: insurance also where the hand has bust since,
    but never on a Pontoon, and once (Division 15, 16.11, 10.2); surrender to whoever decides for
    the others too (9.6)."""
    bet = box.original_bet(bettor)
    if bet is None or bet.surrendered or bet.given_back:
        return False
    if offer is LateOffer.SURRENDER:
        decides = rnd.rules.surrender.scope.value != "box" or bettor == controller_of(rnd, box)
        return bet.open and decides
    insured = any(owner == (box.number, bettor) for _, owner in rnd.insurance)
    return not insured and (bet.open or not box.hands[0].is_pontoon)


def _offer_late(rnd: Round, found: Irregularity, case: Case) -> None:
    """Make the missed offer now, if it is not too late."""
    offer, box = KNOWN[found.trigger].offer, rnd.boxes[found.box]
    assert offer
    hand = box.hands[0]
    too_late = len(rnd.dealer) != 1 or rnd.state.part is RoundPart.DEAL
    acted = offer is LateOffer.SURRENDER and (len(hand.cards) > 2 or hand.split or hand.doubled)
    rule = rnd.rules.insurance if offer is LateOffer.INSURANCE else rnd.rules.surrender
    first = RANKS[rnd.dealer[0].rank - 1] if rnd.dealer else ""
    opens = rule is not None and first in rule.dealer_first.value
    asked = [found.bettor] if found.bettor else box.bettors_in_order
    standing = any(_may_still(rnd, box, bettor, offer) for bettor in asked)
    if too_late or acted or not opens or not standing:
        raise Refused(
            f"it cannot be offered to box {found.box} any more, or not at all",
            case.clause,
            short="CANNOT BE NOW",
            code="not-offered-late",
        )
    rnd.irregular.late, rnd.irregular.late_to = (offer, found.box), found.bettor
