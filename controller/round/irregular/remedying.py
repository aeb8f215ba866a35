"""The effect of reports and remedies on a round.

Every function works on a draft that its caller drops when it refuses; so a change is made whole or
not at all. How a round is played again is handed in (``replay``). What a case leaves to no person
is carried out here automatically, with a remark that cites the clause.
"""

from __future__ import annotations

from controller.round.irregular import limiting, replaying
from controller.round.irregular.cases import case_of, remedies
from controller.round.irregular.replaying import Replay
from controller.round.irregularity import Irregularity
from controller.round.log import Given
from controller.round.looks import card_expected
from controller.round.model import BETTORS
from controller.round.moves import give_aside, receive_waiting, regroup, void
from controller.round.refusal import Refused
from controller.round.seats import controller_of
from controller.round.settling.returning import return_bettors, void_hands
from controller.round.state import Round
from controller.round.steps.step import Seat, Step
from controller.rules.cards import RANKS, Card, write_cards
from controller.rules.cases import REMEDIES, TRIGGERS
from controller.rules.schema import Case

NOT_OF_THE_ROUND = frozenset({"empty-box", "side-without-main", "late-bet"})
"""Triggers about a box that need not be in the round."""

_DRAWN = ("drawn", "empty-box")
"""Triggers of a card that no one asked for, which may be reported while the card already waits."""

LATE = {"missed-insurance": "insure", "missed-surrender": "surrender"}


def report(rnd: Round, step: Step, replay: Replay) -> None:
    """Open an irregularity that a person reports."""
    found = rnd.irregularity
    if found is not None:
        if step.word == "together" == found.trigger:
            found.seen = _seen(found, step.cards)
            open_it(rnd, found)
            return
        if step.word in _DRAWN and found.trigger in _DRAWN:  # the report says what happened
            found.trigger, found.box = step.word, step.seat.box if step.seat else 0
            found.seen = tuple(found.cards) if step.option == "seen" else ()
            open_it(rnd, found)
            return
        raise Refused(
            f"something is wrong already: {TRIGGERS.get(found.trigger, found.trigger)}",
            case_of(rnd, found).clause,
            short="ONE AT A TIME",
        )
    if rnd.ended:
        raise Refused("the round is over", rnd.clause, short="ROUND IS OVER")
    box = step.seat.box if step.seat else 0
    if box and (box in rnd.boxes) == (step.word in ("empty-box", "side-without-main")):
        if box in rnd.boxes:
            raise Refused(f"box {box} has a wager", rnd.clause, short=f"BOX {box} HAS ONE")
        if step.word not in NOT_OF_THE_ROUND:
            raise Refused(f"box {box} is not in the round", rnd.clause, f"NO BOX {box} IN PLAY")
    if step.word in ("together", "drawn", "empty-box"):
        raise Refused(f"{step.word}: no card has left the shoe for it", rnd.clause, "NO CARD")
    found = Irregularity(step.word, box=box, amount=step.amount)
    _check_may_be(rnd, found)
    found.past = not replaying.can_be_reconstructed(rnd, found, replay)
    open_it(rnd, found)


def _check_may_be(rnd: Round, found: Irregularity) -> None:
    """Check that a report of missing cards is possible in the present round."""
    clause = case_of(rnd, found).clause
    if found.trigger in ("no-card", "one-card"):
        box = rnd.boxes[found.box]
        hand = box.hands[0]
        played = len(box.hands) > 1 or len(hand.cards) != 2 or hand.doubled
        if played or not any(bet.open for bet in hand.bets.values()):
            raise Refused(
                f"box {found.box} has been played or settled with its cards", clause, "TOO LATE"
            )
    if found.box > rnd.rules.betting.boxes_max.value:
        raise Refused(
            f"there is no box {found.box}", rnd.rules.betting.boxes_max.clause, "NO SUCH BOX"
        )
    if found.trigger == "passed-over" and not replaying.decisions_of(rnd, found.box):
        raise Refused(
            f"box {found.box} has not been passed over: its turn is to come", clause, "TURN TO COME"
        )
    if found.trigger == "dealer-no-card":
        before = rnd.state == "offers.open" or rnd.state.startswith(("play.", "jackpot."))
        if len(rnd.dealer) != 1 or not before:
            raise Refused("the dealer has played with his card", clause, short="TOO LATE")


def open_it(rnd: Round, found: Irregularity, *, by_itself: bool = True) -> None:
    """Open an irregularity; a remedy that needs no decision is applied at once."""
    found.case = None
    found.case = case_of(rnd, found)
    rnd.irregularity = found
    rnd.options = None
    if by_itself:
        _by_itself(rnd)


def _seen(found: Irregularity, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if any(cards.count(card) > found.cards.count(card) for card in cards):
        raise Refused(
            f"{write_cards(cards)}: together left {write_cards(found.cards)}", short="OTHER CARDS"
        )
    return cards


def _by_itself(rnd: Round) -> None:
    found = rnd.irregularity
    assert found
    case = case_of(rnd, found)
    if case.by != "table":
        return
    remedy = case.remedies[0]
    what = TRIGGERS.get(found.trigger, found.trigger)
    rnd.remarks.append(f"{what}: {REMEDIES[remedy]} ({case.clause})")
    match remedy:
        case "use":
            _use(rnd, found, found.seen[0] if found.seen else found.cards[0], case)
            return
        case "return" if found.trigger == "no-card":
            _undealt(rnd, found)
            return_bettors(rnd, rnd.boxes[found.box], BETTORS, case.clause)
        case "cap" | "pro-rata":
            limiting.limit(rnd, found, remedy)
        case "offer":
            _offer_late(rnd, found, case)
        case "after-round":
            rnd.after_round = (*rnd.after_round, found.trigger)
    _close(rnd, case)


def _open_options(rnd: Round, case: Case | None) -> None:
    """Open the players' options after the remedy, where there are any."""
    rnd.options = case if case and case.options else None
    if not remedies(rnd):
        rnd.options = None


def _close(rnd: Round, case: Case) -> None:
    rnd.irregularity = None
    _open_options(rnd, case)
    regroup(rnd)


def remedy(rnd: Round, step: Step, replay: Replay) -> Round:
    """Apply a remedy of the open irregularity, or a player's option after the last one."""
    found = rnd.irregularity
    if found is None and rnd.options is None:
        raise Refused(f"{step}: nothing is wrong", rnd.clause, short="NOTHING IS WRONG")
    permitted = remedies(rnd)
    case = case_of(rnd, found) if found else rnd.options
    assert case
    chosen = next((known for known in permitted if _same(rnd, known, step)), None)
    if chosen is None:
        can = ", ".join(map(str, permitted))
        raise Refused(f"{step} is not permitted; permitted: {can}", case.clause, "NOT PERMITTED")
    if found is None:
        _choose_option(rnd, chosen, step, case)
        return rnd
    match step.verb:
        case "void":
            _undealt(rnd, found)
            rnd.irregularity = None
            void(rnd, case.clause_of("void"))
        case "void-hand":
            assert step.seat
            if step.seat.box == found.box:
                _undealt(rnd, found)
            receiver = rnd.receiver
            void_hands(rnd, rnd.boxes[step.seat.box], case.clause)
            if found.cards:
                regroup(rnd)
                found.asked = found.asked and card_expected(rnd)
                if rnd.receiver is not receiver:  # the hand that asked for a card is out
                    found.asked = False
            else:
                _close(rnd, case)
        case "reconstruct":
            return _reconstruct(rnd, found, case, replay)
        case "use" | "continue" if found.trigger == "dealer-no-card":
            rnd.dealer.clear()
            rnd.finishing = rnd.turn if step.verb == "continue" else None
            rnd.owing = case
            _close(rnd, case)
        case "use":
            _use(rnd, found, step.cards[0] if step.cards else found.cards[0], case)
        case "discard":
            _discard(rnd, found, step.cards, case)
        case "choose":
            _choose(rnd, found, step, case)
        case "cap" | "pro-rata":
            limiting.limit(rnd, found, step.verb)
            _close(rnd, case)
        case _:
            _undealt(rnd, found)
            _close(rnd, case)
    return rnd


def _undealt(rnd: Round, found: Irregularity) -> None:
    """Take the cards that a box did not get out of its hand, where the round had placed them."""
    got = {"no-card": 0, "one-card": 1}.get(found.trigger)
    if got is not None:
        hand = rnd.boxes[found.box].hands[0]
        del hand.cards[got:]
        hand.pontoon_barred = True


def _same(rnd: Round, known: Step, given: Step) -> bool:
    """Whether both are the same step, with the bettor named or left out."""
    if (known.verb, known.word, known.cards) != (given.verb, given.word, given.cards):
        return False
    if known.seat is None or given.seat is None:
        return known.seat is given.seat

    def whole(seat: Seat) -> tuple[int, str]:
        return seat.box, seat.bettor or controller_of(rnd, rnd.boxes[seat.box])

    return known.seat.box == given.seat.box and whole(known.seat) == whole(given.seat)


def _use(rnd: Round, found: Irregularity, card: Card, case: Case, chooser: int = 0) -> None:
    """Make the card the next one; those that left with it follow, or are discarded."""
    rest = found.cards.copy()
    rest.remove(card)
    if "use-one" in case.remedies:
        rest = []
    left = [card, *rest]
    rnd.waiting = [*left, *rnd.waiting] if found.asked else [*rnd.waiting, *left]
    rnd.irregularity = None
    if found.asked:
        receive_waiting(rnd)
    rnd.chooser = chooser
    _open_options(rnd, case)


def _discard(rnd: Round, found: Irregularity, cards: tuple[Card, ...], case: Case) -> None:
    for card in cards or tuple(found.cards):
        found.cards.remove(card)
    if not found.cards:
        rnd.owed = found.asked
        _close(rnd, case)


def _reconstruct(rnd: Round, found: Irregularity, case: Case, replay: Replay) -> Round:
    match found.trigger:
        case _ if found.cards:
            rnd.waiting = [*rnd.waiting, *found.cards]
        case "passed-over" | "wrong-decision":
            rnd = replaying.rewind(rnd, found, case, replay)
        case "not-burned":
            rnd = replaying.burn_first(rnd, case, replay)
    _close(rnd, case)
    if not found.cards:  # the round may have been played again without the remedy
        rnd.log.append(Given("options", rnd.options))
    return rnd


def _choose(rnd: Round, found: Irregularity, step: Step, case: Case) -> None:
    assert step.seat
    box = rnd.boxes[step.seat.box]
    if step.cards:
        _use(rnd, found, step.cards[0], case, box.number)
    elif step.word == "refuse":
        _refuse(rnd, case)
        if rnd.next_hand is None:
            _use(rnd, found, found.cards[0], case)
            rnd.options = None
    else:
        _undealt(rnd, found)
        if step.word == "return":
            bettor = step.seat.bettor or controller_of(rnd, box)
            return_bettors(rnd, box, (bettor,), case.clause_of("return"))
        _close(rnd, case)


def _refuse(rnd: Round, case: Case) -> None:
    hand = rnd.offered_to
    assert hand
    hand.over, hand.refused = True, case.options_clause
    regroup(rnd)


def _choose_option(rnd: Round, chosen: Step, step: Step, case: Case) -> None:
    assert chosen.seat
    box = rnd.boxes[chosen.seat.box]
    if step.cards:
        hand = rnd.hand_in_turn if step.seat and box.number == rnd.chooser else rnd.offered_to
        assert hand
        rnd.waiting.remove(step.cards[0])
        give_aside(rnd, hand, step.cards[0])
    elif step.word == "refuse":
        _refuse(rnd, case)
        if case.trigger == "together":
            rnd.waiting.clear()
    else:
        bettor = chosen.seat.bettor or controller_of(rnd, box)
        return_bettors(rnd, box, (bettor,), case.options_clause)
        regroup(rnd)
    _open_options(rnd, rnd.options)


def _opened_by(rnd: Round, verb: str) -> tuple[str, ...]:
    rule = rnd.rules.insurance if verb == "insure" else rnd.rules.surrender
    return rule.dealer_first.value if rule else ()


def _offer_late(rnd: Round, found: Irregularity, case: Case) -> None:
    """Make the missed offer now, if it is not too late."""
    verb, hand = LATE[found.trigger], rnd.boxes[found.box].hands[0]
    too_late = len(rnd.dealer) != 1 or rnd.state.startswith("deal.")
    acted = verb == "surrender" and (len(hand.cards) > 2 or hand.split or hand.doubled)
    opens = RANKS[rnd.dealer[0].rank - 1] in _opened_by(rnd, verb) if rnd.dealer else False
    standing = any(bet.open and not bet.surrendered for bet in hand.bets.values())
    if too_late or acted or not opens or not standing:
        raise Refused(
            f"it cannot be offered to box {found.box} any more, or not at all",
            case.clause,
            short="CANNOT BE NOW",
        )
    rnd.late = (verb, found.box)
