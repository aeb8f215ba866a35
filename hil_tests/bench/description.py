"""A bench's file: which resources it has, what drives each, and what it cannot do.

One file describes one bench, in ``hil_tests/benches/NAME.toml`` or wherever ``--bench PATH`` says:

    title = "..."               one line, for reports
    spin_ms = 500               how long the meter spins; 500 unless said
    [machine]                   what the controller runs on
    driver = "process"          one of MACHINES; other keys are the driver's own
    [devices.shoe]              shoe, shuffler, jackpot and keypad
    driver = "twin"             a process of ours; "person": a real one, and a person at it
    line = "pty"                how it is connected, one of LINES
    serial = "SHOE0001"         its serial number, at most 12 characters
    [cannot]                    what scenarios may need and this bench lacks, with the reason
    clock = "the controller shares this machine's clock"

A name that is not known is refused with those that are: a bench that is not what its file says
would prove nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drivers.vocabulary import KINDS

BENCHES: Final = Path(__file__).resolve().parent.parent / "benches"

MACHINES: Final = ("process", "umockdev", "guest", "remote")
MACHINE_KEYS: Final = {
    "process": ("driver",),
    "umockdev": ("driver",),
    "guest": ("driver", "cold"),
}
"""What may stand in ``[machine]``; a ``remote`` one looks for itself."""
DRIVERS: Final = ("twin", "person")
LINES: Final = ("pty", "usb", "usb-serial")
DEVICES: Final = tuple(KINDS.values())
CAPABILITIES: Final[Mapping[str, str]] = {
    "clock": "the machine's clock is set while the controller runs",
    "fresh-machine": "the controller starts on a machine that has never played",
    "freeze": "the whole machine stands still for a while, and goes on",
    "hands": "devices do what no person can do to a real one: bad lines, stacked cards",
    "kernel": "the machine has a kernel of its own: its drivers, its udev, its systemd",
    "kill": "the controller is killed between two instructions",
    "medium": "the journal's medium fails, hangs, slows down or fills, and is well again",
    "power-cut": "the machine loses its power, and its disk what it had not flushed",
    "second-meter": "a display stands beside the jackpot unit",
    "second-unit": "a second jackpot unit is plugged in",
    "stacked": "the next cards out of the shoe are known",
    "stall": "an endpoint of the jackpot unit stalls",
    "stall-out": "its OUT endpoint alone stalls, and the host is told",
    "swap-ports": "adapters are exchanged between sockets",
    "usb": "the jackpot unit is on a USB bus",
    "watchdog": "a controller that stands still is noticed and started again",
}
"""What a scenario may need, and what it means."""


class BadBench(Exception):
    """A bench's file does not say what it should; where, what was expected, what to do."""


@dataclass(frozen=True, slots=True)
class DeviceResource:
    """A device: who drives it, how it is connected, and its serial number. ``port`` is where a real
    one is found on the machine. ``twin``: what starts ``simulators`` where a table's twin is to
    run, and its terminal there."""

    name: str
    driver: str
    line: str
    serial: str
    port: str = ""
    twin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchFile:
    """A bench as its file has it; ``machine`` keeps the keys of its driver. ``spin_ms``: long
    enough for this bench to do something while the meter spins."""

    name: str
    title: str
    machine: Mapping[str, Any]
    devices: Mapping[str, DeviceResource]
    cannot: Mapping[str, str] = field(default_factory=dict)
    spin_ms: int = 500


def bench_file(wanted: str) -> BenchFile:
    """The bench of that name, or in the file of that path.

    Raises:
        BadBench: there is none, or its file is not right.
    """
    path = Path(wanted) if wanted.endswith(".toml") else BENCHES / f"{wanted}.toml"
    if not path.is_file():
        if wanted.endswith(".toml"):
            raise BadBench(f"{wanted}: there is no such file; a bench is described by one")
        known = ", ".join(sorted(file.stem for file in BENCHES.glob("*.toml")))
        raise BadBench(f"no bench {wanted!r}: there are {known}, or name a file with --bench PATH")
    try:
        return read_bench(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadBench(f"{path}: {error}") from error
    except BadBench as error:
        raise BadBench(f"{path}: {error}") from error


def read_bench(name: str, told: Mapping[str, Any]) -> BenchFile:
    """A bench out of its file's tables; raises :class:`BadBench`."""
    _only(told, ("title", "spin_ms", "machine", "devices", "cannot"), "the file")
    machine = _table(told, "machine")
    driver = _one_of(machine.get("driver"), MACHINES, "machine.driver")
    if driver in MACHINE_KEYS:
        _only(machine, MACHINE_KEYS[driver], f"machine, driver {driver!r}")
    devices = _table(told, "devices")
    _only(devices, DEVICES, "devices")
    cannot = _table(told, "cannot", required=False)
    _only(cannot, CAPABILITIES, "cannot")
    for what, why in cannot.items():
        if not isinstance(why, str) or not why:
            raise BadBench(f"cannot.{what}: the reason is missing: a text is expected")
    return BenchFile(
        name,
        _text(told, "title", "the file"),
        machine,
        {device: _device(device, _table(devices, device)) for device in devices},
        cannot,
        _milliseconds(told.get("spin_ms", 500)),
    )


def _device(name: str, told: Mapping[str, Any]) -> DeviceResource:
    where = f"devices.{name}"
    _only(told, ("driver", "line", "serial", "port", "twin"), where)
    return DeviceResource(
        name,
        _one_of(told.get("driver"), DRIVERS, f"{where}.driver"),
        _one_of(told.get("line"), LINES, f"{where}.line"),
        _text(told, "serial", where),
        str(told.get("port", "")),
        tuple(map(str, told.get("twin", ()))),
    )


def _table(told: Mapping[str, Any], key: str, *, required: bool = True) -> Mapping[str, Any]:
    found = told.get(key, None if required else {})
    if not isinstance(found, dict):
        raise BadBench(f"[{key}]: a table is expected, {found!r} found")
    return found


def _text(told: Mapping[str, Any], key: str, where: str) -> str:
    found = told.get(key)
    if not isinstance(found, str) or not found:
        raise BadBench(f"{where}: {key}: a text is expected, {found!r} found")
    return found


def _milliseconds(found: object) -> int:
    if type(found) is not int or found < 0:
        raise BadBench(f"spin_ms: whole milliseconds are expected, {found!r} found")
    return found


def _one_of(found: object, known: Collection[str], where: str) -> str:
    if found not in known:
        raise BadBench(f"{where}: one of {', '.join(known)} is expected, {found!r} found")
    return str(found)


def _only(told: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    if unknown := sorted(set(told) - set(known)):
        raise BadBench(f"{where}: {', '.join(unknown)} unknown; known are {', '.join(known)}")
