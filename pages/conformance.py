"""Write what the conformance run demands of a device, and what a driver owes:
``python -m pages.conformance``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from drivers.api import DeviceLink
from drivers.vocabulary import PLAIN_KINDS
from hil_tests.conformance.catalogue import Check, checks
from pages.generated import DOCS, between, items, write_page

MODULE: Final = "pages.conformance"
DOCUMENT: Final = DOCS / "integrators.md"


def make_page(present: str) -> str:
    """The page with the table of checks as the run has them, and the duties of a driver."""
    owed = [f"{at}. {duty}" for at, duty in enumerate(items(DeviceLink), 1)]
    return between(between(present, "checks", list(_lines())), "duties", owed)


def _lines() -> Iterator[str]:
    yield "| section | check | what it demands | of |"
    yield "| --- | --- | --- | --- |"
    # Equal sections stand together; within one the order is that of the run.
    for check in sorted(checks(), key=lambda check: check.section):
        name, section = check.name.replace("_", " "), check.section.removeprefix("section ")
        demand = check.demand.replace("|", "\\|")
        yield f"| {section} | {name} | {demand[0].upper()}{demand[1:]} | {_about(check)} |"


def _about(check: Check) -> str:
    kinds = ", ".join(PLAIN_KINDS[kind] for kind in check.kinds)
    carriers = ", ".join({"usb": "USB", "serial": "serial lines"}[each] for each in check.carriers)
    told = " on ".join(filter(None, [kinds or "every device", carriers]))
    return f"{told}; a person" if check.person else told


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    return write_page(MODULE, DOCUMENT, make_page, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
