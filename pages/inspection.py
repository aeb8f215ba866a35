"""What inspectors hold the controller against: demands of regulators, and what the proofs show.

The demands, ``docs/requirements.md``, are the rows of ``config/requirements.toml``. ``[families]``
gives each family's title (``RNG = "Random numbers"``). Every other table is a row, ``[RNG-01]``,
with ``demand`` (in our own words), ``source``, and either

- ``carried_by``: files or modules that carry it, and ``tests``: pytest node ids that show it; with
  ``note`` where that wants a word; or
- ``outside``: why it is not the controller's to meet, and whose it is; with ``note`` and what of it
  the controller does all the same in ``carried_by`` and ``tests``.

A row that nothing accounts for, or that names a file, module or test which is not there, is a
fault.

Of the proofs there are tables of ``docs/draw.md``, and the claims in ``docs/models.md`` that a
model names at its head, behind ``Claims:``, one to an item. Nothing in the tables is sampled:
cutoffs and power are computed, so they are the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.draw.health import cutoffs
from controller.draw.weights import Weights
from controller.forms.json_values import WrongForm, checked
from pages.generated import ROOT, as_table
from pages.sources import SourceError, lacking, read_source
from proof.battery.defects import DEFECTS
from proof.battery.deviations import draws_needed

FILE: Final = Path("config/requirements.toml")
ID: Final = re.compile(r"[A-Z]{3}-\d\d")


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement; ``outside`` "" where the controller meets it."""

    demand: str
    source: str
    carried_by: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    note: str = ""
    outside: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows, in the file's order by their ids, and the families' titles by the letters that ids
    begin with."""

    families: Mapping[str, str]
    rows: Mapping[str, Row]


def read_rows(root: Path) -> Rows:
    """The rows of the project in the directory ``root``; raises :class:`SourceError`."""
    data = read_source(dict[str, dict[str, object]], root / FILE)
    families = data.pop("families", {})
    if strange := [name for name in data if ID.fullmatch(name) is None]:
        raise SourceError(f"{root / FILE}: [{strange[0]}] is no row's id, such as RNG-01")
    try:
        rows = checked(dict[str, Row], data, FILE.name)
        return Rows(checked(dict[str, str], families, "families"), rows)
    except WrongForm as error:
        raise SourceError(f"{root / FILE}: {error}") from error


def complaints(rows: Rows, root: Path) -> Iterator[str]:
    """A line for each row that nothing accounts for, and for each thing named that is not there."""
    numbers: dict[str, int] = {}
    for name, row in rows.rows.items():
        family, number = name[:3], int(name[-2:])
        if number != numbers.get(family, 0) + 1:
            yield f"{name} does not follow {family}-{numbers.get(family, 0):02}"
        numbers[family] = number
        if family not in rows.families:
            yield f"{name} is of no family that is listed"
        if not row.outside and not (row.carried_by and row.tests):
            yield f"{name} wants what carries it and a test, or why it is outside"
        yield from (f"{name}: {one}" for one in lacking(root, row.carried_by, row.tests))


MISSING: Final = "Missing:"
"""Behind it a note says what of a row is not met."""


def counted(rows: Rows) -> list[str]:
    """How many rows there are, outside the controller, and not met in every part."""
    outside = sum(bool(row.outside) for row in rows.rows.values())
    parts = sum(MISSING in row.note for row in rows.rows.values() if not row.outside)
    return [
        f"{len(rows.rows)} rows: {len(rows.rows) - outside} are carried by the controller and",
        f"shown by tests, {outside} lie outside it, with the reason. Of those that are carried,",
        f"{parts} are not met in every part; what is not stands behind *{MISSING}*",
    ]


def demands(rows: Rows) -> Iterator[str]:
    """The rows by family."""
    heads = ("row", "demand", "carried by", "shown by")
    for family, title in rows.families.items():
        own = (_cells(name, row) for name, row in rows.rows.items() if name.startswith(family))
        yield from ("", f"## {family}: {title}", "", *as_table(heads, own))


def _cells(name: str, row: Row) -> tuple[str, ...]:
    carried = [f"**outside the controller:** {row.outside}"] if row.outside else []
    carried += [f"`{one}`" for one in row.carried_by]
    if row.note:
        carried.append(row.note)
    demand = f"{row.demand} <br>*{row.source}*"
    return f"**{name}**", demand, "<br>".join(carried), "<br>".join(_tests(row))


def _tests(row: Row) -> Iterator[str]:
    """Tests, each file once."""
    files: dict[str, list[str]] = {}
    for node in row.tests:
        file, _, name = node.partition("::")
        files.setdefault(file, []).append(name)
    for file, names in files.items():
        yield f"`{file}`" + "".join(f"<br>&nbsp;{name}" for name in names if name)


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
