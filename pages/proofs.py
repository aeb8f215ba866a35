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
from pages.generated import ROOT, as_table
from proof.battery.defects import DEFECTS
from proof.battery.power import draws_needed

EXAMPLE: Final = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))
"""The weights of config/table.example.toml."""
MODELS: Final = ("link", "draw", "stored")
CLAIMS: Final = re.compile(r"^ \* Claims:\n(.*?)^ \*/$", re.MULTILINE | re.DOTALL)
ITEM: Final = re.compile(r"^ \* - (.*?)(?=^ \* - |\Z)", re.MULTILINE | re.DOTALL)
WIDTHS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32)


def cutoff_rows() -> Iterator[str]:
    """When the generator's own tests stop it, by the bits of a ticket."""
    heads = ("bits of a ticket", "equal in a row", "equal in a window", "repeated sequence")
    rows = ((width, cutoffs(width)) for width in WIDTHS)
    return as_table(
        heads,
        ((f"{n}", f"{c.repeats}", f"{c.same} of {c.window}", f"{c.sequence}") for n, c in rows),
    )


def power() -> Iterator[str]:
    """How many draws show which defect."""
    heads = ("defect", "what is wrong", "found by", "draws in a sample")
    found = ((one, *draws_needed(one, EXAMPLE)) for one in DEFECTS)
    return as_table(heads, ((one.name, one.about, by, f"{draws:,}") for one, draws, by in found))


def claims() -> Iterator[str]:
    """What the models claim."""
    return as_table(("model", "claim"), _claims())


def _claims() -> Iterator[tuple[str, str]]:
    for name in MODELS:
        text = (ROOT / "proof" / "models" / name / f"{name}.pml").read_text("utf-8")
        head = CLAIMS.search(text)
        assert head, f"{name}.pml names no claims"
        for item in ITEM.findall(head[1]):
            yield name, " ".join(item.replace(" *  ", " ").split())
