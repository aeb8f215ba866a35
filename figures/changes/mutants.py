"""Rule files with one thing changed.

A mutant is named by the key and its new value, ``stand.minimum = 13``, or by the case left out,
``case empty-box (before)``.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from controller.game.rules.positions import Path, lines_of
from controller.game.rules.schema import RuleSet
from figures.changes.values import Value, others

CLAUSES = ("settled_by", "not_played")
"""Sections whose values are clauses, which results and refusals cite."""

LEFT_ALONE = ("document", "states", "irregularities")
"""Names, citations of where a round stands, and the list that loses whole cases instead."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The rule file of a ``document`` with one thing changed: its ``text``, and the ``clause`` that
    gives what ``was`` there."""

    document: str
    name: str
    clause: str
    text: str
    was: Value | None = None


def mutants_of(document: str, text: str) -> Iterator[Mutant]:
    """All mutants of the rule file ``text``, in its order."""
    lines, found = text.splitlines(keepends=True), lines_of(text)
    data = tomllib.loads(text)
    permitted = _permitted()
    for path, entry in _keys(data, ()):
        bare = isinstance(entry, str)
        clause, old = (entry, entry) if bare else (entry["clause"], entry["value"])
        at = found[path] - 1
        for new in others(old, permitted.get((_kind_of(path), path[-1]), ())):
            line = _line(path[-1], new, None if bare else clause)
            changed = "".join((*lines[:at], line, *lines[at + 1 :]))
            name = f"{'.'.join(path)} = {json.dumps(new)}"
            yield Mutant(document, name, clause, changed, old)
    for index, case in enumerate(data["irregularities"]):
        start, end = _of_case(index, found, len(lines))
        when = f" ({', '.join(case['when'])})" if "when" in case else ""
        left = "".join((*lines[:start], *lines[end:]))
        yield Mutant(document, f"case {case['trigger']}{when}", case["clause"], left)


def _keys(table: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every key with a value and a clause, or with a clause alone, and its path; also those of
    tables in tables."""
    for key, entry in table.items():
        path = (*at, key)
        if isinstance(entry, Mapping) and "clause" not in entry:
            if key not in LEFT_ALONE:
                yield from _keys(entry, path)
        elif isinstance(entry, Mapping) or (isinstance(entry, str) and at[-1] in CLAUSES):
            yield path, entry


def _kind_of(path: tuple[str, ...]) -> str:
    """The section of the schema that describes the key: one for all side wagers."""
    return path[0] if len(path) in (2, 3) else ""


def _line(key: str, new: Value, clause: str | None) -> str:
    """The line of the key with a new value; what JSON writes here is TOML, too."""
    value = json.dumps(new)
    if clause is not None:
        value = f"{{ value = {value}, clause = {json.dumps(clause)} }}"
    return f"{json.dumps(key)} = {value}\n"


def _of_case(index: int, found: Mapping[Path, int], end: int) -> tuple[int, int]:
    """The lines of a case, from 0: from its header to that of the next."""
    return found["irregularities", index] - 1, found.get(("irregularities", index + 1), end + 1) - 1


def _permitted() -> Mapping[tuple[str, str], tuple[object, ...]]:
    """The permitted values of every key, by section and key; a key without them may be anything of
    its type."""
    found: dict[tuple[str, str], tuple[object, ...]] = {}
    for section, kind in get_type_hints(RuleSet).items():
        of: Any = next(
            (one for one in (kind, *get_args(kind)) if dataclasses.is_dataclass(one)), None
        )
        for field in dataclasses.fields(of) if of else ():
            if expected := field.metadata.get("expected"):
                found[section, field.name] = expected.permitted
    return found
