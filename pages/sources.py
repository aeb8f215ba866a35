"""What lists and tests say of clauses.

The clauses are data: ``config/clauses/ID.toml`` for a document, ``defaults.toml`` for the matrix,
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

A hand-worked round shows every clause that its result, its refusal or the message about its fault
cites, and those of its line's ``clauses``. A line that the engine does not play yet (``missing``)
shows nothing. Other tests are named by their node ids.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from controller.files.readings import Citation, named
from controller.forms.json_values import checked

T = TypeVar("T")

_NUMBER = re.compile(r"\d+(\.\d+)+\S*")
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


def document_files(directory: Path) -> dict[str, Path]:
    """The files of documents, by the document's id."""
    return {
        path.stem: path
        for path in sorted(directory.glob("*.toml"))
        if path.name not in NO_DOCUMENTS
    }


def read_clauses(path: Path) -> Listed:
    """A document's clauses.

    Raises:
        SourceError: the file is not as the module's text says.
    """
    listed = read_source(Listed, path)
    known = {clause.number: clause for clause in listed.clauses}
    for clause in listed.clauses:
        where = f"{path}: {clause.number}"
        if known[clause.number] is not clause:
            raise SourceError(f"{where} stands twice")
        for other in clause.covered_by:
            if other not in known or other == clause.number:
                raise SourceError(f"{where}: covered_by {other}, which it cannot be")
        ways = (clause.carried_by or clause.tests, clause.reason, clause.covered_by, clause.heading)
        if sum(map(bool, ways)) > 1:
            raise SourceError(
                f"{where}: only one of reason, carried_by with tests, covered_by, heading"
            )
    return listed


def of_constants(constants: Iterable[Constant], document: str) -> Iterator[Citation]:
    """What the constants cite of a document."""
    for one in constants:
        if clause := one.clauses.get(document):
            modules = ", ".join(f"`{module}`" for module in one.carried_by)
            yield Citation(f"always ({modules}): {one.text}", named(clause))


@dataclass(frozen=True, slots=True)
class WorkedRound:
    """A round of the document ``rules`` and the clauses that it shows."""

    title: str
    rules: str
    file: str
    clauses: tuple[str, ...]


def shown_by_rounds(directory: Path) -> tuple[WorkedRound, ...]:
    """The hand-worked rounds of all ``*.jsonl`` files, in their order."""
    return tuple(
        _worked_round(path.name, json.loads(text))
        for path in sorted(directory.glob("*.jsonl"))
        for text in path.read_text(encoding="utf-8").splitlines()
        if text.strip() and "missing" not in json.loads(text)
    )


def _worked_round(file: str, line: dict[str, object]) -> WorkedRound:
    listed = [
        part for clause in checked(list[str], line.get("clauses", [])) for part in named(clause)
    ]
    found = [part for clause in _clauses(line) for part in named(clause) if part != "*"]
    about = str(checked(dict[str, object], line.get("error", {})).get("about", ""))
    if _NUMBER.fullmatch(about):
        found.append(about)
    script = checked(dict[str, object], line["script"])
    return WorkedRound(
        str(script.get("title", "")),
        str(script.get("rules", "")),
        file,
        tuple(dict.fromkeys([*listed, *found])),
    )


def _clauses(value: object) -> Iterator[str]:
    """Every text under a key ``clause``, however deep; the script's own words are no result."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "clause" and isinstance(inner, str):
                yield inner
            elif key != "script":
                yield from _clauses(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _clauses(inner)


def lacking(root: Path, carried_by: Iterable[str], tests: Iterable[str] = ()) -> Iterator[str]:
    """What is named and not there: modules, that are not imported, files below ``root`` and, by
    their node ids ``FILE::TEST`` or ``FILE::CLASS::TEST``, tests."""
    for node in tests:
        file, *names = node.split("::")
        if "::".join(names) not in _tests_of(root / file):
            yield f"there is no test {node}"
    for name in carried_by:
        path = root / name if "/" in name else root.joinpath(*name.split("."))
        known = (path / "__init__.py", path.with_name(f"{path.name}.py"))
        if not (path.exists() if "/" in name else any(one.is_file() for one in known)):
            yield f"there is no {'file' if '/' in name else 'module'} {name}"


@cache
def _tests_of(path: Path) -> frozenset[str]:
    if path.suffix != ".py" or not path.is_file():
        return frozenset()
    return frozenset(_functions(ast.parse(path.read_text(encoding="utf-8")).body, ""))


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test"):
                yield prefix + node.name
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}::")
