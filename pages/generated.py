"""What the generators of documentation share: where it stands, and the forms of its parts."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The project's directory."""
DOCS = ROOT / "docs"
PROSE = ROOT / "pages" / "prose"
"""What people write of documents that nobody edits in place."""


def prose(name: str) -> str:
    """A text below that folder, with marks or fields where its parts go."""
    return (PROSE / name).read_text("utf-8")


def between(text: str, name: str, lines: Iterable[str]) -> str:
    """The text with ``lines`` between its markers of that name."""
    head, _, tail = parts(text, name)
    return f"{head}{text_of(lines)}{tail}"


def parts(text: str, name: str) -> tuple[str, str, str]:
    """The text up to its marker of that name, what stands between both, and the rest.

    Raises:
        ValueError: it has no such markers.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    head, found, rest = text.partition(begin)
    part, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"no markers {begin.strip()} and {end.strip()}")
    return head + begin, part, end + tail


def as_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table with columns of these names, "" for none; a bar within a cell is none of
    the table's."""
    names = list(heads)
    yield table_row(names)
    yield "|" + " --- |" * len(names)
    yield from map(table_row, rows)


def table_row(cells: Iterable[str]) -> str:
    """A line of a table; a cell without anything is one space."""
    line = f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"
    return line.replace("|  ", "| ")


BAR = "\\|"


def finder(what: str, rows: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> Iterator[str]:
    """The lines of the table that a long page opens with: a row for each group of its sections,
    with what they are about, and their names with the anchors to which those lead."""
    return as_table(
        (what, "where it stands"),
        ((text, ", ".join(f"[{name}](#{anchor})" for name, anchor in to)) for text, to in rows),
    )


def cells(text: str) -> list[list[str]]:
    """The cells of all lines of tables in a text that people write."""
    lines = (line for line in text.splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def text_of(lines: Iterable[str]) -> str:
    """The lines as a text."""
    return "".join(f"{line}\n" for line in lines)


def items(told: object) -> list[str]:
    """The items of a docstring's list, each on one line."""
    _, *found = (inspect.getdoc(told) or "").replace("``", "`").split("\n- ")
    return [" ".join(item.split()) for item in found]
