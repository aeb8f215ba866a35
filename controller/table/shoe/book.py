"""The book of the shoe: what has left it, and what remains.

- **A new shoe** is counted from the start: what remains is the decks less the cards that have
  left. A shoe that was in use before the table knew it is not counted.
- **A count that differs**, where the shoe counts for itself, is a card missing or too many. It
  belongs to no round (matrix A-72): it is said, and holds between rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.table.dealing import squeezing
from controller.table.holds.hold import Hold, hold
from controller.table.shoe import burning, shuffling

if TYPE_CHECKING:
    from controller.table.table import Table

UNKNOWN = 0xFFFF
"""``remaining`` of a shoe that does not count."""


@dataclass(slots=True)
class ShoeBook:
    """``counted``: every card since it was full is known; ``fresh``: it was loaded between rounds
    and no card has left it; ``out``: cards that have; ``told``: how many it last said that it
    holds when one left; ``burned`` are its burned cards. ``due_after`` is the round after which a
    shuffle is due, and ``why``."""

    counted: bool = False
    fresh: bool = False
    out: int = 0
    told: int | None = None
    burned: tuple[str, ...] = ()
    due_after: int | None = None
    why: str = ""


def begin(table: Table) -> None:
    """A full shoe has been loaded."""
    table.used.clear()
    table.cutting_card = table.burning = False
    table.book = ShoeBook(counted=True, fresh=not table.mid_round)
    table.outcome.notes.append(f"a new shoe of {table.settings.shoe_size} cards")


def left(table: Table, told: int) -> None:
    """A card has left it; ``told`` is what the shoe says that it still holds."""
    table.book.fresh = False
    table.book.out += 1
    table.book.told = None if told == UNKNOWN else told


def remaining(table: Table) -> int | None:
    """Cards in the shoe by our own count; None where it is not known."""
    return table.settings.shoe_size - table.book.out if table.book.counted else None


def compare(table: Table, told: int, *, exchanged: bool) -> None:
    """Between rounds, the shoe's own count against ours; ``exchanged``: its cards were taken out
    before. A shoe that does not count its cards as they leave is not asked."""
    book = table.book
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


def as_status(table: Table) -> dict[str, Any]:
    """The status object's ``shoe``: numbers of cards and never which are left, for whoever may
    connect may read it (SHF-02). ``unrevealed`` cards lie face down; ``unread`` ones are out."""
    return {
        "set": table.sets.in_shoe,
        "remaining": remaining(table),
        "used": table.book.out,
        "unrevealed": len(squeezing.hidden_cards(table)),
        "unread": max(0, table.book.out - table.used.total()),
        "burned": " ".join(table.book.burned),
        "burn_due": burning.burn_due(table) and not table.mid_round,
        "cutting_card": table.cutting_card,
        "shuffle_due": shuffling.is_due(table),
        "blocked": {str(number): why for number, why in sorted(table.sets.blocked.items())},
    }
