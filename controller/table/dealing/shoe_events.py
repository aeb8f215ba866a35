"""The shoe's reports about itself: it is empty, it is loaded."""

from __future__ import annotations

from controller.table.dealing import laying_aside
from controller.table.events.of_devices import ShoeReported
from controller.table.shoe import book, card_sets
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_EMPTY, SHOE_LID_OPEN, SHOE_LOADED


def shoe_state(table: Table, event: ShoeReported) -> None:
    """The shoe reports whether it is loaded. A full shoe counts as a new one between rounds, and
    when it was empty before."""
    shoe = table.named(event.device)
    if shoe is not None:
        reported(table, shoe, event.state, event.remaining)


def reported(table: Table, shoe: Device, state: int, remaining: int) -> None:
    """Take the shoe's report of its state and of how many cards are in it."""
    before = shoe.state
    shoe.shoe_reports(state)
    if shoe.state == SHOE_LID_OPEN:
        table.shoe.open_lid()
    if shoe.state == SHOE_EMPTY:
        card_sets.shoe_emptied(table)
    if shoe.state != SHOE_LOADED:
        return
    reshuffled = table.mid_round and table.dealing.reshuffled == table.round_number
    if reshuffled and table.rnd is not None:
        laying_aside.discards_in_shoe(table)
    if remaining == table.settings.shoe_size and (shoe.emptied or not table.mid_round):
        _full(table, shoe, only_present=before is None)
    elif table.mid_round:
        _in_round(table, shoe, remaining)
    else:
        _between_rounds(table, shoe, remaining)
    if shoe.emptied and table.mid_round and not reshuffled:
        reason = (
            f"the card shoe ran out and was loaded in the middle of round {table.round_number}: "
            "the supervisor decides whether it goes on with these cards"
        )
        table.hold_for(Hold("shoe-reloaded", reason, device="shoe"))
    shoe.shoe_loaded()
    table.shoe.close_lid()


def _full(table: Table, shoe: Device, *, only_present: bool) -> None:
    """A new shoe. One of which no card has left, and that only says what it holds after it was
    started anew, need not be other cards: those that are out of play still are."""
    known = table.shoe.book
    same = only_present and known.fresh and not (shoe.emptied or known.opened or table.mid_round)
    if shoe.emptied or not known.fresh or table.shoe.sets.in_shoe is None:
        card_sets.shoe_loaded(table)
    book.begin_count(table, same_cards=same)
    if table.mid_round:
        table.dealing.doubt_no_more()


def _in_round(table: Table, shoe: Device, remaining: int) -> None:
    """What is loaded into a shoe that ran out is as many cards as it says."""
    if shoe.emptied:
        book.take_over(table, remaining)
    else:
        book.compare(table, remaining)


def _between_rounds(table: Table, shoe: Device, remaining: int) -> None:
    if book.is_another(table, remaining, emptied=shoe.emptied):
        book.another_set(table)
    elif shoe.emptied:
        table.shoe.lose_count()
    book.compare(table, remaining)
