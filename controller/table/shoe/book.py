"""The book of the shoe: what has left it, and what remains.

- **A new shoe** is counted from the start: what remains is the decks less the cards that have
  left. A shoe that was in use before the table knew it is not counted.
- **A count that differs**, where the shoe counts for itself, is a card missing or too many. It
  belongs to no round (matrix A-72): it is said, and holds between rounds.
"""

from __future__ import annotations

from controller.table.holds.holding import hold
from controller.table.state.holds import Hold
from controller.table.state.shoe import ShoeBook
from controller.table.state.table import Table

UNKNOWN = 0xFFFF
"""``remaining`` of a shoe that does not count."""


def begin(table: Table) -> None:
    """A full shoe has been loaded."""
    table.shoe.used.clear()
    table.shoe.cutting_card = table.shoe.burning = False
    table.shoe.book = ShoeBook(counted=True, fresh=not table.mid_round)
    table.note(f"a new shoe of {table.settings.shoe_size} cards")


def left(table: Table, told: int, *, through_gate: bool) -> None:
    """A card has left it; ``told`` is what the shoe says that it still holds."""
    table.shoe.cards_taken += through_gate
    table.shoe.cards_seen += 1
    table.shoe.book.fresh = False
    table.shoe.book.out += 1
    table.shoe.book.told = None if told == UNKNOWN else told


def remaining(table: Table) -> int | None:
    """Cards in the shoe by our own count; None where it is not known."""
    return table.settings.shoe_size - table.shoe.book.out if table.shoe.book.counted else None


def compare(table: Table, told: int, *, exchanged: bool) -> None:
    """Between rounds, the shoe's own count against ours; ``exchanged``: its cards were taken out
    before. A shoe that does not count its cards as they leave is not asked."""
    book = table.shoe.book
    ours = table.settings.shoe_size if exchanged else remaining(table)
    if exchanged:
        book.counted = book.fresh = False
    if book.told is None or told == UNKNOWN or table.mid_round or ours in (None, told):
        return
    assert ours is not None
    book.counted = False
    difference = f"{ours - told} missing" if told < ours else f"{told - ours} too many"
    hold(
        table,
        Hold(
            "shoe-count",
            f"the card shoe holds {told} cards and should hold {ours}: {difference}. No round is "
            "concerned; have the set checked before it is played on",
            device="shoe",
        ),
    )
