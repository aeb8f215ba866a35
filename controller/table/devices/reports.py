"""The devices' reports about themselves: refusals, faults, and the shuffler's state."""

from __future__ import annotations

from controller.game.rules.cards import card_of
from controller.table.events.of_devices import (
    CardsDiffer,
    FaultsChanged,
    FigureShown,
    ShuffleDone,
    ShufflerReported,
)
from controller.table.events.of_links import CommandRefused
from controller.table.holds import conditions
from controller.table.shoe import card_sets, shuffling
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from drivers.vocabulary import (
    FAULT_BITS,
    INPUT_STUCK,
    JACKPOT,
    NAK_WORDS,
    SHUFFLE_RESULTS,
    SHUFFLER_STATES,
    SHUFFLER_STOPPED,
)


def refused(table: Table, event: CommandRefused) -> None:
    """A device refuses a command that play needs; the command is not repeated automatically."""
    device = table.named(event.device)
    if device is None or not table.mid_round:
        return
    why = NAK_WORDS.get(event.code, f"code {event.code}")
    said = f"the {device.plain} refuses {event.command} ({why}): look at it"
    table.hold_for(Hold("device-refuses", said, device=device.key))


def fault(table: Table, event: FaultsChanged) -> None:
    """The bits of a device's faults have changed."""
    device = table.named(event.device)
    if device is None:
        return
    device.faults = event.faults & ((1 << len(FAULT_BITS)) - 1)
    if said := conditions.reported(device):
        table.note(said)
    if device.kind == JACKPOT and not device.faults & INPUT_STUCK:
        conditions.end_condition(table, "button-stuck")


def display_showed(table: Table, event: FigureShown) -> None:
    """A display reports what it shows: a figure other than the drawn one is reported until the
    display shows a right one."""
    device, offer = table.named(event.device), table.jackpot.offer
    if device is None or offer is None or event.offer_id != offer.number:
        return
    read = event.multiplier
    device.misread = ""
    if read != offer.multiplier:
        reads = f"it reads {read}x" if read else "it cannot be read"
        device.misread = f"{offer.multiplier}x was drawn, {reads}"
        table.note(f"the {device.plain}: {device.misread}")


def shuffler_state(table: Table, event: ShufflerReported) -> None:
    """The shuffler reports its state."""
    device = table.named(event.device)
    if device is None:
        return
    state, card_set = event.state, event.set
    device.state = state
    word = SHUFFLER_STATES[state] if state < len(SHUFFLER_STATES) else "unknown state"
    card_sets.record_set_state(table, card_set, word)
    if word != "loaded":
        shuffling.end_shuffle(table, card_set)
    if word in SHUFFLER_STOPPED:
        conditions.has_come(table, "shuffler-stopped", f"{word} (set {card_set})")
    else:
        conditions.end_condition(table, "shuffler-stopped")


def shuffle_done(table: Table, event: ShuffleDone) -> None:
    """A set came out of the shuffler; if it is incomplete, that is reported."""
    card_set, result = event.set, event.result
    shuffling.end_shuffle(table, card_set)
    word = SHUFFLE_RESULTS[result] if result < len(SHUFFLE_RESULTS) else "it is not complete"
    card_sets.record_shuffle_end(table, card_set, result, word)
    if result:
        said = f"shuffler: set {card_set} is not to be played: {word}"
        table.entering.notify(said)
        table.note(said)


def discrepancy(table: Table, event: CardsDiffer) -> None:
    """The shuffler has counted too many or too few of a card."""
    difference = event.difference
    named = card_of(event.rank, event.suit) or "a foreign card"
    word = "too many" if difference > 0 else "missing"
    card_sets.record_difference(table, f"{abs(difference)} {named} {word}")
    table.note(f"shuffler: {abs(difference)} {named} {word}")
