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
from typing import Any, Final

from controller.configuration.keys import DeviceKeys
from controller.configuration.tables import TomlTables
from controller.forms.faults import key_text, unknown, value_text
from drivers.api import DeviceConfig, DriverError
from drivers.registry import check_config, parse_usb
from drivers.vocabulary import DISPLAY, JACKPOT, KINDS, PLAIN_KINDS, SHOE

ONE_EACH: Final = tuple(KINDS.values())
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
ALL: Final = "all"
"""Means every device in commands, so no device may have this name."""


def read_devices(file: TomlTables, pandemonium: str | None) -> dict[str, DeviceConfig]:
    """The devices by name, those without faults; ``pandemonium`` is the id of the rules if they
    have such a wager."""
    given = file.data.get("devices", {})
    if not isinstance(given, Mapping):
        file.faults.append(f"devices = {value_text(given)}: expected tables such as [devices.shoe]")
        return {}
    devices = {}
    names: dict[str, list[str]] = {kind: [] for kind in PLAIN_KINDS}
    for name, table in given.items():
        where = f"devices.{key_text(name)}"
        if not isinstance(table, Mapping):
            file.faults.append(f"{where} = {value_text(table)}: expected a table, [{where}]")
        elif wrong := _wrong_name(name, table):
            file.faults.append(wrong)
        else:
            keys = file.value_in(DeviceKeys, table, where)
            kind = _kind(file, name, table)
            names.get(kind, []).append(name)
            if keys is not None and (device := _device(file, name, kind, keys)):
                devices[name] = device
    file.faults += [*_wrong_number(names, pandemonium), *_shared(devices)]
    return devices


def _wrong_name(name: str, table: Mapping[str, Any]) -> str:
    """What is wrong with a device's name; empty where nothing is."""
    if "kind" not in table and name not in ONE_EACH:
        other = "a device of another name needs a kind"
        return f"devices.{unknown(name, ONE_EACH)}; {other}: {', '.join(PLAIN_KINDS)}"
    if "kind" in table and (not NAME.fullmatch(name) or name == ALL):
        expected = "a name of at most 32 letters, digits, - and _"
        return f'devices.{key_text(name)}: expected {expected}, which is not "{ALL}"'
    return ""


def _kind(file: TomlTables, name: str, table: Mapping[str, Any]) -> str:
    """The kind of the device, which is that of its name where it is named after one."""
    kind = str(table.get("kind", name))
    if name in PLAIN_KINDS and kind in PLAIN_KINDS and kind != name:
        file.fault(f"devices.{name}.kind", f'expected "{name}", after which the device is named')
    return name if name in PLAIN_KINDS else kind


def _device(file: TomlTables, name: str, kind: str, keys: DeviceKeys) -> DeviceConfig | None:
    port = None if keys.port is None else str(keys.port)
    device = DeviceConfig(name, keys.driver, port, keys.usb, keys.baud, kind)
    try:
        check_config(device)
    except DriverError as error:
        file.faults.append(str(error))
        return None
    return device


def _wrong_number(names: Mapping[str, list[str]], pandemonium: str | None) -> list[str]:
    """Faults of kinds of which there are too few or too many."""
    found = []
    if not names[SHOE]:
        found.append("[devices.shoe] is missing: a table is always dealt from a shoe")
    for kind in ONE_EACH:
        if len(names[kind]) > 1:
            every = " and ".join(f"devices.{name}" for name in names[kind])
            found.append(f"{every} are each a {PLAIN_KINDS[kind]}: expected one at a table")
    if names[DISPLAY] and not names[JACKPOT] and not pandemonium:
        found.append(
            f"[devices.jackpot] is missing: devices.{names[DISPLAY][0]} is a display, which shows "
            "what the jackpot unit shows"
        )
    if pandemonium and not names[JACKPOT]:
        found.append(
            f"[devices.jackpot] is missing: {pandemonium} has a Pandemonium wager, which needs its "
            "button and meter"
        )
    return found


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
