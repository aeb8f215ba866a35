"""The catalogue of faults: every code that the table or its controller may report, in one place.

What holds play, what is only shown, in which words, and who ends it is decided only here;
docs/faults.md and ``tablectl faults`` are generated from it. A code is never given a second
meaning, because journals store it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from controller.faults import of_cards, of_devices, of_the_controller
from controller.faults.model import Clears, Fault, Severity

DOES: Final = {
    Severity.HOLD: "play is held at once, also in the middle of a round",
    Severity.BETWEEN: "a round that is being played is finished; then play is held",
    Severity.WAIT: "play waits, and goes on by itself",
    Severity.NOTICE: "it is shown for as long as it lasts; play goes on",
    Severity.REMARK: "it is told once and stands in the journal; play goes on",
}
"""The effect of each severity on play."""


def throttle(fault: Fault) -> str:
    """How often it is journaled at most."""
    if not fault.throttle_s:
        return "each time: it is an event of a device or an act of a person"
    unit, divisor = ("minute", 60) if fault.throttle_s < 3600 else ("hour", 3600)
    count = fault.throttle_s // divisor
    every = f"{count} {unit}s" if count > 1 else f"one {unit}"
    if fault.severity is Severity.REMARK:
        return f"once in {every} at most, with how many were left out"
    return f"when it comes and goes, six times a minute at most; in other words once in {every}"


def plain(fault: Fault) -> list[tuple[str, str]]:
    """All facts of a fault, as names and lines."""
    devices = " No byte goes to any device meanwhile." if fault.devices_closed else ""
    lines = [
        ("what it says", fault.text),
        ("severity", f"{fault.severity.value}: {DOES[fault.severity]}.{devices}"),
        ("next step", fault.next_step),
        ("who ends it", f"{fault.clears.value}."),
        ("journaled", f"{throttle(fault)}."),
    ]
    if fault.of_controller and fault.holds and fault.clears is not Clears.ITSELF:
        lines.append(("a void round", "does not end it."))
    if fault.requirements:
        lines.append(("requirements", ", ".join(fault.requirements)))
    return lines


UNKNOWN: Final = "unknown-fault"

SECTIONS: Final = (
    ("Faults of the controller", of_the_controller.FAULTS),
    ("Faults of devices", of_devices.FAULTS),
    ("Faults of cards and of the round", of_cards.FAULTS),
)
"""The catalogue's parts with their headings, in the order of the document."""


def _by_code() -> Mapping[str, Fault]:
    found: dict[str, Fault] = {}
    for _, faults in SECTIONS:
        for fault in faults:
            if fault.code in found:
                raise ValueError(f"the fault {fault.code} is in the catalogue twice")
            found[fault.code] = fault
    return MappingProxyType(found)


CATALOGUE: Final = _by_code()
"""Every fault by its code."""


def fault_of(code: str) -> Fault:
    """The fault of that code; the fault for unknown codes where the catalogue has none."""
    return CATALOGUE.get(code) or CATALOGUE[UNKNOWN]
