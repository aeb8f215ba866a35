"""Mutants that play as their document does, each with the reason (``equivalents.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_name("equivalents.toml")


class EquivalentsError(Exception):
    """A list of equivalents that cannot be used."""


Equivalents = Mapping[tuple[str, str], str]
"""The reason by document and name of a mutant."""


def read_equivalents(text: str) -> Equivalents:
    """What the list says: entries ``[[equivalent]]`` with ``documents``, ``mutants`` (their names)
    and the ``reason``, which holds for each of these mutants in each of these documents.

    Raises:
        EquivalentsError: an entry without a reason, with other keys, or a mutant listed twice.
    """
    found: dict[tuple[str, str], str] = {}
    for entry in tomllib.loads(text).get("equivalent", []):
        if set(entry) != {"documents", "mutants", "reason"}:
            raise EquivalentsError(f"{entry}: expected documents, mutants and the reason")
        if not str(entry["reason"]).strip():
            raise EquivalentsError(f"{entry['mutants']}: without a reason")
        for listed in (
            (document, name) for document in entry["documents"] for name in entry["mutants"]
        ):
            if listed in found:
                raise EquivalentsError(f"{listed[0]}: {listed[1]} is listed twice")
            found[listed] = entry["reason"]
    return found
