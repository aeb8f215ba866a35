"""``[table]`` and the ``[devices.NAME]`` tables of the configuration.

The rules:

- The keys of ``[table]`` are judged one by one, by what the rules permit: a fault of one leaves
  none of another untold.
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
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.keys import DeviceKeys, TableKeys
from controller.configuration.model import TableSettings
from controller.configuration.tables import TomlTables
from controller.files.readings import readings_of
from controller.files.rules import load_rules, rules_digest, rules_file
from controller.forms.expected import Range
from controller.forms.faults import key_text, unknown, value_text
from controller.forms.reading import expecting, fields_of
from controller.game.commands.values import write_amount
from controller.game.round.wagers import Limits
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from drivers.api import DeviceConfig, DriverError
from drivers.registry import check_config, parse_usb
from drivers.vocabulary import DISPLAY, JACKPOT, KINDS, PLAIN_KINDS, SHOE


def read_table(file: TomlTables) -> tuple[TableSettings | None, RuleSet | None]:
    """The table's settings and its rules; None for what has faults."""
    given = file.data.get("table")
    if not isinstance(given, Mapping):
        other = f"table = {value_text(given)}: expected a table, [table]"
        file.faults.append("[table] is missing" if given is None else other)
        return None, None
    keys = file.fields(TableKeys, given, "table")
    rules, digests, source = _rules(file, keys.get("rules"))
    if rules is not None:
        low, high, most = rules.cards.decks_min, rules.cards.decks_max, rules.betting.boxes_max
        by = f"decks in the shoe, {rules.id} {high.clause}"
        _narrow(file, keys, "decks", Range(by, low.value, high.value))
        _narrow(
            file, keys, "boxes", Range(f"playing areas, {rules.id} {most.clause}", 1, most.value)
        )
    limits = _limits(file, keys, rules)
    if rules is None or limits is None or not {"id", "decks", "boxes", "day_begins"} <= keys.keys():
        return None, rules
    name, decks, boxes, begins = keys["id"], keys["decks"], keys["boxes"], keys["day_begins"]
    return TableSettings(name, rules, *digests, decks, boxes, limits, begins, source), rules


def _narrow(file: TomlTables, keys: dict[str, Any], key: str, expected: Range) -> None:
    """Judge a number that the rules limit; one with a fault is dropped."""
    if key in keys:
        number = file.as_form(expecting(int, expected), keys.pop(key), f"table.{key}")
        keys |= {} if number is None else {key: number}


def _rules(
    file: TomlTables, given: str | None
) -> tuple[RuleSet | None, tuple[str, str], Path | None]:
    """The rule set, the digests of its file and of its readings, and where the file is."""
    base = file.path.parent
    if given is None:
        return None, ("", ""), None
    try:
        rules = load_rules(given, base)
        source = rules_file(given, base)
        return rules, (rules_digest(given, base), readings_of(rules, source).digest), source
    except OSError as error:
        why = cause_of(error, rules_file(given, base), wants=READ)
        file.faults.append(f'table.rules = "{given}": cannot be read: {why}')
    except RulesError as error:
        file.faults += [f'table.rules = "{given}": {fault}' for fault in error.faults]
    return None, ("", ""), None


def _limits(file: TomlTables, keys: dict[str, Any], rules: RuleSet | None) -> Limits | None:
    """The limits. Where no side wager can be made, its own decide nothing and may be left out."""
    given = file.data["table"]
    if rules is not None and not rules.side_wagers:
        keys = {"side_min": keys.get("increment"), "side_max": keys.get("max"), **keys}
    else:
        file.faults += [
            f"table.{one.name} is missing: expected {one.form.words}"
            for one in fields_of(TableKeys)
            if one.name.startswith("side_") and one.name not in given
        ]
    by_table = rules is not None and rules.betting.box_max.value == "table_maximum"
    keys = {"box_max": keys.get("max") if by_table else 0, "player_max": 0, **keys}
    for key, why in _wrong_limits(keys):
        if key in given:
            file.fault(f"table.{key}", why)
    names = ("min", "max", "side_min", "side_max", "increment", "box_max", "player_max")
    limits = [keys.get(name) for name in names]
    return None if None in limits else Limits(*[int(limit or 0) for limit in limits])


def _wrong_limits(keys: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with sums beside others, by key; None is not known."""
    low, step = keys.get("min"), keys.get("increment")
    if low is not None and low % 2:
        yield "min", "3:2 cannot be paid on it; expected an even number of cents"
    for key in ("min", "side_min"):
        top = key.replace("min", "max")
        least, most = keys.get(key), keys.get(top)
        if least is None or most is None:
            continue
        if least > most:
            yield key, f"expected no more than {top}, {write_amount(most)}"
        if step is not None and least % step:
            by = f"wagers go in steps of {write_amount(step)}"
            yield key, f"{by}: expected a multiple of increment"
    for key in ("box_max", "player_max"):
        if low is not None and 0 < (keys.get(key) or 0) < low:
            yield key, f"expected no less than min, {write_amount(low)}"


ONE_EACH: Final = tuple(KINDS.values())
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
ALL: Final = "all"
"""Means every device in commands, so no device may have this name."""


def read_devices(file: TomlTables, pandemonium: str | None) -> dict[str, DeviceConfig]:
    """Those without faults; ``pandemonium`` is the id of rules with such a wager."""
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
