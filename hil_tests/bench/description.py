"""A bench's file: which resources it has, what drives each, and what it cannot do.

One file describes one bench, in ``hil_tests/benches/NAME.toml`` or wherever ``--bench PATH`` says:

    title = "..."               one line, for reports
    spin_ms = 500               how long the meter spins; 500 unless said
    [machine]                   what the controller runs on
    driver = "process"          one of MACHINE_KEYS; other keys are the driver's own
    [devices.shoe]              shoe, shuffler, jackpot and keypad
    driver = "twin"             a process of ours; "person": a real one, and a person at it
    line = "pty"                how it is connected, pty, usb or usb-serial
    serial = "SHOE0001"         its serial number, at most 12 characters
    [cannot]                    what scenarios may need and this bench lacks, with the reason
    clock = "the controller shares this machine's clock"

A name that is not known is refused with those that are: a bench that is not what its file says
would prove nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from controller.forms.expected import Range, Text
from controller.forms.faults import not_among, unknown
from controller.forms.json_values import checked
from drivers.vocabulary import KINDS

BENCHES: Final = Path(__file__).resolve().parent.parent / "benches"

MACHINE_KEYS: Final[Mapping[str, Collection[str] | None]] = {
    "process": (),
    "guest": ("cold",),
    "remote": None,
}
"""By the driver of ``[machine]``: what else may stand there; a ``remote`` one looks for itself."""
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

    driver: Literal["twin", "person"]
    line: Literal["pty", "usb", "usb-serial"]
    serial: Annotated[str, Text("its serial number")]
    port: str = ""
    twin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchFile:
    """A bench as its file has it; ``machine`` keeps the keys of its driver. ``spin_ms``: long
    enough for this bench to do something while the meter spins."""

    name: str
    title: Annotated[str, Text("one line, for reports")]
    machine: Mapping[str, object]
    devices: Mapping[str, DeviceResource]
    cannot: Mapping[str, Annotated[str, Text("the reason")]] = field(default_factory=dict)
    spin_ms: Annotated[int, Range("ms", 0, 600_000)] = 500

    def __post_init__(self) -> None:
        """Raises :class:`BadBench` for names that are not known, each with its place."""
        driver = self.machine.get("driver")
        if driver not in MACHINE_KEYS:
            raise BadBench(f"machine.driver: {not_among(driver, MACHINE_KEYS)}")
        keys = MACHINE_KEYS[str(driver)]
        known = {"devices": DEVICES, "cannot": CAPABILITIES} | (
            {} if keys is None else {"machine": ("driver", *keys)}
        )
        for place, names in known.items():
            for name in getattr(self, place):
                if name not in names:
                    raise BadBench(f"{place}.{unknown(name, names)}")


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
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        return checked(BenchFile, {"name": path.stem, **told}, "bench")
    except (ValueError, BadBench) as error:  # no TOML, no text, or another form
        raise BadBench(f"{path}: {error}") from error
