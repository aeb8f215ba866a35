"""Rule files with one thing changed: to ask what each value is worth, and whether tests notice.

A mutant is named by the key and its new value, ``stand.minimum = 13``, or by the case left out,
``case empty-box (before)``.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args, get_type_hints

from controller.game.rules.positions import Path, lines_of
from controller.game.rules.schema import RuleSet

Value: TypeAlias = "str | int | list[Value]"
"""What a rule file may have as a value; an int may be a bool."""

ANOTHER = "another clause"
"""What takes the place of a clause."""


def other_values(value: Value, permitted: Sequence[object]) -> list[Value]:
    """Other values of the kind: those ``permitted`` (none: any of the type). Lists lose each member
    in turn and gain each permitted one; their numbers, and any other number, become one less and
    one more; a text that may be any is a clause, and becomes :data:`ANOTHER`."""
    if isinstance(value, list):
        return [*_shorter(value), *_longer(value, permitted), *_near(value, permitted)]
    if permitted:
        return [one for one in permitted if one != value and isinstance(one, str | int)]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [near for near in (value - 1, value + 1) if near >= 0]
    return [ANOTHER]


def _shorter(value: list[Value]) -> Iterator[Value]:
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]


def _longer(value: list[Value], permitted: Sequence[object]) -> Iterator[Value]:
    for one in permitted:
        if one not in value and isinstance(one, str):
            yield [*value, one]


def _near(value: list[Value], permitted: Sequence[object]) -> Iterator[Value]:
    """With one member changed, where it is a number or a list of them."""
    for index, member in enumerate(value):
        if not permitted and not isinstance(member, str):
            inner = (
                list(_near(member, ())) if isinstance(member, list) else other_values(member, ())
            )
            yield from ([*value[:index], other, *value[index + 1 :]] for other in inner)


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
        for new in other_values(old, permitted.get((_kind_of(path), path[-1]), ())):
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
