"""The ``[devices.NAME]`` tables of the configuration.

The rules:

- The names are those of the kinds of devices, one of each at most. The shoe is always required,
  the jackpot unit by rules with a Pandemonium wager.
- Each has exactly one of ``port`` and ``usb``, and no two may come to the same unit: by the same
  path, by two names of one device, or by a USB selector that fits both.
- The driver must be installed; it is loaded only when its device is opened.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from controller.configuration.section import Section, shown, unknown
from drivers.api import DeviceConfig, DriverError
from drivers.registry import check_config, is_known, known_drivers, parse_usb
from drivers.vocabulary import KINDS

DEVICES: Final = tuple(KINDS.values())
SLOWEST: Final = 50
FASTEST: Final = 4_000_000
"""Speeds of a serial line, in bits per second."""


def read_devices(
    given: Any, folder: Path, pandemonium: str | None, faults: list[str]
) -> dict[str, DeviceConfig]:
    """The devices by name, those without faults.

    ``folder`` is what ports are relative to; ``pandemonium`` the id of rules that have such a
    wager.
    """
    if not isinstance(given, Mapping):
        faults.append(f"devices = {shown(given)}: expected tables such as [devices.shoe]")
        return {}
    devices = {}
    for name, table in given.items():
        if name not in DEVICES:
            faults.append(f"devices.{unknown(name, DEVICES)}")
        elif not isinstance(table, Mapping):
            faults.append(f"devices.{name} = {shown(table)}: expected a table, [devices.{name}]")
        elif device := _device(Section(f"devices.{name}", table, faults), name, folder, faults):
            devices[name] = device
    if "shoe" not in given:
        faults.append("[devices.shoe] is missing: a table is always dealt from a shoe")
    if pandemonium and "jackpot" not in given:
        faults.append(
            f"[devices.jackpot] is missing: {pandemonium} has a Pandemonium wager, which needs its "
            "button and meter"
        )
    faults += _shared(devices)
    return devices


def _device(section: Section, name: str, folder: Path, faults: list[str]) -> DeviceConfig | None:
    before = len(faults)
    driver = section.text("driver", "a driver's name", "table-link")
    port = section.text("port", "a serial device's path") if section.has("port") else None
    usb = section.text("usb", "VENDOR:PRODUCT[:SERIAL]") if section.has("usb") else None
    baud = section.number("baud", SLOWEST, FASTEST, "bits per second", 115200)
    section.done()
    if driver is not None and not is_known(driver):
        installed = ", ".join(sorted(known_drivers()))
        section.fault("driver", f"no such driver is installed; installed: {installed}")
    if len(faults) > before or driver is None or baud is None:
        return None
    if port is not None:
        port = str(folder / port)
    device = DeviceConfig(name, driver, port, usb, baud)
    try:
        check_config(device)
    except DriverError as error:
        faults.append(str(error))
        return None
    return device


def _shared(devices: Mapping[str, DeviceConfig]) -> list[str]:
    """A line for every two devices that would open one and the same port."""
    found = []
    seen: list[DeviceConfig] = []
    for device in devices.values():
        for other in seen:
            if _same_port(device, other):
                mend = "; give the units' serial numbers" if device.usb else ""
                found.append(
                    f"devices.{other.name} and devices.{device.name} name the same unit, "
                    f"{device.port or device.usb}: expected one each{mend}"
                )
        seen.append(device)
    return found


def _same_port(one: DeviceConfig, other: DeviceConfig) -> bool:
    if one.port is not None and other.port is not None:
        return os.path.realpath(one.port) == os.path.realpath(other.port)
    if one.usb is not None and other.usb is not None:
        (*unit, serial), (*other_unit, other_serial) = parse_usb(one.usb), parse_usb(other.usb)
        # Without a serial number, any unit of that kind would do: also the other's.
        return unit == other_unit and (None in (serial, other_serial) or serial == other_serial)
    return False
