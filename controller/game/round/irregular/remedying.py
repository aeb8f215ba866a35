"""The effect of remedies on a round.

Every function works on a draft that its caller drops when it refuses; so a change is made whole or
not at all. How a round is played again is handed in (``replay``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from controller.game.commands.values import Option, Seat
from controller.game.round import remedies
from controller.game.round.hands import controller_of
from controller.game.round.irregular import effects, reconstructing, reporting, settling_anew
from controller.game.round.irregular.cases import case_of
from controller.game.round.irregular.options import lost_by_error
from controller.game.round.irregular.replaying import Replay
from controller.game.round.log import Input
from controller.game.round.looks import card_expected, is_offered_on
from controller.game.round.model import BettorKey
from controller.game.round.moves import move, regroup, void
from controller.game.round.refusal import Refused
from controller.game.round.settling.bookkeeping import return_bet, return_bettors, void_hands
from controller.game.round.settling.interim import settle_hand
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import WINDOWS, State
from controller.game.rules.cards import write_cards
from controller.game.rules.cases import KNOWN, NOT_ASKED, Case


def remedy(
    rnd: Round, step: remedies.PutsRight, permitted: list[remedies.PutsRight], replay: Replay
) -> Round:
    """Apply a remedy of the open irregularity, or a player's option after the last one."""
    found = rnd.irregular.irregularity
    if found is None and isinstance(step, remedies.Void) and rnd.state == State.SETTLED:
        void(rnd, rnd.rules.settled_by["void"])
        return rnd
    if found is None and rnd.irregular.options is None:
        raise Refused(f"{step}: nothing is wrong", rnd.clause, short="NOTHING IS WRONG")
    case = case_of(rnd, found) if found else rnd.irregular.options
    assert case
    chosen = next((known for known in permitted if _same(rnd, known, step)), None)
    if chosen is None:
        can = ", ".join(map(str, permitted))
        raise Refused(f"{step} is not permitted; permitted: {can}", case.clause, "NOT PERMITTED")
    if found is None and isinstance(step, remedies.Continue):
        rnd.irregular.options = None
        return rnd
    if found is None and isinstance(step, remedies.VoidHand):
        found = Irregularity(case.trigger)
    elif found is None:
        assert isinstance(chosen, remedies.ChooseCard | remedies.ChooseOption)
        _choose_option(rnd, chosen, case)
        return rnd
    match step:
        case remedies.Void():
            effects.undealt(rnd, found)
            rnd.irregular.irregularity = None
            void(rnd, case.clause_of("void"))
        case remedies.VoidHand():
            _void_hand(rnd, found, step, case)
        case remedies.Continue() | remedies.Reconstruct() if (
            found.trigger == NOT_ASKED
        ):  # of the first such hand
            _answer_for(rnd, step, case)
        case remedies.Reconstruct():
            return _reconstruct(rnd, found, case, replay)
        case remedies.Use() | remedies.Continue() if found.trigger == "dealer-no-card":
            rnd.irregular.finishing = rnd.turn if isinstance(step, remedies.Continue) else None
            effects.without_dealers_card(rnd)
            rnd.irregular.owing = case
            effects.close(rnd, case)
        case remedies.Use():
            effects.use(rnd, found, step.card or found.cards[0], case)
        case remedies.Discard():
            _discard(rnd, found, step, case)
        case remedies.ChooseCard() | remedies.ChooseOption():
            _choose(rnd, found, step, case)
        case remedies.Cap() | remedies.ProRata():
            reporting.limit(rnd, found, step.verb)
            effects.close(rnd, case)
        case _:
            if found.trigger == "wrong-decision":  # whatever cards it may turn out to have had
                for hand in rnd.boxes[found.box].hands:
                    hand.said = tuple(replace(one, stands=True) for one in hand.said)
            effects.undealt(rnd, found)
            effects.close(rnd, case)
    return rnd


def _answer_for(rnd: Round, step: remedies.PutsRight, case: Case) -> None:
    """Go on where a hand was not asked before the dealer drew: it stands as it is, or decides now,
    and what the dealer has drawn are the next cards."""
    hand = rnd.next_hand
    assert hand
    rnd.irregular.irregularity = None

    def answer() -> None:
        if isinstance(step, remedies.Continue):
            hand.refused = case.clause
            return
        drawn = [*hand.beyond, *rnd.dealer[1:], *rnd.irregular.beyond]
        del rnd.dealer[1:]
        hand.beyond, rnd.irregular.beyond = [], []
        rnd.irregular.waiting = [*drawn, *rnd.irregular.waiting]
        rnd.remark(f"box {hand.box} decides now; next: {write_cards(drawn)} ({case.clause})")

    settling_anew.settle_otherwise(rnd, answer)


def _void_hand(rnd: Round, found: Irregularity, step: remedies.VoidHand, case: Case) -> None:
    if step.seat.box == found.box:
        effects.undealt(rnd, found)
    receiver, box = rnd.receiver, rnd.boxes[step.seat.box]
    # Of a box with an open hand only the open ones are void: what was settled before stays.
    if not box.is_open or len(rnd.dealer) > 1:
        settling_anew.settle_otherwise(rnd, lambda: void_hands(rnd, box, case.clause))
    else:
        void_hands(rnd, box, case.clause)
    if found.cards:
        regroup(rnd)
        found.asked = found.asked and card_expected(rnd)
        if rnd.receiver is not receiver:  # the hand that asked for a card is out
            found.asked = False
    else:
        effects.close(rnd, case)


def _same(rnd: Round, known: remedies.PutsRight, given: remedies.PutsRight) -> bool:
    """Whether both are the same step, with the bettor named or left out."""
    at_box = remedies.VoidHand | remedies.ChooseCard | remedies.ChooseOption
    if not isinstance(known, at_box) or not isinstance(given, at_box):
        return known == given
    if type(given) is not type(known) or given.seat.box != known.seat.box:
        return False
    if replace(given, seat=known.seat) != known:
        return False
    returns = isinstance(known, remedies.ChooseOption) and known.option is Option.RETURN

    def bettor_key(seat: Seat) -> BettorKey:
        decides = controller_of(rnd, rnd.boxes[seat.box])
        return seat.box, seat.bettor or ("a" if returns else decides)

    return bettor_key(known.seat) == bettor_key(given.seat)


def _discard(rnd: Round, found: Irregularity, step: remedies.Discard, case: Case) -> None:
    for card in (step.card,) if step.card else tuple(found.cards):
        found.cards.remove(card)
    found.seen = tuple(card for card in found.seen if card in found.cards)
    if not found.cards:
        rnd.irregular.owed = found.asked
        effects.close(rnd, case)


def _reconstruct(rnd: Round, found: Irregularity, case: Case, replay: Replay) -> Round:
    trigger = found.trigger
    if found.cards:
        effects.come_next(rnd, found.cards, at_once=is_offered_on(rnd))
    elif KNOWN[trigger].rewinds:
        rnd = reconstructing.rewind(rnd, found, case, replay)
        if rnd.irregular.irregularity is not None:
            return rnd  # a correction made since is still to be put right
    elif reconstructing.was_said_to_lie(rnd, trigger):
        rnd = reconstructing.put_back_where_due(rnd, replay)
    elif trigger == "not-burned":
        rnd = reconstructing.burn_first(rnd, case, replay)
    effects.close(rnd, case)
    if not found.cards:  # the round may have been played again without the remedy
        rnd.log.append(Input("options", rnd.irregular.options))
    return rnd


def _choose(
    rnd: Round, found: Irregularity, step: remedies.ChooseCard | remedies.ChooseOption, case: Case
) -> None:
    box = rnd.boxes[step.seat.box]
    if isinstance(step, remedies.ChooseCard):
        effects.use(rnd, found, step.card, case, box.number)
    elif found.trigger == remedies.TOGETHER and step.option is not Option.PLAY:
        _leave_together(rnd, found, step, case)
    elif step.option is Option.REFUSE:
        _refuse(rnd, case)
        if rnd.next_hand is None:
            effects.use(rnd, found, found.cards[0], case)
            rnd.irregular.options = None
    else:
        effects.undealt(rnd, found)
        if step.option is Option.RETURN:
            bettor = step.seat.bettor or "a"
            return_bettors(rnd, box, (bettor,), case.clause_of("return"))
        effects.close(rnd, case)


def _leave_together(
    rnd: Round, found: Irregularity, step: remedies.ChooseOption, case: Case
) -> None:
    """Have a player leave cards that left together: the next player may choose from those that were
    seen (MBS 5.23.3.1), or they are the dealer's, as the document has it for his hand."""
    receiver, box = rnd.receiver, rnd.boxes[step.seat.box]
    if step.option is Option.REFUSE:
        _refuse(rnd, case)
    else:
        _take_back(rnd, step, case)
    if receiver is not None and not receiver.over:
        return  # somebody else has left, and nothing has changed for who is to have them
    found.asked = False
    if rnd.is_over:
        rnd.irregular.irregularity = None
        rnd.remark(f"{write_cards(found.cards)} is left over: discard it")
    elif rnd.next_hand is not None and ("decline" in case.options or step.option is Option.REFUSE):
        effects.come_next(rnd, found.cards, at_once=False)
        effects.offer_on(rnd, case, box.number)
    else:
        reporting.open_it(rnd, found)


def _refuse(rnd: Round, case: Case) -> None:
    hand = rnd.offered_to
    assert hand
    hand.over, hand.refused = True, case.clauses.get("refuse", case.options_clause)
    regroup(rnd)


def _take_back(rnd: Round, chosen: remedies.ChooseOption, case: Case) -> None:
    """Have a bettor take back what is not settled."""
    box, bettor = rnd.boxes[chosen.seat.box], chosen.seat.bettor or "a"
    if lost_by_error(rnd, box, bettor):
        take_back = partial(return_bet, rnd, box, bettor, case.options_clause)
        settling_anew.settle_otherwise(rnd, take_back)
    else:
        return_bettors(rnd, box, (bettor,), case.options_clause)
        regroup(rnd)


def _choose_option(
    rnd: Round, chosen: remedies.ChooseCard | remedies.ChooseOption, case: Case
) -> None:
    box = rnd.boxes[chosen.seat.box]
    if isinstance(chosen, remedies.ChooseCard):
        if rnd.state in WINDOWS:
            move(rnd, "done")
        his_turn = box.number == rnd.irregular.chooser and rnd.hand_in_turn
        hand = his_turn or rnd.offered_to
        assert hand
        waiting = rnd.irregular.waiting
        hand.cards.append(waiting.pop(waiting.index(chosen.card)))
        settle_hand(rnd, hand)
        regroup(rnd)
    elif chosen.option is Option.REFUSE:
        _refuse(rnd, case)
        if case.trigger == remedies.TOGETHER:
            rnd.irregular.waiting.clear()
    else:
        _take_back(rnd, chosen, case)
    effects.open_options(rnd, rnd.irregular.options)
