"""The count of the shoe: how many cards have left it and how many remain, compared with its own.

- **A new shoe** is counted from the start: what remains is the decks less the cards that have
  left. A full number between rounds begins one. So does one that is not expected where the shoe was
  empty, where no shoe was known, or where the lid was open and it is nearer to a full set than to
  what should be in the shoe; a full set is then what it should hold.
- **A number that the shoe tells** when it is loaded, and with each card, is compared with what
  should be in it. A difference holds play: between rounds at once, in a round when that is over.
- **A supervisor's** ``resume`` makes the shoe's number the expected one.
- **A shoe that does not count** (capability, 0xFFFF) is not compared. What is loaded into a shoe
  that ran out in mid-round is taken as it tells it: the supervisor decides about those cards.
"""

from __future__ import annotations

from typing import Final

from controller.table import holds
from controller.table.shoe import card_sets
from controller.table.state.cards import ShoeBook
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from drivers.vocabulary import SHOE

UNKNOWN: Final = 0xFFFF
"""``remaining`` of a shoe that does not count."""

FAULT = "shoe-count"
"""The fault of a shoe that holds another number of cards than it should."""


def begin_count(table: Table, *, same_cards: bool = False) -> None:
    """Begin the count of a full shoe that was loaded; ``same_cards``: they need not be others than
    before."""
    if not same_cards:
        card_sets.end_doubts(table)
    known = table.shoe.book
    table.shoe.used.clear()
    table.shoe.cutting_card = table.shoe.burning = False
    table.shoe.cuts = None
    table.shoe.book = ShoeBook(
        counted=True,
        fresh=not table.mid_round,
        told=table.settings.shoe_size,
        doubt=known.doubt,
        doubted=known.doubted if same_cards else (0, ""),
    )
    table.note(f"a new shoe of {table.settings.shoe_size} cards")
    holds.end_condition(table, card_sets.IN_ORDER)


def another_set(table: Table) -> None:
    """Begin the count of another set than the one that was in the shoe."""
    card_sets.shoe_loaded(table)
    begin_count(table)


def remaining(table: Table) -> int | None:
    """Number of cards that should be in the shoe; None where unknown."""
    book = table.shoe.book
    return table.settings.shoe_size + book.surplus - book.out if book.counted else None


def is_another(table: Table, told: int, *, emptied: bool) -> bool:
    """Whether the shoe, which is not full and tells that number between rounds, holds another set
    than before."""
    book, ours = table.shoe.book, remaining(table)
    if not _counts(table, told):
        return False
    if emptied:
        return told != ours
    if ours is None:
        return not book.lost
    return book.opened and abs(table.settings.shoe_size - told) < abs(ours - told)


def card_left_shoe(table: Table, told: int, *, through_gate: bool) -> None:
    """Count a card that has left the shoe, which tells the number ``told`` behind it."""
    book = table.shoe.book
    table.shoe.cards_taken += through_gate
    table.shoe.cards_seen += 1
    book.fresh = False
    book.out += 1
    if book.counted or book.lost:
        compare(table, told)
    else:
        book.told = told if _counts(table, told) else None


def compare(table: Table, told: int) -> None:
    """Compare the number of cards that the shoe tells with what should be in it."""
    book, ours = table.shoe.book, remaining(table)
    book.told = told if _counts(table, told) else None
    if ours is None:
        accept(table)
    elif book.told not in (None, ours):
        _hold(table, _in_words(told, ours))


def take_over(table: Table, told: int) -> None:
    """Expect the number that the shoe tells of the cards that were put into it."""
    table.shoe.book.told = told if _counts(table, told) else None
    if table.shoe.book.told is None:
        table.shoe.lose_count()
    accept(table)


def accept(table: Table) -> None:
    """Expect from now on what the shoe told last; a full number is that of another set."""
    book = table.shoe.book
    if book.told is None or book.told == remaining(table):
        return
    if book.told == table.settings.shoe_size:
        another_set(table)
        return
    book.surplus = book.told + book.out - table.settings.shoe_size
    book.counted, book.lost = True, False


def difference(table: Table) -> str:
    """By how many cards the shoe's last number differs from what should be in it, in words; empty
    where it does not, or is not compared."""
    told, ours = table.shoe.book.told, remaining(table)
    return "" if told is None or ours is None or told == ours else _in_words(told, ours)


def _counts(table: Table, told: int) -> bool:
    shoe = table.devices.get(SHOE)
    return told != UNKNOWN and shoe is not None and shoe.counts


def _in_words(told: int, ours: int) -> str:
    by = f"{ours - told} missing" if told < ours else f"{told - ours} too many"
    return f"the card shoe holds {told} cards and should hold {ours}: {by}"


def _hold(table: Table, said: str) -> None:
    if not table.mid_round:
        reason = f"{said}. Have the set counted before it is played on"
        table.hold_for(Hold(FAULT, reason, device=SHOE))
        return
    if FAULT not in table.holds.postponed:
        table.note(f"{said}; play is held when this round is over")
    table.holds.postpone(FAULT, said)
