"""A device that was exchanged between rounds: told until somebody has seen it.

The rules:

- It holds nothing, and play goes on with it. It is a condition, ``device-exchanged``, whose
  particulars name every such device with its serial number and the one before.
- Seen it has who tests the device (``tablectl devices test NAME``, or by hand in service): that is
  an entry with his name, and it shows whether the new one does its work. The report before opening
  ends nothing, for a machine may ask for it.
- Where the one from before is back, nothing is left to be seen; nor of a device that is no longer
  configured.
- A ``link`` entry of earlier versions is without ``exchange_stands``: there it was a note alone.
"""

from __future__ import annotations

from typing import Final

from controller.table.events.of_links import LinkCame
from controller.table.holds import conditions
from controller.table.state.device import Device
from controller.table.state.table import Table

FAULT: Final = "device-exchanged"
_BETWEEN: Final = "; "


def exchanged(table: Table, device: Device, before: str, event: LinkCame) -> None:
    """Another device has taken the place of the one with the serial number ``before``."""
    table.note(f"{device.plain}: it is another one (serial {device.serial}, before {before})")
    if not event.exchange_stands:
        return
    known = of(table, device)
    first = known.rpartition(", before ")[2] if known else _written(before)
    others = _others(table, device)
    if first == _written(device.serial):
        _tell(table, others)
        return
    _tell(table, [*others, f"{device.plain} {_written(device.serial)}, before {first}"])


def seen(table: Table, device: Device) -> None:
    """Somebody has tested it."""
    if of(table, device):
        _tell(table, _others(table, device))


def forget_others(table: Table) -> None:
    """Forget those that are no longer configured: nobody can test them."""
    told = [of(table, device) for device in table.devices.values()]
    _tell(table, [one for one in _all(table) if one in told])


def of(table: Table, device: Device) -> str:
    """What is to be seen of that device; "" where nothing is."""
    return next((one for one in _all(table) if one.startswith(f"{device.plain} ")), "")


def _others(table: Table, device: Device) -> list[str]:
    return [one for one in _all(table) if not one.startswith(f"{device.plain} ")]


def _all(table: Table) -> list[str]:
    told = table.holds.conditions.get(FAULT, "")
    return told.split(_BETWEEN) if told else []


def _tell(table: Table, all_of_them: list[str]) -> None:
    if all_of_them:
        conditions.stands(table, FAULT, _BETWEEN.join(all_of_them))
    else:
        conditions.has_gone(table, FAULT)


def _written(serial: str) -> str:
    """A serial number as it can stand among others."""
    return serial.replace(";", ",")
