"""The catalogue of faults: every code that the table or its box may name, in one place.

What holds play, what is only said, in which words, and who ends it is decided here and nowhere
else; docs/faults.md and ``tablectl faults`` are written out of it. A code is never given a second
meaning, because journals carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from controller.faults import of_cards, of_devices, of_the_box
from controller.faults.model import Clears, Fault, Severity

UNKNOWN: Final = "unknown-fault"

SECTIONS: Final = (
    ("Faults of the box", of_the_box.FAULTS),
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
    """The fault of that code; that of an unknown fault where the catalogue has none."""
    return CATALOGUE.get(code) or CATALOGUE[UNKNOWN]


def closes_devices(code: str) -> bool:
    """Whether no device may be spoken to while that fault stands."""
    return fault_of(code).devices_closed


__all__ = ["CATALOGUE", "SECTIONS", "UNKNOWN", "Clears", "Fault", "Severity", "closes_devices"]
