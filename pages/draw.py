"""Write the tables of docs/draw.md: ``python -m pages.draw``.

Nothing in them is sampled: cutoffs and power are computed (:mod:`controller.draw.health`,
:mod:`proof.battery.power`), so they are the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from controller.draw.health import cutoffs
from controller.draw.weights import Weights
from pages.generated import DOCS, between, write_page
from proof.battery.defects import DEFECTS
from proof.battery.power import draws_needed

MODULE: Final = "pages.draw"
DOCUMENT: Final = DOCS / "draw.md"

EXAMPLE: Final = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))
"""The weights of config/table.example.toml."""
WIDTHS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32)


def document(present: str) -> str:
    """The document with its generated tables."""
    text = between(present, "cutoffs", list(_cutoffs()))
    return between(text, "power", list(_power()))


def _cutoffs() -> Iterator[str]:
    yield "| bits of a ticket | equal in a row | equal in a window | repeated sequence |"
    yield "| --- | --- | --- | --- |"
    for width in WIDTHS:
        cut = cutoffs(width)
        yield f"| {width} | {cut.repeats} | {cut.same} of {cut.window} | {cut.sequence} |"


def _power() -> Iterator[str]:
    yield "| defect | what is wrong | found by | draws in a sample |"
    yield "| --- | --- | --- | --- |"
    for defect in DEFECTS:
        draws, by = draws_needed(defect, EXAMPLE)
        yield f"| {defect.name} | {defect.about} | {by} | {draws:,} |"


if __name__ == "__main__":
    sys.exit(write_page(MODULE, DOCUMENT, document, sys.argv[1:]))
