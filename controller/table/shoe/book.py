"""The count of the shoe: which cards have left it, and how many remain.

- **A new shoe** is counted from the start: what remains is the decks less the cards that have
  left. A shoe that was in use before the table knew it is not counted.
- **A count that differs** from the shoe's own, where it has one, means a missing or extra card. It
  belongs to no round (matrix A-72): it is reported, and holds the table between rounds.
"""

from __future__ import annotations

from controller.table.holds.holding import hold
from controller.table.state.holds import Hold
from controller.table.state.shoe import ShoeBook
from controller.table.state.table import Table

UNKNOWN = 0xFFFF
"""``remaining`` of a shoe that does not count."""


def begin(table: Table) -> None:
    """Begin the count of a full shoe that was loaded."""
    table.shoe.used.clear()
    table.shoe.cutting_card = table.shoe.burning = False
    table.shoe.cuts = None
    table.shoe.book = ShoeBook(counted=True, fresh=not table.mid_round)
    table.note(f"a new shoe of {table.settings.shoe_size} cards")


def card_left_shoe(table: Table, reported: int, *, through_gate: bool) -> None:
    """Count a card that has left the shoe; ``reported`` is the number that the shoe reports as
    remaining."""
    table.shoe.cards_taken += through_gate
    table.shoe.cards_seen += 1
    table.shoe.book.fresh = False
    table.shoe.book.out += 1
    table.shoe.book.told = None if reported == UNKNOWN else reported


def remaining(table: Table) -> int | None:
    """Number of cards in the shoe by the table's own count; None where unknown."""
    return table.settings.shoe_size - table.shoe.book.out if table.shoe.book.counted else None


def compare(table: Table, reported: int, *, exchanged: bool) -> None:
    """Compare the shoe's own count with the table's, between rounds; ``exchanged``: its cards were
    taken out before. A shoe that does not count the cards that leave it is not compared."""
    book = table.shoe.book
    ours = table.settings.shoe_size if exchanged else remaining(table)
    if exchanged:
        book.counted = book.fresh = False
    if book.told is None or reported == UNKNOWN or table.mid_round or ours in (None, reported):
        return
    assert ours is not None
    book.counted = False
    difference = f"{ours - reported} missing" if reported < ours else f"{reported - ours} too many"
    hold(
        table,
        Hold(
            "shoe-count",
            f"the card shoe holds {reported} cards and should hold {ours}: {difference}. No round "
            "is concerned; have the set checked before it is played on",
            device="shoe",
        ),
    )
