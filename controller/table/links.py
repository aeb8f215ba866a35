"""Starts of the controller, links of the devices, and what devices say of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.table.devices import FAULT_BITS, PLAIN, SHUFFLER_STATES, Device
from controller.table.events import Event
from controller.table.holds import Hold
from controller.table.model import Refused
from controller.table.settings import Settings

if TYPE_CHECKING:
    from controller.table.table import Table

SHUFFLE_RESULTS = (
    "complete",
    "cards are missing",
    "there are cards too many",
    "a card cannot be read",
    "a foreign card is among them",
)


def start(table: Table, event: Event) -> None:
    """The controller started: all links are down; a new boot in mid-round holds the table."""
    settings = Settings.load(event.body["settings"])
    known = table.devices
    table.devices = {name: known.get(name, Device(name)) for name in settings.devices}
    for device in table.devices.values():
        device.up, device.reason = False, "the controller has just started"
    if table.started and table.phase != "idle":
        table.next_settings = settings
    else:
        table.adopt(settings)
    boot_id = str(event.body["boot_id"])
    new_boot = bool(table.boot_id) and boot_id != table.boot_id
    table.boot_id = boot_id
    if table.pending:
        table.pending.locked_at = None
    if new_boot and table.mid_round:
        hold(
            table,
            Hold(
                "power-failure",
                f"the box was started anew in the middle of round {table.round_number}: the "
                "supervisor decides whether it goes on",
                resumable=True,
            ),
        )


def hold(table: Table, new: Hold) -> None:
    """Hold the table; a hold for a card comes before others, the first of the others stays."""
    if table.hold is None:
        table.hold = new
    elif new.cards and not table.hold.cards:
        new.under, table.hold = table.hold, new
    table.outcome.notes.append(new.reason)


def link(table: Table, event: Event) -> None:
    """A device's link came up or went down."""
    name = event.device or ""
    device = table.devices.get(name)
    if device is None:
        return
    body = event.body
    if not body["up"]:
        device.up, device.reason = False, str(body["reason"])
        if table.pending and name == "shoe":
            table.pending.locked_at = None
        return
    serial = str(body["serial"])
    replaced = bool(device.serial) and serial != device.serial
    before = device.serial
    device.up, device.reason, device.serial = True, "", serial
    device.session, device.last_event = event.session or 0, int(body["taken"])
    if not table.mid_round or not (body["new_session"] or replaced):
        return
    what = (
        f"it is another one (serial {serial}, before {before})"
        if replaced
        else "it has started anew and may have lost events"
    )
    since = body.get("down_since")
    when = f" since {since}" if since else ""
    hold(
        table,
        Hold(
            "device-restarted" if not replaced else "device-replaced",
            f"{PLAIN.get(name, name)}: {what}{when}, in the middle of round "
            f"{table.round_number}; check what lies on the table",
            resumable=True,
        ),
    )
    if table.pending and name == "shoe":
        pending, table.pending = table.pending, None
        table.answer_pending(pending, Refused("the card shoe was started anew meanwhile"))


def fault(table: Table, event: Event) -> None:
    """The bits of a device's faults have changed."""
    device = table.devices.get(event.device or "")
    if device is None:
        return
    device.faults = int(event.body["faults"]) & ((1 << len(FAULT_BITS)) - 1)
    if device.faults:
        table.notice = f"the {device.plain} reports: {device.fault_words()}"
        table.outcome.notes.append(table.notice)


def shuffler_state(table: Table, event: Event) -> None:
    """The shuffler says what it does."""
    device = table.devices.get(event.device or "")
    if device is None:
        return
    device.state = int(event.body["state"])
    card_set = int(event.body["set"])
    word = SHUFFLER_STATES[device.state] if device.state < len(SHUFFLER_STATES) else "unknown state"
    if word in ("shuffling", "ready", "jam", "fault") and table.shuffle == card_set:
        table.shuffle = None
    if word in ("jam", "door open", "fault"):
        table.notice = f"shuffler: {word} (set {card_set})"
        table.outcome.notes.append(table.notice)


def shuffle_done(table: Table, event: Event) -> None:
    """A set came out of the shuffler; if it is not complete, that is said."""
    card_set, result = int(event.body["set"]), int(event.body["result"])
    if table.shuffle == card_set:
        table.shuffle = None
    if result:
        word = SHUFFLE_RESULTS[result] if result < len(SHUFFLE_RESULTS) else "it is not complete"
        table.notice = f"shuffler: set {card_set} is not to be played: {word}"
        table.outcome.notes.append(table.notice)
