"""Conditions of the controller itself, and the holds that they cause: a failing generator, a disk
that fills, a clock that went back.

The daemon reports that a condition has begun or ended. The catalogue says what it means for play
(:mod:`controller.faults.catalogue`):

- A condition that holds play does so at once, or when the round in progress is over.
- The hold stays latched after the condition has ended, until a supervisor ends it, unless it ends
  automatically; where the cause must be gone first, ``resume`` is refused until then.
- A void round ends the holds of the round, not those of the controller.
- Conditions that a device reports about itself (its cover, its button) are kept in the same way,
  and are reported again after the device restarts.
- A fault that the catalogue does not know holds the table as an unknown one, with the name that was
  reported: an earlier version must be able to read what a later one journaled.
- A device that was exchanged between rounds holds nothing. It is a condition,
  ``device-exchanged``, whose particulars name every such device with its serial number and the one
  before, until somebody has tested it (``tablectl devices test NAME``, or by hand in service), the
  one from before is back, or it is no longer configured. The report before opening ends nothing,
  for a machine may ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.faults import catalogue
from controller.faults.model import Clears, Fault, Severity
from controller.forms.json_values import JsonObject
from controller.table.events.of_controller import ConditionChanged
from controller.table.state.device import Device
from controller.table.state.holds import Exchanged, Hold
from controller.table.state.table import Table

LONGEST: Final = 300
"""Number of characters of particulars, or of an unknown fault's name, that are shown."""

OF_DEVICES: Final = {
    "button-stuck": "jackpot",
    "cover-open": "jackpot",
    "shuffler-stopped": "shuffler",
}
"""Conditions that a device reports about itself, with the kind of the device."""

ACCEPTED: Final = ("clock-unset", "clock-ahead")
"""Notices that end when a supervisor accepts what they tell of."""

NEVER_RIGHT: Final = "before this program was made"
"""In the particulars of a clock that nobody can accept: it has not been set."""


def condition(table: Table, event: ConditionChanged) -> None:
    """A condition has begun or ended; ``clock_since`` where the clock was accepted."""
    code, detail = event.fault[:LONGEST], event.detail[:LONGEST]
    if event.present:
        has_come(table, code, detail)
    else:
        is_over(table, code, detail)
        if event.clock_since is not None:
            table.setup.accept_clock(event.clock_since)


def to_accept(table: Table) -> list[str]:
    """What a supervisor may accept now: nothing in mid-round, nothing before holds are ended."""
    if table.hold is not None or table.mid_round:
        return []
    told = table.holds.conditions
    return [code for code in ACCEPTED if code in told and NEVER_RIGHT not in told[code]]


def has_come(table: Table, code: str, detail: str) -> None:
    """Record a condition that has begun, or whose particulars have changed."""
    fault = _fault_of(code)
    said = _fault_sentence(code, fault, detail)
    if fault.severity is not Severity.REMARK:
        table.holds.conditions[code] = detail
    if not fault.holds:
        table.note(said)
    elif fault.severity is Severity.BETWEEN and table.mid_round:
        table.note(f"{said}; play is held when this round is over")
        table.holds.postponed[code] = said
    else:
        table.hold_for(Hold(fault.code, said))


def is_over(table: Table, code: str, detail: str) -> None:
    """Record a condition that has ended: a hold that ends automatically ends, any other one waits
    for a supervisor."""
    fault = _fault_of(code)
    table.holds.conditions.pop(code, None)
    said = f"over: {_fault_sentence(code, fault, detail)}"
    if fault.clears is Clears.ITSELF:
        table.holds.postponed.pop(code, None)
        table.holds.end_where(lambda old: old.fault == code)
    elif table.holds.has(fault.code):
        said += "; the supervisor lets play go on (resume)"
    table.note(said)


def _fault_of(code: str) -> Fault:
    """The fault of a condition. A fault that only a card or a link can raise counts as unknown: the
    event that ends it would never come."""
    fault = catalogue.fault_of(code)
    tells = fault.of_controller or not fault.holds or code in OF_DEVICES
    return fault if tells else catalogue.fault_of(catalogue.UNKNOWN)


def end_condition(table: Table, code: str) -> None:
    """End a condition, if it is present."""
    if code in table.holds.conditions:
        is_over(table, code, table.holds.conditions[code])


def forget_device(table: Table, name: str) -> None:
    """Forget a device's conditions after it restarted or was replaced: it reports them again."""
    for code, device in OF_DEVICES.items():
        if device == name:
            end_condition(table, code)


def reported(device: Device) -> str:
    """The faults that a device reports, in words; empty where there are none."""
    words = device.fault_words()
    return f"the {device.plain} reports: {words}" if words else ""


def update_holds(table: Table) -> None:
    """Hold play for what waited until the end of the round; end the conditions of devices that are
    no longer configured."""
    for code, device in OF_DEVICES.items():
        if device not in table.devices:
            end_condition(table, code)
    if table.holds.postponed and not table.mid_round:
        for code, said in table.holds.postponed.items():
            table.hold_for(Hold(code, said))
        table.holds.postponed = {}


def notices(table: Table) -> Iterator[tuple[str, JsonObject]]:
    """The conditions that are shown beside the prompt for as long as they last, in words and for
    programs: of the controller between rounds, when somebody has time for them; at any time of what
    will hold play when the round is over (``holds_later`` where the words say so), and of what
    makes those at the table wait."""
    standing, postponed = table.holds.conditions, table.holds.postponed
    for code, detail in standing.items():
        fault = catalogue.fault_of(code)
        now = fault.in_play or not (fault.of_controller and table.mid_round)
        if code in postponed or (fault.severity is Severity.NOTICE and now):
            values = {"fault": code, "detail": detail, "holds_later": False}
            yield _fault_sentence(code, fault, detail), values
    for code, said in postponed.items():
        if code not in standing:
            values = {"fault": code, "detail": "", "holds_later": True}
            yield f"{said}; play is held when this round is over", values


def uncured(table: Table, held: Hold) -> bool:
    """Whether that hold's cause must be gone before the hold may be ended, and is still present."""
    needs_cure = catalogue.fault_of(held.fault).clears in (Clears.CURED, Clears.ITSELF)
    return needs_cure and held.fault in table.holds.conditions


def what_ends(table: Table) -> str:
    """What ends the holds that no command can end now: the steps that the catalogue gives."""
    steps = (catalogue.fault_of(held.fault).next_step for held in table.holds.standing)
    return " ".join(dict.fromkeys(steps))


def of_the_controller(held: Hold) -> bool:
    """Whether that hold is the controller's own, which a void round does not end."""
    return catalogue.fault_of(held.fault).of_controller


def devices_open(table: Table) -> bool:
    """Whether devices may be contacted."""
    closing = [*table.holds.conditions, *(held.fault for held in table.holds.standing)]
    return not any(catalogue.fault_of(code).devices_closed for code in closing)


def _fault_sentence(code: str, fault: Fault, detail: str) -> str:
    if fault.code != code:
        detail = f"{code}: {detail}" if detail else code
    return fault.sentence(detail)


FAULT: Final = "device-exchanged"


def exchanged(table: Table, device: Device, before: str) -> None:
    """Another device has taken the place of the one with the serial number ``before``."""
    table.note(f"{device.plain}: it is another one (serial {device.serial}, before {before})")
    known = table.holds.exchanged.pop(device.key, None)
    first = known.before if known else before
    if first != device.serial:
        table.holds.exchanged[device.key] = Exchanged(device.plain, device.serial, first)
    _update_condition(table)


def note_test(table: Table, device: Device) -> None:
    """Somebody has tested it."""
    if table.holds.exchanged.pop(device.key, None):
        _update_condition(table)


def forget_others(table: Table) -> None:
    """Forget those that are no longer configured: nobody can test them."""
    called = {key: device.plain for key, device in table.devices.items()}
    standing = table.holds.exchanged.items()
    table.holds.exchanged = {key: one for key, one in standing if called.get(key) == one.plain}
    _update_condition(table)


def _update_condition(table: Table) -> None:
    if standing := table.holds.exchanged.values():
        table.holds.conditions[FAULT] = "; ".join(map(str, standing))
    else:
        table.holds.conditions.pop(FAULT, None)
