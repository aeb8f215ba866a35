"""A device that was exchanged between rounds: told until somebody has seen it.

The rules:

- It holds nothing, and play goes on with it. It is a condition, ``device-exchanged``, whose
  particulars name every such device with its serial number and the one before.
- Seen it has who tests the device (``tablectl devices test NAME``, or by hand in service): that is
  an entry with his name, and it shows whether the new one does its work. The report before opening
  ends nothing, for a machine may ask for it.
- Where the one from before is back, nothing is left to be seen; nor of a device that is no longer
  configured.
"""

from __future__ import annotations

from typing import Final

from controller.table.state.device import Device
from controller.table.state.holds import Exchanged
from controller.table.state.table import Table

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
