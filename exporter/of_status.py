"""What the controller's status says, as metrics.

Each part of the status is looked at by itself: one that has another form than expected, as another
version of the controller may send it, is left out and named, and the others are told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypedDict

from controller.forms.json_values import JsonObject, WrongForm, checked
from exporter import catalogue as names
from exporter.metrics import Readings, timestamp

STATES: Final = (
    *("closed", "idle", "betting", "deal", "interim", "jackpot", "offers", "play", "dealer"),
    *("final", "settled", "void", "service"),
)
"""First parts of a state, without the ``held`` before it; a state that is not among them is told
besides them."""


class _HeldPlay(TypedDict, total=False):
    faults: list[str]


class _Table(TypedDict, total=False):
    started: str
    table: str
    rules: str
    state: str
    round: int
    held: _HeldPlay | None
    conditions: dict[str, str]


class _Device(TypedDict, total=False):
    kind: str
    link: str
    since: str | None
    serial: str | None
    firmware: str | None
    stopped: str | None
    faults: str | None


class _Journal(TypedDict, total=False):
    head: int
    sealed_to: int | None
    key: str | None


class _Program(TypedDict, total=False):
    version: str
    engine: str
    digest: str
    libraries_digest: str


class _Copy(TypedDict, total=False):
    same_disk: bool | None
    last: int | None
    fault: str | None


class _Scrub(TypedDict, total=False):
    walks: int
    checked: int
    fault: str | None


class _Tree(TypedDict, total=False):
    taken_in: int
    left: int


class _Upkeep(TypedDict, total=False):
    copy: _Copy | None
    scrub: _Scrub | None
    tree: _Tree | None


def read_status(status: JsonObject, readings: Readings) -> dict[str, str]:
    """Add what it says; returns why a part could not be read, by the part."""
    parts: dict[str, Callable[[JsonObject, Readings], None]] = {
        "table": _table,
        "devices": _devices,
        "journal": _journal,
        "program": _program,
        "upkeep": _upkeep,
    }
    faults: dict[str, str] = {}
    for name, read in parts.items():
        try:
            read(status, readings)
        except WrongForm as error:
            faults[name] = str(error)
    for name in faults:
        readings.add(names.EXPORTER_UNREADABLE, 1, name)
    return faults


def kinds_of(status: JsonObject) -> dict[str, str]:
    """The kind of each device, as far as it is told."""
    try:
        devices = checked(dict[str, _Device], status.get("devices") or {}, "devices")
    except WrongForm:
        return {}
    return {name: device.get("kind", "") for name, device in devices.items()}


def _table(status: JsonObject, readings: Readings) -> None:
    table = checked(_Table, status, "status")
    if "round" in table:
        readings.add(names.ROUND, table["round"])
    if "state" in table:
        state = table["state"].removeprefix("held.").partition(".")[0]
        for other in dict.fromkeys((*STATES, state)):
            readings.add(names.STATE, other == state, other)
    if started := table.get("started"):
        readings.add(names.STARTED, timestamp(started, "started"))
    held = table.get("held")
    readings.add(names.HELD, held is not None)
    for fault in (held or {}).get("faults", []):
        readings.add(names.HELD_INFO, 1, fault)
    for fault in table.get("conditions", {}):
        readings.add(names.CONDITION, 1, fault)


def _devices(status: JsonObject, readings: Readings) -> None:
    devices = checked(dict[str, _Device], status.get("devices") or {}, "devices")
    since = {
        name: timestamp(told, f"devices.{name}.since")
        for name, device in devices.items()
        if (told := device.get("since"))
    }
    for name, device in devices.items():
        labels = name, device.get("kind", "")
        readings.add(names.DEVICE_UP, device.get("link") == "up", *labels)
        readings.add(names.DEVICE_CHANGED, since.get(name), *labels)
        fault = bool(device.get("stopped") or device.get("faults"))
        readings.add(names.DEVICE_FAULT, fault, *labels)
        serial, firmware = device.get("serial"), device.get("firmware")
        if serial or firmware:
            readings.add(names.DEVICE_INFO, 1, *labels, serial or "", firmware or "")


def _journal(status: JsonObject, readings: Readings) -> None:
    journal = checked(_Journal, status.get("journal") or {}, "journal")
    readings.add(names.JOURNAL_HEAD, journal.get("head"))
    readings.add(names.JOURNAL_SIGNED, journal.get("sealed_to"))
    if key := journal.get("key"):
        readings.add(names.JOURNAL_INFO, 1, key)


def _program(status: JsonObject, readings: Readings) -> None:
    program = checked(_Program, status.get("program") or {}, "program")
    table = checked(_Table, status, "status")
    readings.add(
        names.INFO,
        1,
        table.get("table", ""),
        table.get("rules", ""),
        program.get("version", ""),
        program.get("engine", ""),
        program.get("digest", ""),
        program.get("libraries_digest", ""),
    )


def _upkeep(status: JsonObject, readings: Readings) -> None:
    upkeep = checked(_Upkeep, status.get("upkeep") or {}, "upkeep")
    copy, scrub, tree = upkeep.get("copy"), upkeep.get("scrub"), upkeep.get("tree")
    readings.add(names.COPY_CONFIGURED, copy is not None)
    if copy is not None:
        readings.add(names.COPY_ENTRY, copy.get("last"))
        readings.add(names.COPY_FAILING, copy.get("fault") is not None)
        readings.add(names.COPY_SAME_DISK, copy.get("same_disk"))
    if scrub is not None:
        readings.add(names.SCRUB_WALKS, scrub.get("walks"))
        readings.add(names.SCRUB_ENTRY, scrub.get("checked"))
        readings.add(names.SCRUB_DAMAGED, scrub.get("fault") is not None)
    if tree is not None:
        readings.add(names.TREE_ENTRY, tree.get("taken_in"))
        readings.add(names.TREE_LEFT, tree.get("left"))
