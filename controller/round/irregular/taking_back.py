"""The last card of the round taken out of its hand again: it was drawn in error (MBS 5.8; Division
15, 16.4). What it has settled is reversed; it waits, and the document says what becomes of it."""

from __future__ import annotations

from dataclasses import replace

from controller.round.irregular.replaying import Replay, retell
from controller.round.irregular.reporting import lay_aside
from controller.round.log import Loose
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.round.steps.step import Step
from controller.rules.cards import Card


def is_it(step: Step) -> bool:
    """Whether the step reports the last card of the round, by the hand that it went to."""
    says_which = step.seat is not None or step.option.startswith(("dealer", "last"))
    return step.word == "drawn" and says_which


def of_any(step: Step) -> Step:
    """The report of the last card of the round, wherever it went."""
    return replace(step, option=f"last {step.option}".strip())


def last_card(rnd: Round, step: Step, replay: Replay) -> Round:
    """The round with its last card taken back, which that step reports.

    Raises:
        Refused: no card has just left the shoe, or it did not go there.
    """
    if rnd.irregularity is not None:
        raise Refused("something is wrong already: a remedy first", rnd.clause, "ONE AT A TIME")
    if rnd.state == "void" or not rnd.log or rnd.log[-1].what != "card":
        raise Refused(
            "no card has just left the shoe that could be meant", rnd.clause, short="NO CARD"
        )
    numbered = replay(rnd, rnd.log)
    [card] = numbered.log[-1].cards
    _check_place(numbered, step, card)
    again = replay(rnd, rnd.log[:-1])
    seen = (card,) if step.option.endswith("seen") else ()
    remarked = len(again.remarks)
    lay_aside(again, Loose((card,), step.word, seen=seen))
    retell(again, rnd, again.remarks[remarked:])
    return again


def _check_place(rnd: Round, step: Step, card: Card) -> None:
    hands = [hand for hand in rnd.hands if any(lies is card for lies in hand.cards)]
    box = hands[0].box if hands else 0
    wanted = step.seat.box if step.seat else 0
    if step.option.startswith("last"):
        return
    if box != wanted:
        where = f"box {box}" if box else "the dealer's hand"
        raise Refused(f"the last card is {card}, and lies at {where}", rnd.clause, "NOT THAT CARD")
