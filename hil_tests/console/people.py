"""The supervisors of a table of simulated devices, and their PINs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hil_tests.console.beside_table import ConsoleBesideTable

PINS: Final = {"Novak": "271828", "Ida": "31415926"}
"""What they key."""


def add_supervisors(table: ConsoleBesideTable, pins: Mapping[str, str] = PINS) -> None:
    """Have the table know them, or others by their PINs."""
    for person, pin in pins.items():
        table.bench.control.change_people("person_add", person, "supervisor", pin)
