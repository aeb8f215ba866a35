"""The files of a table as the model has them, and a process of the bench that has them open."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from controller.daemon.journaling.sealing import Sealing
from controller.journal import rows, schema
from controller.journal.commits import read_row
from controller.journal.keys import PublicKey
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.upkeep.second_copy import JournalCopy

FORGED: Final = 15
"""The name of every entry that the controller has not made."""
LOOKED, ALIVE = 1, 2
"""A process has looked at the journal, and its start record is not durable; it plays."""


@dataclass(frozen=True, slots=True)
class JournalView:
    """A journal's file, or that there is none: its identity and that of the one before it; the
    number before its first entry; its entries; digests by number, that of the predecessor's last
    one among them; the number and digest that a known key has signed (None: there is no such row).
    """

    identity: bytes = b""
    before: bytes = b""
    begins: int = 0
    entries: list[Entry] = field(default_factory=list)
    digests: dict[int, bytes] = field(default_factory=dict)
    row: tuple[int, bytes] | None = None

    @property
    def last(self) -> int:
        """The number of its last entry."""
        return max(self.digests, default=0)

    @property
    def covered(self) -> bool:
        """Whether the row was signed for its last entry."""
        return self.row is not None and self.row == (self.last, self.digests.get(self.last))

    def has(self, digest: bytes) -> bool:
        """Whether it has that entry, or goes on from it."""
        return digest in self.digests.values()


def view_of(directory: Path, keys: Collection[PublicKey]) -> JournalView:
    """The journal in that directory."""
    if not (directory / schema.FILE_NAME).exists():
        return JournalView()
    with JournalReader(directory) as reader:
        connection, before = reader.connection, reader.predecessor
        found = connection.execute(f"SELECT {rows.COLUMNS} FROM entry ORDER BY seq").fetchall()
        entries = [rows.entry_of(row) for row in found]
        digests = {entry.seq: entry.digest for entry in entries}
        if before is not None:
            digests[before.seq] = before.digest
        row, _ = read_row(connection)
        good = row is not None and row.is_of(reader.identity, keys) is not None
        return JournalView(
            reader.identity,
            before.identity if before else b"",
            reader.begins,
            entries,
            digests,
            (row.seq, row.digest) if row is not None and good else None,
        )


def owner_held(doubted: Callable[[], bool]) -> Any:
    """What of a table's owner the signing of heads looks at: whether it is held for a doubt. Heads
    can be written here."""
    holds = SimpleNamespace(postponed=frozenset(), has=lambda *_: doubted())
    table = SimpleNamespace(holds=holds)
    return SimpleNamespace(table=table, condition=lambda *_, **__: None)


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
