"""The closed table of exceptions from the law: ``config/clauses/exceptions.toml``. A case that was
met in a run belongs to the exception of its document, trigger and remedy.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).resolve().parents[2] / "config" / "clauses" / "exceptions.toml"


class Exempt(NamedTuple):
    """An exception: what meets it, and what its wagers come to."""

    document: str
    clause: str
    triggers: frozenset[str]
    remedies: frozenset[str]
    ends: str


@cache
def exceptions() -> tuple[Exempt, ...]:
    """Every one, in the order of the file."""
    with FILE.open("rb") as file:
        entries = tomllib.load(file)["exceptions"]
    return tuple(
        Exempt(
            entry["document"],
            entry["clause"],
            frozenset(entry["trigger"].split(", ")),
            frozenset(entry["remedies"]),
            entry["ends"],
        )
        for entry in entries
    )


def met(document: str, cases: Iterable[tuple[str, str]]) -> list[str]:
    """The clauses of the exceptions that were met by these triggers and remedies."""
    of_document = [one for one in exceptions() if one.document == document]
    return [
        one.clause
        for trigger, remedy in cases
        for one in of_document
        if trigger in one.triggers and remedy in one.remedies
    ]


def clauses_of(document: str) -> list[str]:
    """The clauses of all exceptions of the document."""
    return [one.clause for one in exceptions() if one.document == document]
