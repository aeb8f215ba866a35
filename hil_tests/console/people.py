"""The supervisors of a table of simulated devices, and their PINs."""

from __future__ import annotations

from typing import Final

from hil_tests.console.beside_table import ConsoleBesideTable

PINS: Final = {"Novak": "271828", "Ida": "31415926"}
"""What they key."""


def add_supervisors(table: ConsoleBesideTable) -> None:
    """Have the table know them."""
    for person, pin in PINS.items():
        table.bench.control.change_people("person_add", person, "supervisor", pin)
