"""The readings of a rule document, for a house to sign, and what its rule file cites.

The readings are what the machine decides where the document is silent (the defaults of the rules
matrix, A-nn, and others, H-nn), that a mistake put right changes no sum (the law), and where the
document settles that otherwise (the exceptions). They are data of ``config/clauses``:
``defaults.toml`` and ``exceptions.toml``. A reading that values of the rule file carry has them
with it, so that another value makes another sheet. A file of the house's own, with an id of its
own, is read as the published one that differs least from it.

A rule file cites by every ``clause`` in it, whatever its sections are called: one clause or
several, separated by ";", and among them defaults of the rules matrix, ``A-nn``, or a section of
it, ``matrix 3.5``. It is read as plain TOML, so a new section, or one that a document has not,
needs no change.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from controller.files.rule_differences import differences
from controller.files.rules import CLAUSES_DIRECTORY, load_rules, rule_files
from controller.forms.json_values import JsonObject, checked
from controller.game.rules.schema import RuleSet
from controller.journal.canonical import canonical
from controller.regular_files import read_whole, text_of

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


LAW: Final = "the law"
PROPOSED: Final = "a supervisor confirms what this law proposes"


@dataclass(frozen=True, slots=True)
class Reading:
    """One of them: its ``clause``, a clause of the document or a default, the ``reading``
    taken, the ``others``, what it does to ``money``, and the ``values`` that carry it."""

    clause: str
    reading: str
    others: str
    money: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadingSheet:
    """The readings of a rule file; ``like`` is the published document by whose id they are."""

    like: str
    entries: tuple[Reading, ...]

    @property
    def digest(self) -> str:
        """SHA-256 over their content, in hexadecimal."""
        content = canonical({"readings": [asdict(one) for one in self.entries]})
        return hashlib.sha256(content.encode()).hexdigest()


def readings_of(rules: RuleSet, file: Path) -> ReadingSheet:
    """The readings of that rule set; OSError where its file cannot be read."""
    known = rule_files()
    like = rules.id
    if like not in known:
        like = min(known, key=lambda name: len(differences(rules, load_rules(name))))
    return ReadingSheet(like, (*_law(like), *_defaults(like, citations(file)), *_exceptions(like)))


@cache
def _listed(name: str) -> JsonObject:
    return tomllib.loads(text_of(read_whole(CLAUSES_DIRECTORY / f"{name}.toml")))


def _law(like: str) -> Iterator[Reading]:
    law = checked(dict[str, object], _listed("exceptions")["law"])
    places = checked(list[str], law["proposal_in"])
    clauses = [place.partition(":")[2] for place in places if place.startswith(f"{like}:")]
    yield _reading(law, LAW, str(law["text"]), *(f"{PROPOSED} [{one}]" for one in clauses))


def _defaults(like: str, cited: tuple[Citation, ...]) -> Iterator[Reading]:
    for default in checked(list[dict[str, object]], _listed("defaults")["defaults"]):
        name = str(default["id"])
        values = [_value(one, name) for one in cited if name in one.clauses]
        if values or like in checked(list[str], default["documents"]):
            yield _reading(default, name, str(default["text"]), *values)


def _value(citation: Citation, default: str) -> str:
    clauses = "; ".join(clause for clause in citation.clauses if clause != default)
    return citation.carrier.replace("`", "") + (f" [{clauses}]" if clauses else "")


def _exceptions(like: str) -> Iterator[Reading]:
    for one in checked(list[dict[str, object]], _listed("exceptions").get("exceptions", [])):
        if one["document"] == like:
            yield _reading(one, str(one["clause"]), f"When {one['condition']}: {one['end']}.")


def _reading(entry: JsonObject, clause: str, taken: str, *values: str) -> Reading:
    return Reading(clause, taken, str(entry["others"]), str(entry["money"]), values)
