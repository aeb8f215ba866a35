"""What the generators of documentation share: where it stands, and the forms of its parts."""

from __future__ import annotations

import inspect
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The project's directory."""
DOCS = ROOT / "docs"
BAR = "\\|"
"""A bar within a cell."""


def between(text: str, name: str, lines: list[str]) -> str:
    """The text with ``lines`` between its markers of that name.

    Raises:
        ValueError: it has no such markers.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"no markers {begin.strip()} and {end.strip()}")
    return "".join([head, begin, *(f"{line}\n" for line in lines), end, tail])


def heads(*names: str) -> list[str]:
    """The first two lines of a table whose columns have these names, "" for none."""
    return [table_row(*names), "|" + " --- |" * len(names)]


def table_row(*cells: str) -> str:
    """A line of a table; a bar within a cell is none of the table's."""
    written = (f" {cell} " if cell else " " for cell in cells)
    return f"|{'|'.join(one.replace('|', BAR) for one in written)}|"


def items(told: object) -> list[str]:
    """The items of a docstring's list, each on one line."""
    _, *found = (inspect.getdoc(told) or "").replace("``", "`").split("\n- ")
    return [" ".join(item.split()) for item in found]
