"""What version 0.1 wrote: it is kept and its chain, its heads and its draws are checked, and nobody
plays it again or plays on it.

The rules:

- A start says which version began. A snapshot does not; but of the engines before 3 only 0.1 wrote
  them.
- Version 0.2.0 plays on such a journal. What it begins when it closes one is its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.journal import rows
from controller.journal.errors import WrongSchema
from controller.journal.model import Entry

BY_0_1: Final = "written by 0.1"
NOT_PLAYED: Final = f"not played again: {BY_0_1}"
PLAY_ON_0_1: Final = (
    f"{BY_0_1}: install 0.2.0, close it ('tablectl journal archive'), then install this version "
    "again. Nothing was changed"
)

VERSION: Final = "0.1."
_ENGINES: Final = ("1", "2")


def is_of_0_1(entry: Entry) -> bool:
    """Whether it is a start or a snapshot of 0.1."""
    body = entry.body
    match entry.type:
        case "start":
            told = body.get("versions")
            versions = told if isinstance(told, Mapping) else {}
            of_it = str(versions.get("controller", "")).startswith(VERSION)
            return of_it or versions.get("engine") in _ENGINES
        case "snapshot":
            return body.get("engine") in _ENGINES
    return False


def is_past_0_1(entry: Entry) -> bool:
    """Whether it is a snapshot that 0.1 cannot have written."""
    return entry.type == "snapshot" and not is_of_0_1(entry)


def has_0_1(connection: sqlite3.Connection) -> bool:
    """Whether 0.1 has written in the journal, by its first entry and its first start."""
    seqs = (rows.beginning(connection) + 1, rows.first_start(connection))
    found = (rows.row_at(connection, seq) for seq in seqs if seq is not None)
    return any(row is not None and is_of_0_1(rows.entry_of(row)) for row in found)


def check_not_of_0_1(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`~controller.journal.errors.WrongSchema` where 0.1 has written in it."""
    if has_0_1(connection):
        raise WrongSchema(f"{path} was {PLAY_ON_0_1}")
