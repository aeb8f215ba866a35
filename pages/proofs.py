"""What the proofs show: tables of docs/draw.md, and the models' claims in docs/models.md.

A model names its claims at its head, behind ``Claims:``, one to an item.

Nothing in the tables is sampled: cutoffs and power are computed (:mod:`controller.draw.health`,
:mod:`proof.battery.power`), so they are the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from controller.draw.health import cutoffs
from controller.draw.weights import Weights
from pages.generated import ROOT, between, heads
from proof.battery.defects import DEFECTS
from proof.battery.power import draws_needed

EXAMPLE: Final = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))
"""The weights of config/table.example.toml."""
MODELS: Final = ("link", "draw", "stored")
CLAIMS: Final = re.compile(r"^ \* Claims:\n(.*?)^ \*/$", re.MULTILINE | re.DOTALL)
ITEM: Final = re.compile(r"^ \* - (.*?)(?=^ \* - |\Z)", re.MULTILINE | re.DOTALL)
WIDTHS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32)


def draw_page(present: str) -> str:
    """The page of the draw with its tables anew."""
    text = between(present, "cutoffs", list(_cutoffs()))
    return between(text, "power", list(_power()))


def _cutoffs() -> Iterator[str]:
    yield from heads("bits of a ticket", "equal in a row", "equal in a window", "repeated sequence")
    for width in WIDTHS:
        cut = cutoffs(width)
        yield f"| {width} | {cut.repeats} | {cut.same} of {cut.window} | {cut.sequence} |"


def _power() -> Iterator[str]:
    yield from heads("defect", "what is wrong", "found by", "draws in a sample")
    for defect in DEFECTS:
        draws, by = draws_needed(defect, EXAMPLE)
        yield f"| {defect.name} | {defect.about} | {by} | {draws:,} |"


def models_page(present: str) -> str:
    """The page of the models with their claims anew."""
    return between(present, "claims", [*heads("model", "claim"), *_claims()])


def _claims() -> Iterator[str]:
    for name in MODELS:
        text = (ROOT / "proof" / "models" / name / f"{name}.pml").read_text("utf-8")
        head = CLAIMS.search(text)
        assert head, f"{name}.pml names no claims"
        for item in ITEM.findall(head[1]):
            yield f"| {name} | {' '.join(item.replace(' *  ', ' ').split())} |"
