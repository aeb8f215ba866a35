"""A process of the bench: what it holds of a table's files, and what is under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from controller.daemon.journaling.sealing import Sealing
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.upkeep.second_copy import JournalCopy

LOOKED, ALIVE = 1, 2
"""It has looked at the journal, and its start record is not durable; it plays."""


@dataclass
class Holds:
    """What of the table the signing of heads looks at: whether it is held for a doubt."""

    doubted: Callable[[], bool]
    postponed: frozenset[str] = frozenset()

    def has(self, *_: str) -> bool:
        """Whether it is."""
        return self.doubted()


@dataclass
class Table:
    """What of the table."""

    holds: Holds


@dataclass
class Owner:
    """What of the owner the signing of heads looks at."""

    table: Table

    def condition(self, *_: object, **__: object) -> None:
        """Heads can be written here."""


@dataclass
class Life:
    """A process: its journal, copy and signing of heads, and what is under way."""

    journal: Journal
    reader: JournalReader
    copy: JournalCopy
    sealing: Sealing
    parted: bool
    faults: int
    draft: Draft | None = None
    waiting: int = 0
    process: int = LOOKED
    untold: bool = False
    asked: list[tuple[Callable[[], Any], Callable[[Any], None]]] = field(default_factory=list)
    due: int = 0
