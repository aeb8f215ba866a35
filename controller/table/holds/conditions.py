"""Conditions of the box itself: a failing generator, a disk filling up, a clock that went back.

The box reports that one has come about or is over. What it means for play the catalogue says
(:mod:`~.faults`):

- One that holds play does so at once, or when the round that is being played is over.
- It stays latched when it is over, for a supervisor to end, unless it ends by itself; where the
  cause must be gone first, ``resume`` is refused before.
- A void round ends what was wrong with the round, not what is wrong with the box.
- What a device says of itself (its cover, its button) is kept in the same way, and is told anew
  when the device begins anew.
- A fault that the catalogue does not know holds the table as an unknown one, with the name it was
  given: what a later version journaled must not stop an earlier one.
"""

from __future__ import annotations

from typing import Final

from controller.faults import catalogue
from controller.faults.model import Clears, Fault, Severity
from controller.table.events import Event
from controller.table.holds.holding import hold
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.table import Table

LONGEST: Final = 300
"""Characters of particulars, or of an unknown fault's name, that are shown."""

OF_DEVICES: Final = {
    "button-stuck": "jackpot",
    "cover-open": "jackpot",
    "shuffler-stopped": "shuffler",
}
"""Conditions of a device that it tells itself, and whose they are."""


def condition(table: Table, event: Event) -> None:
    """A condition has come about, or is over."""
    code, detail = str(event.body["fault"])[:LONGEST], str(event.body["detail"])[:LONGEST]
    if event.body["present"]:
        has_come(table, code, detail)
    else:
        is_over(table, code, detail)


def has_come(table: Table, code: str, detail: str) -> None:
    """It has come about, or there is more to be said of it."""
    fault = _fault_of(code)
    said = _said(code, fault, detail)
    if fault.severity is not Severity.REMARK:
        table.holds.conditions[code] = detail
    if not fault.holds:
        table.note(said)
    elif fault.severity is Severity.BETWEEN and table.mid_round:
        table.note(f"{said}; play is held when this round is over")
        table.holds.postponed[code] = said
    else:
        hold(table, Hold(fault.code, said))


def is_over(table: Table, code: str, detail: str) -> None:
    """It is over: a hold that ends by itself ends, any other one waits for its supervisor."""
    fault = _fault_of(code)
    table.holds.conditions.pop(code, None)
    said = f"over: {_said(code, fault, detail)}"
    if fault.clears is Clears.ITSELF:
        table.holds.postponed.pop(code, None)
        table.holds.end(lambda old: old.fault == code)
    elif table.holds.has(fault.code):
        said += "; the supervisor lets play go on (resume)"
    table.note(said)


def _fault_of(code: str) -> Fault:
    """The fault of a condition. One that only a card or a link can bring about is none: what ends
    it would never come."""
    fault = catalogue.fault_of(code)
    tells = fault.of_box or not fault.holds or code in OF_DEVICES
    return fault if tells else catalogue.fault_of(catalogue.UNKNOWN)


def end(table: Table, code: str) -> None:
    """It is over, if it stands."""
    if code in table.holds.conditions:
        is_over(table, code, table.holds.conditions[code])


def forget_device(table: Table, name: str) -> None:
    """A device begins anew, or is another one: it tells what is wrong with it anew."""
    for code, device in OF_DEVICES.items():
        if device == name:
            end(table, code)


def reported(device: Device) -> str:
    """What a device says that is wrong with it, in plain words; empty where nothing is."""
    words = device.fault_words()
    return f"the {device.plain} reports: {words}" if words else ""


def follow(table: Table) -> None:
    """What waited for the end of the round holds play now; what a device had that is not
    configured any more is over."""
    for name in set(OF_DEVICES.values()) - table.devices.keys():
        forget_device(table, name)
    if table.holds.postponed and not table.mid_round:
        for code, said in table.holds.postponed.items():
            hold(table, Hold(code, said))
        table.holds.postponed = {}


def notices(table: Table) -> list[str]:
    """What is shown for as long as it lasts, beside what is awaited."""
    standing = (
        (code, catalogue.fault_of(code), detail) for code, detail in table.holds.conditions.items()
    )
    of_box = [
        _said(code, fault, detail)
        for code, fault, detail in standing
        if fault.severity is Severity.NOTICE or code in table.holds.postponed
    ]
    return of_box + [said for device in table.devices.values() if (said := reported(device))]


def uncured(table: Table, held: Hold) -> bool:
    """Whether that hold's cause has to go before anybody may end it, and is still there."""
    needs_cure = catalogue.fault_of(held.fault).clears in (Clears.CURED, Clears.ITSELF)
    return needs_cure and held.fault in table.holds.conditions


def needs_name(held: Hold) -> bool:
    """Whether only somebody who says who he is and why may end that hold."""
    return catalogue.fault_of(held.fault).clears is Clears.NAMED


def of_the_box(held: Hold) -> bool:
    """Whether that hold is the box's own: it outlasts a void round."""
    return catalogue.fault_of(held.fault).of_box


def devices_open(table: Table) -> bool:
    """Whether devices may be spoken to."""
    closing = [*table.holds.conditions, *(held.fault for held in table.holds.standing)]
    return not any(catalogue.closes_devices(code) for code in closing)


def _said(code: str, fault: Fault, detail: str) -> str:
    if fault.code != code:
        detail = f"{code}: {detail}" if detail else code
    return fault.said(detail)
