"""Corrections at the live table: who may make them, and the corrected count of the shoe.

Consecutive ``correct`` and ``lies`` are one correction, which the next other command, or ``done``,
has judged; while play is held, each is judged at once. One that takes settlements back is the
supervisor's, with name and reason, until bets are opened for the next round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from controller.game.commands.verbs import CORRECTIONS
from controller.game.round import play
from controller.game.round.irregular.replaying import takes_back
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.remedies import Correct, Correction
from controller.game.round.state import Round
from controller.game.round.steps import Step
from controller.game.rules.cards import TEN, Card
from controller.table.state.table import Table


class TakesBack(Refused):
    """The refusal of what takes settlements back, without the supervisor's name and reason."""


def check(table: Table, card: Card, no_tens: str = "NO TENS") -> None:
    """Check that the shoe can have held one more of that card; Refused, on a keypad in the words
    ``no_tens``, where the set has no tens, or where all cards of that kind have left the shoe."""
    tens = table.rules.cards.tens
    if not tens.value and card.rank == TEN:
        said = f"{card}: the set has no tens"
        raise Refused(said, tens.clause, no_tens, code="no-tens-in-set")
    if table.shoe.used[card] >= table.settings.decks:
        raise Refused(
            f"{card}: all {table.settings.decks} of this shoe have come; it cannot be this card",
            short="ALL ARE OUT",
        )


def ended_by(table: Table, verb: str, step: Step | None) -> tuple[Correction, ...]:
    """The corrections that the dealer's command has judged before it is carried out; ``step`` is
    what it is of a round, if it is of one."""
    rnd, more = table.rnd, verb in (*CORRECTIONS, "undo", "shuffle")
    return () if rnd is None or more or wait_behind(rnd, step) else rnd.irregular.edits


def wait_behind(rnd: Round, step: Step | None) -> bool:
    """Whether the corrections are not judged before the step: it takes a decision back that stands
    against them."""
    return step is not None and not play.judges_first(rnd, step)


def judge(table: Table, *, by_dealer: bool) -> None:
    """Have the corrections judged; Refused where the cards do not permit what was decided on them,
    or the dealer began a correction that takes settlements back."""
    table.dealing.judged(_judged(table, by_dealer=by_dealer))


def end_before_event(table: Table) -> None:
    """Have the corrections judged because something happens that does not wait for them, a card or
    a power cut; where they may not be judged now they are dropped, and a note says so."""
    rnd = table.rnd
    assert rnd
    if refusal := refused(table, by_dealer=True):
        table.dealing.judged(play.without_corrections(rnd))
        table.note(f"the correction is dropped: {refusal.reason}")
        return
    judge(table, by_dealer=True)
    count_again(table, rnd.irregular.edits)


def refused(table: Table, *, by_dealer: bool) -> Refused | None:
    """The reason against judging the corrections now; None where there is none."""
    return refusal_of(_judged, table, by_dealer=by_dealer)


def _judged(table: Table, *, by_dealer: bool) -> Round:
    rnd = table.rnd
    assert rnd
    after = play.judge(rnd)
    if by_dealer and table.dealing.by_dealer:
        check_nothing_taken_back(rnd, after)
    return after


def check_nothing_taken_back(before: Round, after: Round) -> None:
    """Check that no settlement is reversed; raises :class:`TakesBack`."""
    if takes_back(before, after):
        raise TakesBack(
            "this takes settlements back: the supervisor gives it, with name and reason",
            before.clause,
            short="SUPERVISOR ONLY",
            code="takes-settlements-back",
        )


def count_again(table: Table, steps: Iterable[Correction]) -> None:
    """Correct the count of the shoe and the round's list of cards."""
    dealing = table.dealing
    for step in steps:
        if not isinstance(step, Correct):
            continue
        named = [at for at, loose in enumerate(dealing.drawn) if loose.card is not None]
        place, card = named[step.number - 1], step.card
        old, new = dealing.drawn[place], replace(dealing.drawn[place], card=card)
        assert old.card
        if not old.foreign:
            table.shoe.correct(old.card, card)
        dealing.drawn = [*dealing.drawn[:place], new, *dealing.drawn[place + 1 :]]
        if old is dealing.kept:
            dealing.kept = new
