"""Links of the devices, and what devices report about themselves: refusals, faults, a figure."""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.table import holds
from controller.table.events.of_controller import CommandRefused, LinkCame, LinkWent
from controller.table.events.of_devices import FaultsChanged, FigureShown
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.table import Table
from drivers.vocabulary import COUNT_CAPABILITY, FAULT_BITS, INPUT_STUCK, JACKPOT, NAK_WORDS, SHOE


def link_went(table: Table, event: LinkWent) -> None:
    """A device's link went down."""
    device = table.named(event.device)
    if device is None:
        return
    device.up, device.reason = False, event.reason
    if device.kind == SHOE:
        table.entering.lose_shoe()


def link_came(table: Table, event: LinkCame) -> None:
    """A device's link came up."""
    device, serial = table.named(event.device), event.serial
    if device is None:
        return
    if device.kind == JACKPOT:
        _came_back(table, device, serial)
    replaced = bool(device.serial) and serial != device.serial
    unheard, lost = bool(event.unheard), event.lost
    before, known = device.serial, _before(table, device)
    # With the digest of the firmware where the device reports one.
    version = ".".join(map(str, event.firmware or ()))
    firmware = f"{version} ({event.digest})" if event.digest else version
    altered = "" if replaced or firmware in ("", device.firmware) else device.firmware
    if replaced or altered:
        device.tests = {}
    if event.new_session or replaced:
        # The device reports its faults again, if it has any.
        device.faults, device.state, device.misread = 0, None, ""
        holds.forget_device(table, device.key)
    device.up, device.reason, device.serial, device.firmware = True, "", serial, firmware
    device.session, device.last_event = event.session or 0, event.taken
    if device.kind == SHOE:
        device.counts = event.capabilities is None or bool(event.capabilities & COUNT_CAPABILITY)
    if lost and not device.only_shows:
        code = "two-controllers" if event.greeted else "journal-cut"
        _events_lost(table, code, device, *lost)
    if altered:
        _altered(table, device, altered, unheard=unheard)
    if lost and not (replaced and unheard) and not device.only_shows:
        return
    in_play = table.mid_round and not device.only_shows
    if replaced and not in_play:
        holds.exchanged(table, device, before)
    if not in_play or altered or not (event.new_session or replaced):
        return
    another = f"it is another one (serial {serial}, before {before})"
    what = another if replaced else "it has started anew and may have lost events"
    when = f" since {event.down_since}" if event.down_since else ""
    if device.kind == SHOE:  # the lock of the earlier session will not be reported
        table.refuse_pending(
            Refused("the card shoe was started anew meanwhile", short="SHOE RESTARTED")
        )
    code = "device-replaced" if replaced else "device-restarted"
    where = f"in the middle of round {table.round_number}; check what lies on the table"
    said = f"{device.plain}: {what}{when}, {where}"
    accepted = known if replaced and unheard else ("", "")
    table.hold_for(Hold(code, said, device=device.key, before=accepted))


def _before(table: Table, device: Device) -> tuple[str, str]:
    """Serial number and firmware of the last device of that name that play accepted."""
    for held in table.holds.standing:
        if (held.fault, held.device) == ("device-replaced", device.key):
            return held.before
    return device.serial, device.firmware


def _came_back(table: Table, unit: Device, serial: str) -> None:
    """The original jackpot unit is back before the unit that replaced it was accepted. That unit
    was sent nothing and its events were ignored, as if it had never been connected."""

    def waited_for_it(held: Hold) -> bool:
        replaced = (held.fault, held.device) == ("device-replaced", unit.key)
        return replaced and held.before[0] == serial

    held = next(filter(waited_for_it, table.holds.standing), None)
    if held is not None:
        table.holds.end_where(waited_for_it)
        unit.serial, unit.firmware = held.before
        table.note(f"{unit.plain}: the one from before is back ({serial})")


def _altered(table: Table, device: Device, before: str, *, unheard: bool) -> None:
    """The same device runs another firmware: a modification of the equipment (LAW-02). Between
    rounds it is reported; in a round it holds play."""
    what = f"{device.plain}: it has another firmware ({device.firmware}, before {before})"
    if not table.mid_round or device.only_shows:
        holds.has_come(table, "firmware-changed", what)
        table.entering.notify(what)
        return
    if device.kind == SHOE:  # the lock of the earlier session will not be reported
        why = "the card shoe has another firmware"
        table.refuse_pending(Refused(why, short="SHOE RESTARTED", code="shoe-has-other-firmware"))
    said = f"{what}, in the middle of round {table.round_number}; check what lies on the table"
    known = (device.serial, before) if unheard else ("", "")
    table.hold_for(Hold("device-altered", said, device=device.key, before=known))


def _events_lost(table: Table, code: str, device: Device, first: int, last: int) -> None:
    """The device has acknowledgements for events which the journal does not have: the journal has
    lost its end, or the device was at another table meanwhile. If this process has greeted the
    device before, its journal was complete, so another controller talks to the device
    (``two-controllers``). It holds the table between rounds too: a card is missing."""
    if device.kind == SHOE:
        table.refuse_pending(Refused("events of the card shoe are missing", short="EVENTS LOST"))
    which = f"event {first}" if first == last else f"events {first} to {last}"
    said = f"{device.plain}: {which} of its session were acknowledged and are not in the journal"
    table.hold_for(Hold(code, said, device=device.key))


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
    if said := holds.reported(device):
        table.note(said)
    if device.kind == JACKPOT and not device.faults & INPUT_STUCK:
        holds.end_condition(table, "button-stuck")


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
