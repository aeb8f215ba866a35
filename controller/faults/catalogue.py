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


def closes_devices(code: str) -> bool:
    """Whether no device may be contacted while that fault is present."""
    return fault_of(code).devices_closed


__all__ = ["CATALOGUE", "SECTIONS", "UNKNOWN", "Clears", "Fault", "Severity", "closes_devices"]
