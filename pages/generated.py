"""Shared by the generators of documentation: where it stands, and its parts between markers."""

from __future__ import annotations

import inspect
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The project's directory."""
DOCS = ROOT / "docs"


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


def items(told: object) -> list[str]:
    """The items of a docstring's list, each on one line."""
    _, *found = (inspect.getdoc(told) or "").replace("``", "`").split("\n- ")
    return [" ".join(item.split()) for item in found]
