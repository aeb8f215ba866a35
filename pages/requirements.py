"""What regulators ask of equipment like this, ``docs/requirements.md``.

A row that nothing accounts for, or that names a file, module or test which is not there, is a
fault.

The rows are ``config/requirements.toml``. ``[families]`` gives each family's title (``RNG = "Random
numbers"``). Every other table is a row, ``[RNG-01]``, with ``demand`` (in our own words),
``source``, and either

- ``carried_by``: files or modules that carry it, and ``tests``: pytest node ids that show it; with
  ``note`` where that wants a word; or
- ``outside``: why it is not the controller's to meet, and whose it is; with ``note`` and what of it
  the controller does all the same in ``carried_by`` and ``tests``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.forms.json_values import JsonObject, checked
from pages.clauses.shown_clauses import is_module, is_test
from pages.generated import heads, table_row

FILE = Path("config/requirements.toml")
ROW = re.compile(r"(?P<family>[A-Z]{3})-(?P<number>\d\d)")
KEYS = frozenset({"demand", "source", "carried_by", "tests", "note", "outside"})


class RowsError(Exception):
    """The file cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement; ``outside`` "" where the controller meets it."""

    id: str
    demand: str
    source: str
    carried_by: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    note: str = ""
    outside: str = ""

    @property
    def family(self) -> str:
        """The letters of its id."""
        return self.id.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows, in the file's order, and the families' titles."""

    families: Mapping[str, str]
    rows: tuple[Row, ...]


def read_rows(root: Path) -> Rows:
    """The rows of the project in the directory ``root``; raises :class:`RowsError`."""
    path = root / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RowsError(f"{path}: {error}") from error
    families = data.pop("families", {})
    return Rows(families, tuple(_row(path, name, told) for name, told in data.items()))


def _row(path: Path, name: str, told: JsonObject) -> Row:
    if ROW.fullmatch(name) is None:
        raise RowsError(f"{path}: [{name}] is no row's id, such as RNG-01")
    if unknown := told.keys() - KEYS:
        raise RowsError(f"{path}: [{name}] has unknown keys: {', '.join(sorted(unknown))}")
    if missing := {"demand", "source"} - told.keys():
        raise RowsError(f"{path}: [{name}] lacks {', '.join(sorted(missing))}")
    return Row(
        name,
        str(told["demand"]),
        str(told["source"]),
        tuple(checked(list[str], told.get("carried_by", []), name)),
        tuple(checked(list[str], told.get("tests", []), name)),
        str(told.get("note", "")),
        str(told.get("outside", "")),
    )


def complaints(rows: Rows, root: Path) -> Iterator[str]:
    """A line for each row that nothing accounts for, and for each thing named that is not there."""
    numbers: dict[str, int] = {}
    for row in rows.rows:
        number = int(row.id[-2:])
        if number != numbers.get(row.family, 0) + 1:
            yield f"{row.id} does not follow {row.family}-{numbers.get(row.family, 0):02}"
        numbers[row.family] = number
        if row.family not in rows.families:
            yield f"{row.id} is of no family that is listed"
        if not row.outside and not (row.carried_by and row.tests):
            yield f"{row.id} wants what carries it and a test, or why it is outside"
        for name in row.carried_by:
            if not ((root / name).exists() if "/" in name else is_module(root, name)):
                yield f"{row.id} is carried by {name}, which is not there"
        for node in row.tests:
            if not is_test(root, node):
                yield f"{row.id} is shown by {node}, which is not there"


MISSING = "Missing:"
"""Behind it a note says what of a row is not met."""


def page(rows: Rows) -> str:
    """The page."""
    outside = sum(bool(row.outside) for row in rows.rows)
    parts = sum(MISSING in row.note for row in rows.rows if not row.outside)
    lines = [
        "# What regulators ask, and what carries it",
        "",
        f"Written by `make docs` out of `{FILE}`; do not edit. The demands are in our own",
        "words, a checklist and no claim of certification: read the source before quoting one.",
        "",
        f"{len(rows.rows)} rows: {len(rows.rows) - outside} are carried by the controller and",
        f"shown by tests, {outside} lie outside it, with the reason. Of those that are carried,",
        f"{parts} are not met in every part; what is not stands behind *{MISSING}*",
    ]
    for family, title in rows.families.items():
        mine = [row for row in rows.rows if row.family == family]
        lines += ["", f"## {family}: {title}", ""]
        lines += [*heads("row", "demand", "carried by", "shown by")]
        lines += [_line(row) for row in mine]
    return "\n".join(lines) + "\n"


def _line(one: Row) -> str:
    demand = f"{one.demand} <br>*{one.source}*"
    carried = [f"`{name}`" for name in one.carried_by]
    if one.outside:
        carried.insert(0, f"**outside the controller:** {one.outside}")
    if one.note:
        carried.append(one.note)
    tests = "<br>".join(_tests(one))
    return table_row(f"**{one.id}**", demand, "<br>".join(carried), tests)


def _tests(row: Row) -> Iterator[str]:
    """Tests, each file once."""
    files: dict[str, list[str]] = {}
    for node in row.tests:
        file, _, name = node.partition("::")
        files.setdefault(file, []).append(name)
    for file, names in files.items():
        yield f"`{file}`" + "".join(f"<br>&nbsp;{name}" for name in names if name)
