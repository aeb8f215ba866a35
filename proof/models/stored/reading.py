"""What the files of a table say, as the model has it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal import rows, schema
from controller.journal.commits import read_row
from controller.journal.keys import PublicKey
from controller.journal.model import Entry
from controller.journal.reader import JournalReader

FORGED: Final = 15
"""The name of every entry that the controller has not made."""


@dataclass(frozen=True, slots=True)
class JournalView:
    """A journal's file: its identity and that of the one before it; the number before its first
    entry; its entries; digests by number, that of the predecessor's last one among them; the number
    and digest that a known key has signed (None: there is no such row)."""

    identity: bytes
    before: bytes
    begins: int
    entries: list[Entry]
    digests: dict[int, bytes]
    row: tuple[int, bytes] | None

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


def view_of(directory: Path, keys: Collection[PublicKey]) -> JournalView | None:
    """The journal in that directory; None where there is none."""
    if not (directory / schema.FILE_NAME).exists():
        return None
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
