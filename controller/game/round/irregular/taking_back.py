"""The last card of the round taken out of its hand again: it was drawn in error (MBS 5.8; Division
15, 16.4), went to an empty box, or another one left the shoe together with it. What it has settled
is reversed; it waits, and the document says what becomes of it."""

from __future__ import annotations

from itertools import takewhile

from controller.game.round.irregular.replaying import Replay, numbered, retell
from controller.game.round.irregular.reporting import lay_aside
from controller.game.round.log import Input, Loose
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Report, ReportDrawn, WagerLies
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Free, Hit
from controller.game.rules.cards import Card
from controller.game.rules.cases import KNOWN


def is_it(step: Report) -> bool:
    """Whether the step reports the last card of the round, by the hand that it went to."""
    return isinstance(step, ReportDrawn) and (step.dealer or step.seat is not None)


def last_card(rnd: Round, step: Report, replay: Replay) -> Round:
    """The round with its last card taken back, which that step reports; wherever it went, where the
    step does not say that. Refused where no card has just left the shoe, or it did not go there."""
    if rnd.irregular.irregularity is not None:
        raise Refused("something is wrong already: a remedy first", rnd.clause, "ONE AT A TIME")
    last = _last(rnd)
    if rnd.state == State.VOID or last is None or last.what != "card":
        raise Refused(
            "no card has just left the shoe that could be meant", rnd.clause, short="NO CARD"
        )
    box = step.box if KNOWN[step.trigger].without_hand else 0
    if box in rnd.boxes:
        raise Refused(
            f"box {box} has a wager", rnd.clause, short=f"BOX {box} HAS ONE", code="box-has-a-wager"
        )
    [card] = last.cards
    if is_it(step):
        _check_place(numbered(rnd, replay, rnd.log), step)
    seen = (card,) if isinstance(step, ReportDrawn) and step.seen else ()
    return _without_last(rnd, Loose((card,), step.trigger, seen=seen, box=box), replay, asked=False)


def _is_wager(given: Input) -> bool:
    return isinstance(given.step, WagerLies)


def _last(rnd: Round) -> Input | None:
    """The last input, but for what lies there as a wager."""
    return next((given for given in reversed(rnd.log) if not _is_wager(given)), None)


def joins(rnd: Round) -> bool:
    """Whether a card that left the shoe together with the one before it joins that one: it has just
    been dealt, or waits for the same reason; also where the round was settled with it."""
    last = _last(rnd)
    if rnd.state == State.VOID or last is None:
        return False
    if last.loose is not None:  # one that lay face up may have been used already, by itself
        return last.loose.trigger in ("together", "face-up", "foreign")
    return last.what == "card" and rnd.irregular.irregularity is None


def together(rnd: Round, card: Card, replay: Replay, *, foreign: bool = False) -> Round:
    """The round in which ``card`` waits with the last one, together with which it left the shoe
    (:func:`joins`); ``foreign``: it does not belong to the set, which comes first, as it does of
    the others."""
    last = _last(rnd)
    assert last
    asked = last.loose.asked if last.loose else True
    foreign = foreign or (last.loose is not None and last.loose.trigger == "foreign")
    trigger = "foreign" if foreign else "together"
    return _without_last(rnd, Loose((*last.cards, card), trigger, asked=asked), replay)


def _without_last(rnd: Round, loose: Loose, replay: Replay, *, asked: bool = True) -> Round:
    """The round with ``loose`` in place of its last input; where nobody had ``asked`` for the card,
    it was no hit either."""
    wagers = len(list(takewhile(_is_wager, reversed(rnd.log))))  # said since: they lie there still
    end = len(rnd.log) - wagers
    log, behind = rnd.log[: end - 1], rnd.log[end:]
    said = log[-1].step if log else None
    if not asked and isinstance(said, Hit | Free):
        log = log[:-1]
    again = replay(rnd, [*log, *behind])
    remarked = len(again.irregular.remarks)
    lay_aside(again, loose)
    retell(again, rnd, again.irregular.remarks[remarked:])
    return again


def _check_place(rnd: Round, step: Report) -> None:
    last = _last(rnd)
    assert last
    [card] = last.cards
    hands = [hand for hand in rnd.hands if any(lies is card for lies in hand.cards)]
    box = hands[0].box if hands else 0
    if box != step.box:
        where = f"box {box}" if box else "the dealer's hand"
        raise Refused(f"the last card is {card}, and lies at {where}", rnd.clause, "NOT THAT CARD")
