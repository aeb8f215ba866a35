"""The ``[devices.NAME]`` tables of the configuration.

The rules:

- ``kind`` gives the kind of a device; left out, its name must be a kind. Of shoe, shuffler, jackpot
  unit and keypad there is one at most, of displays any number. The shoe is always required, the
  jackpot unit by rules with a Pandemonium wager and by displays.
- A device that is named after a kind must be of that kind: "shoe" in a journal is always the shoe.
- Each has exactly one of ``port`` and ``usb``, and no two may select the same unit: by the same
  path, by two names of one port, or by a USB selector that fits both.
- The driver must be installed; it is loaded only when its device is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.configuration.section import Section, toml_key, toml_text, unknown
from drivers.api import DeviceConfig, DriverError
from drivers.registry import check_config, is_known, known_drivers, parse_usb
from drivers.vocabulary import DISPLAY, JACKPOT, KINDS, PLAIN_KINDS, SHOE

ONE_EACH: Final = tuple(KINDS.values())
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
ALL: Final = "all"
"""Means every device in commands, so no device may have this name."""
SLOWEST: Final = 50
FASTEST: Final = 4_000_000
"""Speeds of a serial line, in bits per second."""


def read_devices(
    given: object, folder: Path, pandemonium: str | None, faults: list[str]
) -> dict[str, DeviceConfig]:
    """The devices by name, those without faults.

    Ports are relative to ``folder``; ``pandemonium`` is the id of the rules if they have such a
    wager.
    """
    if not isinstance(given, Mapping):
        faults.append(f"devices = {toml_text(given)}: expected tables such as [devices.shoe]")
        return {}
    devices = {}
    names: dict[str, list[str]] = {kind: [] for kind in PLAIN_KINDS}
    for name, table in given.items():
        where = f"devices.{toml_key(name)}"
        if not isinstance(table, Mapping):
            faults.append(f"{where} = {toml_text(table)}: expected a table, [{where}]")
            continue
        section = Section(where, table, faults)
        kind = _kind(section, name, faults)
        if kind is not None:
            names[kind].append(name)
            if device := _device(section, name, kind, folder, faults):
                devices[name] = device
    if not names[SHOE]:
        faults.append("[devices.shoe] is missing: a table is always dealt from a shoe")
    for kind in ONE_EACH:
        if len(names[kind]) > 1:
            every = " and ".join(f"devices.{name}" for name in names[kind])
            faults.append(f"{every} are each a {PLAIN_KINDS[kind]}: expected one at a table")
    if names[DISPLAY] and not names[JACKPOT] and not pandemonium:
        faults.append(
            f"[devices.jackpot] is missing: devices.{names[DISPLAY][0]} is a display, which shows "
            "what the jackpot unit shows"
        )
    if pandemonium and not names[JACKPOT]:
        faults.append(
            f"[devices.jackpot] is missing: {pandemonium} has a Pandemonium wager, which needs its "
            "button and meter"
        )
    faults += _shared(devices)
    return devices


def _kind(section: Section, name: str, faults: list[str]) -> str | None:
    """The kind of the device; None with a fault noted."""
    if not section.has("kind"):
        if name in ONE_EACH:
            return name
        other = "a device of another name needs a kind"
        faults.append(f"devices.{unknown(name, ONE_EACH)}; {other}: {', '.join(PLAIN_KINDS)}")
        return None
    if not NAME.fullmatch(name) or name == ALL:
        faults.append(
            f"{section.name}: expected a name of at most 32 letters, digits, - and _, "
            f'which is not "{ALL}"'
        )
        return None
    kind = section.text("kind", f"one of {', '.join(PLAIN_KINDS)}")
    if kind is None:
        return None
    if kind not in PLAIN_KINDS:
        section.fault("kind", f"expected one of {', '.join(PLAIN_KINDS)}")
        return None
    if name in PLAIN_KINDS and kind != name:
        section.fault("kind", f'expected "{name}", after which the device is named')
        return name
    return kind


def _device(
    section: Section, name: str, kind: str, folder: Path, faults: list[str]
) -> DeviceConfig | None:
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
    device = DeviceConfig(name, driver, port, usb, baud, kind)
    try:
        check_config(device)
    except DriverError as error:
        faults.append(str(error))
        return None
    return device


def _shared(devices: Mapping[str, DeviceConfig]) -> list[str]:
    """A fault for every two devices that would open the same port."""
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
        # Without a serial number, any unit of that kind fits: also the other's.
        return unit == other_unit and (None in (serial, other_serial) or serial == other_serial)
    return False
