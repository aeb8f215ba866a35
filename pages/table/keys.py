"""Write the holds and the keypad's grammar into the supervisor's page:
``python -m pages.table.keys``."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from controller.faults.catalogue import CATALOGUE
from controller.game.rules.triggers import TRIGGERS
from controller.table.entering.grammar import GRAMMAR
from controller.table.state.entering import ROW_LENGTH
from pages.generated import DOCS, between, write_page

DOCUMENT = DOCS / "supervisor.md"


def make_page(present: str) -> str:
    """The page with both tables as the code has them."""
    return between(between(present, "holds", list(_holds())), "keys", list(_keys()))


def _holds() -> Iterator[str]:
    yield from ("| row 2 | what has happened |", "| --- | --- |")
    for code, fault in CATALOGUE.items():
        if fault.holds and code not in TRIGGERS:
            row = code.replace("-", " ").upper()[:ROW_LENGTH]
            yield f"| [`{row}`](faults.md#{code}) | {fault.text} |"


def _keys() -> Iterator[str]:
    yield from ("| keys | command | |", "| --- | --- | --- |")
    yield from (f"| `{keys}` | {command} | {remark} |" for keys, command, remark in GRAMMAR)


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    given = sys.argv[1:] if arguments is None else arguments
    return write_page("pages.table.keys", DOCUMENT, make_page, given)


if __name__ == "__main__":
    sys.exit(main())
