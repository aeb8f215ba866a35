"""Opening and closing the table, and whether bets may be opened on it.

A table that was never closed is simply ``idle``. ``close-table`` (supervisor, between rounds)
removes the wagers and reports what remains in the shoe; the state is ``closed`` and nothing is
dealt. The table opens when two persons have checked the cards independently (Division 15, 6.1), in
either order: the supervisor with ``open-table``, the dealer with ``inspected``. Then a shuffled
shoe is loaded before the first bets (7.1(a)).
"""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.game.round.wagers import Sheet
from controller.table import sequence
from controller.table.betting import bets
from controller.table.shoe import book, cutting
from controller.table.state.course import Phase
from controller.table.state.table import Table

DEALER, SUPERVISOR = "dealer", "supervisor"


def close_table(table: Table) -> None:
    """``close-table``: no gaming until the table is opened again."""
    sequence.check(table, "close_table")
    if table.phase is Phase.ENDED:
        bets.clear(table)
    sequence.pull(table, "close_table")
    table.betting.sheet, table.betting.settled_below = Sheet(), frozenset()
    table.course.checked = frozenset()
    count = book.remaining(table)
    cards = "an unknown number of" if count is None else str(count)
    table.note(f"the table is closed; {cards} cards remain in the shoe")
    table.shoe.shuffle_due(table.round_number, cutting.CLOSED)


def open_table(table: Table) -> None:
    """``open-table``: the supervisor has checked the cards."""
    _checked(table, SUPERVISOR)


def inspected(table: Table) -> None:
    """``inspected``: the dealer has checked the cards."""
    _checked(table, DEALER)


def _checked(table: Table, by: str) -> None:
    sequence.check(table, "inspect")
    if by in table.course.checked:
        raise Refused(f"the {by} has checked the cards already", short="CHECKED ALREADY")
    table.course.checked |= {by}
    sequence.pull(table, "inspect")
    if table.phase is Phase.IDLE:
        table.note("the table is open: dealer and supervisor have checked")


def begin_shift(table: Table) -> None:
    """``shift``: what is counted from now on belongs to a new shift (:mod:`controller.counters`). A
    round that is not cleared could still be changed by ``undo``, so it must be cleared first."""
    sequence.check(table, "shift")
    table.note("a shift begins")


def awaited(table: Table) -> list[str]:
    """Who must still check the cards of a closed table."""
    return [by for by in (SUPERVISOR, DEALER) if by not in table.course.checked]
