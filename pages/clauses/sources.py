"""The clauses as data: ``config/clauses/ID.toml`` for a document, ``defaults.toml`` for the matrix,
``constants.toml`` for what is no key of rule files.

A document's file has ``sections`` (the titles of its chapters, by number; "" for clauses without
one) and a list ``[[clauses]]`` in the document's order, each with ``number``, ``text`` (in our own
words) and, where the rule file and the hand-worked rounds do not say it all:

- ``reason``: why the controller has nothing to do with it;
- ``carried_by``: modules that carry it, where no rule key does;
- ``tests``: pytest node ids that show it, where no hand-worked round does;
- ``with``: clauses that say the same or more: it is carried when they are;
- ``heading = true``: it only introduces its sub-clauses.

``defaults.toml`` has a list ``[[defaults]]`` of what holds where a document is silent or unclear:
``id`` (``A-nn``; ``H-nn``: the matrix has none), ``text``, the ``others`` that could be read, what
it does to ``money``, ``documents`` that it is about and, as above, ``reason``.

``constants.toml`` has a list ``[[constants]]`` of what holds in every document, or follows from its
rule file: ``name``, ``text``, ``carried_by``, and ``clauses``, by document what says it there.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from controller.files.readings import Citation, named
from controller.forms.json_values import JsonObject, checked

T = TypeVar("T")

DEFAULTS_FILE = "defaults.toml"
CONSTANTS_FILE = "constants.toml"
EXCEPTIONS_FILE = "exceptions.toml"


class SourceError(Exception):
    """A file of clauses that cannot be used."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a document; ``with_`` is ``with`` in the file."""

    number: str
    text: str
    reason: str = ""
    carried_by: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    with_: tuple[str, ...] = ()
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Default:
    """What holds where ``documents`` are silent or unclear."""

    id: str
    text: str
    others: str
    money: str
    documents: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """What holds whatever a rule file says; ``clauses``: by document, those that say it."""

    name: str
    text: str
    carried_by: tuple[str, ...]
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Clauses:
    """A document's clauses, in its order, and the titles of its sections."""

    sections: Mapping[str, str]
    clauses: Mapping[str, Clause]

    def parts(self, number: str) -> tuple[str, ...]:
        """The sub-clauses directly below a clause."""
        return tuple(other for other in self.clauses if self.parent(other) == number)

    def parent(self, number: str) -> str | None:
        """The clause of which this one is a sub-clause; the nearest that the document has."""
        for end in range(len(number) - 1, 0, -1):
            if number[end] in ".(" and number[:end] in self.clauses:
                return number[:end]
        return None


def document_files(directory: Path) -> dict[str, Path]:
    """The files of documents, by the document's id."""
    return {
        path.stem: path
        for path in sorted(directory.glob("*.toml"))
        if path.name not in (DEFAULTS_FILE, CONSTANTS_FILE, EXCEPTIONS_FILE)
    }


def read_clauses(path: Path) -> Clauses:
    """A document's clauses.

    Raises:
        SourceError: the file is not as the module's text says.
    """
    data = _load(path)
    clauses = [_entry(Clause, entry, path) for entry in _tables(data, "clauses")]
    named = {clause.number: clause for clause in clauses}
    if len(named) != len(clauses):
        twice = {one.number for one in clauses if named[one.number] is not one}
        raise SourceError(f"{path}: twice: {', '.join(sorted(twice))}")
    for clause in clauses:
        for other in clause.with_:
            if other not in named or other == clause.number:
                raise SourceError(f"{path}: {clause.number}: with {other}, which it cannot be")
        said = [
            bool(clause.reason),
            bool(clause.carried_by or clause.tests),
            bool(clause.with_),
            clause.heading,
        ]
        if sum(said) > 1:
            raise SourceError(
                f"{path}: {clause.number}: only one of reason, carried_by with tests, with, heading"
            )
    return Clauses(checked(dict[str, str], data.get("sections", {})), named)


def read_defaults(path: Path) -> tuple[Default, ...]:
    """The matrix's defaults.

    Raises:
        SourceError: the file is not as the module's text says.
    """
    return tuple(_entry(Default, entry, path) for entry in _tables(_load(path), "defaults"))


def read_constants(path: Path) -> tuple[Constant, ...]:
    """What is no key of rule files.

    Raises:
        SourceError: the file is not as the module's text says.
    """
    return tuple(_entry(Constant, entry, path) for entry in _tables(_load(path), "constants"))


def of_constants(constants: Iterable[Constant], document: str) -> Iterator[Citation]:
    """What the constants cite of a document."""
    for one in constants:
        if clause := one.clauses.get(document):
            modules = ", ".join(f"`{module}`" for module in one.carried_by)
            yield Citation(f"always ({modules}): {one.text}", named(clause))


def _load(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SourceError(f"{path}: {error}") from error


def _tables(data: JsonObject, name: str) -> list[dict[str, object]]:
    return checked(list[dict[str, object]], data.get(name, []), name)


def _entry(kind: type[T], entry: JsonObject, path: Path) -> T:
    names = [field.name.rstrip("_") for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    unknown = [key for key in entry if key not in names]
    if unknown:
        raise SourceError(f"{path}: {entry}: unknown {', '.join(unknown)}")
    values = {
        f"{key}_" if key == "with" else key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
    }
    try:
        return kind(**values)
    except TypeError as error:
        raise SourceError(f"{path}: {entry}: {error}") from error
