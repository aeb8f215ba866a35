"""The clauses as data: ``config/clauses/ID.toml`` for a document, ``defaults.toml`` for the matrix,
``constants.toml`` for what is no key of rule files.

A document's file has ``sections`` (the titles of its chapters, by number; "" for clauses without
one) and a list ``[[clauses]]`` in the document's order, each with ``number``, ``text`` (in our own
words) and, where the rule file and the hand-worked rounds do not say it all:

- ``reason``: why the controller has nothing to do with it;
- ``carried_by``: modules that carry it, where no rule key does;
- ``tests``: pytest node ids that show it, where no hand-worked round does;
- ``covered_by``: clauses that say the same or more: it is carried when they are;
- ``heading = true``: it only introduces its sub-clauses.

``defaults.toml`` has a list ``[[defaults]]`` of what holds where a document is silent or unclear:
``id`` (``A-nn``; ``H-nn``: the matrix has none), ``text``, the ``others`` that could be read, what
it does to ``money``, ``documents`` that it is about and, as above, ``reason``.

``constants.toml`` has a list ``[[constants]]`` of what holds in every document, or follows from its
rule file: ``name``, ``text``, ``carried_by``, and ``clauses``, by document what says it there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from controller.files.readings import Citation, named
from controller.forms.json_values import checked

T = TypeVar("T")

NO_DOCUMENTS = ("defaults.toml", "constants.toml", "exceptions.toml")


class SourceError(Exception):
    """A file that pages are made of cannot be used; the message says where and why."""


def read_source(form: type[T], path: Path) -> T:
    """What a file of TOML says, in its form; raises SourceError."""
    try:
        return checked(form, tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {error}") from error


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a document."""

    number: str
    text: str
    reason: str = ""
    carried_by: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    covered_by: tuple[str, ...] = ()
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
class Listed:
    """What a file lists: of a document's, of the defaults and of the constants each its own."""

    sections: Mapping[str, str] = field(default_factory=dict)
    clauses: tuple[Clause, ...] = ()
    defaults: tuple[Default, ...] = ()
    constants: tuple[Constant, ...] = ()


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
        if path.name not in NO_DOCUMENTS
    }


def read_clauses(path: Path) -> Clauses:
    """A document's clauses.

    Raises:
        SourceError: the file is not as the module's text says.
    """
    listed = read_source(Listed, path)
    named = {clause.number: clause for clause in listed.clauses}
    for clause in listed.clauses:
        where = f"{path}: {clause.number}"
        if named[clause.number] is not clause:
            raise SourceError(f"{where} stands twice")
        for other in clause.covered_by:
            if other not in named or other == clause.number:
                raise SourceError(f"{where}: covered_by {other}, which it cannot be")
        ways = (clause.carried_by or clause.tests, clause.reason, clause.covered_by, clause.heading)
        if sum(map(bool, ways)) > 1:
            raise SourceError(
                f"{where}: only one of reason, carried_by with tests, covered_by, heading"
            )
    return Clauses(listed.sections, named)


def of_constants(constants: Iterable[Constant], document: str) -> Iterator[Citation]:
    """What the constants cite of a document."""
    for one in constants:
        if clause := one.clauses.get(document):
            modules = ", ".join(f"`{module}`" for module in one.carried_by)
            yield Citation(f"always ({modules}): {one.text}", named(clause))
