"""Options after a remedy: what players may choose, and what is the supervisor's to say then."""

from __future__ import annotations

from collections.abc import Iterator

from controller.game.commands.values import Option, Seat
from controller.game.round import remedies
from controller.game.round.looks import is_offered_on
from controller.game.round.model import BETTORS, Box
from controller.game.round.state import Round
from controller.game.round.states import RoundPart
from controller.game.rules.cases import KNOWN, Case


def voidable_boxes(rnd: Round) -> list[Box]:
    """Boxes whose hands can be void: those with a wager that was not given back, settled or not."""
    return [box for box in rnd.boxes.values() if not box.given_up]


def may_refuse(rnd: Round) -> bool:
    """Whether a hand may refuse the next card: not before the initial deal is complete."""
    return rnd.state.part is not RoundPart.DEAL


def _said_since(rnd: Round) -> Iterator[remedies.PutsRight]:
    """What was reported and put right since the last card, decision or press, the newest first."""
    for given in reversed(rnd.log):
        if isinstance(given.step, remedies.PutsRight):
            yield given.step
        elif given.step is not None or given.what in ("card", "waiting", "drawn"):
            return


def _voids_on(rnd: Round) -> bool:
    """Whether a hand was voided just now, and nobody has said that the others stand."""
    either = remedies.VoidHand | remedies.Continue
    newest = next((step for step in _said_since(rnd) if isinstance(step, either)), None)
    return isinstance(newest, remedies.VoidHand)


def lost_by_error(rnd: Round, box: Box, bettor: str) -> bool:
    """Whether the bettor's hand was settled by the very error that was reported and is not
    reconstructed: it is no less invalid than one that still plays (RWS Pontoon Plus 5.7.3). Of a
    box that has split it is not known which hand that was."""
    reported = [
        step.box
        for step in _said_since(rnd)
        if isinstance(step, remedies.Report) and KNOWN[step.trigger].rewinds
    ]
    if box.number not in reported:
        return False
    bets = [hand.bets[bettor] for hand in box.hands if bettor in hand.bets]
    return (
        len(box.hands) == 1 and bool(bets) and not any(bet.open or bet.given_back for bet in bets)
    )


def has_open(rnd: Round, box: Box, bettor: str) -> bool:
    """Whether the bettor has a wager on the box that is not settled: on a hand, at its side, or an
    insurance that he took up, also from outside it (MBS 5.25, 5.29.1)."""
    if any(hand.bets[bettor].open for hand in box.hands if bettor in hand.bets):
        return True
    who = (box.number, bettor)
    if any(taker == who for taker, _ in rnd.open_insurance):
        return True
    sides = {kind for kind in box.sides if bettor in box.side(kind)}
    if sides:
        sides -= {s.kind for s in rnd.settlements if (s.box, s.bettor) == who}
    return bool(sides)


def options_of(rnd: Round) -> Iterator[remedies.PutsRight]:
    """What players, and behind a voided hand the supervisor, may say after the last remedy."""
    case = rnd.irregular.options
    if case is None:
        return
    if "void-hand" in case.options and _voids_on(rnd):
        yield from (remedies.VoidHand(Seat(box.number)) for box in voidable_boxes(rnd))
        yield remedies.Continue()
    yield from returns(rnd, case)
    hand = rnd.offered_to
    offered = case.trigger != remedies.TOGETHER or "decline" in case.options
    if not (offered and "refuse" in case.options and rnd.irregular.waiting):
        return
    if may_refuse(rnd) and hand is not None:
        yield remedies.ChooseOption(Seat(hand.box), Option.REFUSE)
        if case.trigger == remedies.TOGETHER:
            takers = [hand.box]
            if _takes_more(rnd) and rnd.irregular.chooser != hand.box:
                takers.append(rnd.irregular.chooser)
            for taker in takers:
                cards = dict.fromkeys(rnd.irregular.waiting)
                yield from (remedies.ChooseCard(Seat(taker), card) for card in cards)


def returns(rnd: Round, case: Case) -> Iterator[remedies.ChooseOption]:
    """The bettors who may take back what is not settled, where the case lets them."""
    if "return" not in case.options:
        return
    for box in rnd.boxes.values():
        for bettor in BETTORS:
            if has_open(rnd, box, bettor) or lost_by_error(rnd, box, bettor):
                yield remedies.ChooseOption(box.seat(bettor), Option.RETURN)


def _takes_more(rnd: Round) -> bool:
    """Whether the hand that chose among cards that left together may have another of them: it is in
    turn, and was neither doubled nor is a split ace, whose other ace is another hand."""
    hand = rnd.hand_in_turn
    if hand is None or hand.box != rnd.irregular.chooser or is_offered_on(rnd):
        return False
    return not hand.over


def supervisors_options(rnd: Round) -> list[remedies.PutsRight]:
    """The options behind a remedy that are the supervisor's to give: to void more hands, or to end
    that (Division 15, 16.5(a)), and what takes a settlement back."""
    case = rnd.irregular.options
    if case is None or rnd.irregular.irregularity is not None:
        return []
    return [
        step
        for step in options_of(rnd)
        if isinstance(step, remedies.VoidHand | remedies.Continue) or _reverses(rnd, step)
    ]


def _reverses(rnd: Round, step: remedies.PutsRight) -> bool:
    """Whether the option takes back what was settled."""
    if not isinstance(step, remedies.ChooseOption) or step.option is not Option.RETURN:
        return False
    return lost_by_error(rnd, rnd.boxes[step.seat.box], step.seat.bettor or "a")
