"""The shoe's reports about itself: it is empty, it is loaded."""

from __future__ import annotations

from controller.table.dealing import laying_aside
from controller.table.events import Event
from controller.table.holds.holding import hold
from controller.table.shoe import book, card_sets
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_EMPTY, SHOE_LOADED


def shoe_state(table: Table, event: Event) -> None:
    """The shoe reports whether it is loaded. A full shoe counts as a new one between rounds, and
    when it was empty before."""
    shoe = table.named(event.device)
    if shoe is not None:
        reported(table, shoe, event.whole("state"), event.whole("remaining"))


def reported(table: Table, shoe: Device, state: int, remaining: int) -> None:
    """Take the shoe's report of its state and of how many cards are in it."""
    full = remaining == table.settings.shoe_size
    shoe.shoe_reports(state)
    if shoe.state == SHOE_EMPTY:
        card_sets.shoe_emptied(table)
    if shoe.state != SHOE_LOADED:
        return
    reshuffled = table.mid_round and table.dealing.reshuffled == table.round_number
    if reshuffled and table.rnd is not None:
        laying_aside.discards_in_shoe(table)
    if full and (shoe.emptied or not table.mid_round):
        if shoe.emptied or not table.shoe.book.fresh or table.shoe.sets.in_shoe is None:
            card_sets.shoe_loaded(table)
        book.begin(table)
    else:
        book.compare(table, remaining, exchanged=shoe.emptied)
    if shoe.emptied and table.mid_round and not reshuffled:
        reason = (
            f"the card shoe ran out and was loaded in the middle of round {table.round_number}: "
            "the supervisor decides whether it goes on with these cards"
        )
        hold(table, Hold("shoe-reloaded", reason, device="shoe"))
    shoe.shoe_loaded()
