"""What a rule file cites: every ``clause`` in it, whatever its sections are called.

A clause string names one clause or several, separated by ";", and among them defaults of the rules
matrix, ``A-nn``, or a section of it, ``matrix 3.5``.
The file is read as plain TOML, so a new section, or one that a document has not, needs no change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.forms.json_values import JsonObject, checked
from controller.regular_files import read_whole
from controller.utf8 import text_of

_MATRIX = re.compile(r"matrix \d+(\.\d+)*")
_DECISIONS = {"settled_by": "decision", "states": "state", "not_played": "not played:"}
"""Sections of bare clauses, and what a line of each is called."""


@dataclass(frozen=True, slots=True)
class Citation:
    """``carrier``, words for a key, decision, state or case, follows ``clauses``."""

    carrier: str
    clauses: tuple[str, ...]


def named(clause: str) -> tuple[str, ...]:
    """The clauses and defaults that a clause string names."""
    return tuple(part for part in (piece.strip() for piece in clause.split(";")) if part)


def is_matrix(clause: str) -> bool:
    """Whether it is a section of the matrix, cited where the document says nothing at all."""
    return _MATRIX.fullmatch(clause) is not None


def citations(path: Path) -> tuple[Citation, ...]:
    """All that the rule file cites, in its order."""
    return tuple(_cited(tomllib.loads(text_of(read_whole(path)))))


def _cited(data: JsonObject) -> Iterator[Citation]:
    for name, section in data.items():
        if isinstance(section, list):
            for case in section:
                yield from _case(name, case)
        elif isinstance(section, Mapping):
            yield from _of_section(name, section)


def _of_section(name: str, section: JsonObject) -> Iterator[Citation]:
    """Of a table of keys, and of the tables in it (``side_wagers.pair.settled_by``)."""
    of, _, kind = name.rpartition(".")
    for key, entry in section.items():
        if isinstance(entry, Mapping) and "clause" in entry:
            value = json.dumps(entry.get("value"), ensure_ascii=False)
            yield Citation(f"`{name}.{key} = {value}`", named(entry["clause"]))
        elif isinstance(entry, Mapping):
            yield from _of_section(f"{name}.{key}", entry)
        elif kind in _DECISIONS and isinstance(entry, str):
            decision = f"{of.rpartition('.')[2]}.{key}" if of else key
            yield Citation(f"{_DECISIONS[kind]} `{decision}`", named(entry))


def _case(name: str, case: JsonObject) -> Iterator[Citation]:
    """A case of a list: by its trigger, its conditions and what may be done."""
    words = f"`{case.get('trigger', name)}`"
    if when := checked(list[str], case.get("when", [])):
        words += f" ({', '.join(when)})"
    if "clause" in case:
        remedies = " or ".join(checked(list[str], case.get("remedies", [])))
        yield Citation(f"case {words}: {remedies}, by {case.get('by')}", named(str(case["clause"])))
    for remedy, clause in checked(dict[str, str], case.get("clauses", {})).items():
        yield Citation(f"case {words}: {remedy}", named(clause))
    if case.get("options_clause"):
        options = " or ".join(checked(list[str], case.get("options", [])))
        yield Citation(f"case {words}, then options: {options}", named(str(case["options_clause"])))
