"""Opening and closing the table, and whether bets may be opened on it.

A table that was never closed is simply ``idle``. ``close-table`` (supervisor, between rounds)
takes the wagers out and says what remains in the shoe; the state is ``closed`` and nothing is
dealt. It opens when two have checked the cards independently (Division 15, 6.1), in either order:
the supervisor with ``open-table``, the dealer with ``inspected``. Then a shuffled shoe is loaded
before the first bets (7.1(a)).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.round.refusal import Refused
from controller.round.wagers import Sheet
from controller.table.betting import rounds
from controller.table.shoe import book, card_sets, shuffling

if TYPE_CHECKING:
    from controller.table.table import Table

CLOSED = "closed"
DEALER, SUPERVISOR = "dealer", "supervisor"


def refused(table: Table) -> Refused | None:
    """Why no bets may be opened or closed with the cards as they are."""
    return shuffling.refused(table) or card_sets.refused(table)


def close_table(table: Table) -> None:
    """``close-table``: no gaming until it is opened again."""
    if table.phase not in ("idle", "ended") or table.hold or table.burning:
        raise Refused(
            f"the table can be closed only between rounds ({table.state})", short="ROUND NOT OVER"
        )
    if table.phase == "ended":
        rounds.clear(table)
    table.sheet, table.phase, table.checked = Sheet(), CLOSED, frozenset()
    count = book.remaining(table)
    cards = "an unknown number of" if count is None else str(count)
    table.outcome.notes.append(f"the table is closed; {cards} cards remain in the shoe")
    shuffling.due(table, table.round_number, "the table was closed")


def open_table(table: Table) -> None:
    """``open-table``: the supervisor has checked the cards."""
    _checked(table, SUPERVISOR)


def inspected(table: Table) -> None:
    """``inspected``: the dealer has checked the cards."""
    _checked(table, DEALER)
    table.saved = None


def _checked(table: Table, by: str) -> None:
    if table.phase != CLOSED:
        raise Refused(f"the table is not closed ({table.state})", short="TABLE IS OPEN")
    if by in table.checked:
        raise Refused(f"the {by} has checked the cards already", short="CHECKED ALREADY")
    table.checked |= {by}
    if len(table.checked) == 2:
        table.phase = "idle"
        table.outcome.notes.append("the table is open: dealer and supervisor have checked")


def begin_shift(table: Table) -> None:
    """``shift``: what is counted from now on belongs to a new shift (:mod:`controller.counters`).
    A round that is not cleared away could still be gone back to, so it comes first."""
    if table.phase not in ("idle", CLOSED):
        raise Refused(
            f"a shift begins between rounds ({table.state}): clear the round first (next)",
            short="ROUND NOT OVER",
        )
    table.outcome.notes.append("a shift begins")


def awaited(table: Table) -> str:
    """Who has still to check the cards of a closed table."""
    missing = [by for by in (SUPERVISOR, DEALER) if by not in table.checked]
    return " and ".join(missing)
