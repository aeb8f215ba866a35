"""What tests show: hand-worked rounds by the clauses in them, other tests by their node ids.

A round shows every clause that its result, its refusal or the message about its fault cites, and
those of its line's ``clauses``. A line that the engine does not play yet (``missing``) shows
nothing.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from controller.files.readings import named
from controller.forms.json_values import checked

_NUMBER = re.compile(r"\d+(\.\d+)+\S*")


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


def is_test(root: Path, node: str) -> bool:
    """Whether the node id ``FILE::TEST`` or ``FILE::CLASS::TEST`` names a test that is there."""
    file, *names = node.split("::")
    return bool(names) and "::".join(names) in _tests_of(root / file)


def is_module(root: Path, name: str) -> bool:
    """Whether the module is there (it is not imported)."""
    path = root.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


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
