"""Supervisors of a table of simulated devices, who sign in at the page by touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from playwright.sync_api import Page, expect

from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import touch

PINS: Final = {"Novak": "271828", "Ida": "31415926"}
"""What they key."""


def add_supervisors(table: ConsoleBesideTable, pins: Mapping[str, str] = PINS) -> None:
    """Have the table know them, or others by their PINs."""
    for person, pin in pins.items():
        table.bench.control.request("person_add", person=person, role="supervisor", pin=pin)


REFUSED: Final = "the server responded with a status of 4"
"""What Chromium says of an answer that is no."""


def sign_in(page: Page, person: str, key: str, pin: str | None = None) -> None:
    """Name and PIN, by touch; ``key``: once, stay or second."""
    expect(page.locator(".dialog.who")).to_be_visible()
    known = page.locator(f"[data-name={person}]")
    if page.locator("[data-name]").count() and not known.count():
        touch(page.locator("[data-name='']"))
    if known.count():
        touch(known)
    else:
        for letter in person.upper():
            touch(page.locator(".letter", has_text=letter).first)
        touch(page.locator("[data-say=name]"))
    for digit in pin or PINS[person]:
        touch(page.locator(f"[data-digit='{digit}']"))
    touch(page.locator(f"[data-sign-in={key}]"))
