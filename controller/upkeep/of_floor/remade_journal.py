"""A journal's file made again out of its exported lines, for who has these and no file of it.

The rules:

- Lines come in order. One that names a journal begins that one: of a log that went on over closings
  the last journal is made. What comes before the first such line is passed over.
- Which boots there were the lines tell, those of earlier journals, too. A number that no line has
  keeps its place, without a name: it had no entry, or that was removed by age.
- The tree over the lines grows along: its root is that of the log, and whoever makes the journal
  holds it against a checkpoint. Here nothing is proven.
- The file is for whoever goes on to copy it: it is not on stable storage, and has no signed row.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from controller.evidence.tree.entries import told_frontier
from controller.evidence.tree.merkle import joined, leaf_hash, push
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal import rows
from controller.journal.canonical import DIGEST_BYTES, IDENTITY_BYTES, canonical, is_hex
from controller.journal.export import read_line
from controller.journal.model import Boot, Entry, Predecessor
from controller.journal.opening import open_for_writing


class RemadeJournal:
    """The journal in the file at ``path``, which is not there yet, whole once :meth:`finish` was
    called."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._boots: list[Boot] = []
        self._due: list[rows.Row] = []
        self._tree: list[tuple[int, bytes]] = []

    @property
    def is_begun(self) -> bool:
        """Whether a line has named a journal."""
        return self._connection is not None

    @property
    def root(self) -> bytes:
        """The root of the tree over the log as far as it was taken."""
        return joined(value for _, value in self._tree)

    def take_line(self, line: bytes) -> None:
        """Take the log's next line, without its end.

        Raises:
            ValueError: it is none. JournalError, sqlite3.Error: the file cannot be made.
        """
        told = checked(dict[str, object], json.loads(line), "line")
        entry = read_line(line)
        if "journal" in told:
            self._begin_journal(told, entry)
        elif self._connection is None:
            return
        push(self._tree, leaf_hash(line))
        self._note_boot(entry, checked(str, told.get("boot_id"), "line.boot_id"))
        self._due.append(_row(entry))

    def write(self) -> None:
        """Write what was taken since; raises sqlite3.Error."""
        if self._connection is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(rows.INSERT, self._due)
            self._connection.execute("COMMIT")
            self._due.clear()

    def finish(self) -> None:
        """Write the rest; raises sqlite3.Error."""
        self.write()
        if self._connection is not None:
            self._connection.execute("BEGIN IMMEDIATE")
            rows.add_boots(self._connection, self._boots)
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file as it is."""
        if self._connection is not None:
            self._connection.close()

    def _begin_journal(self, told: JsonObject, first: Entry) -> None:
        """Begin the journal that a line names, in the place of the one before."""
        before = _predecessor(told)
        if self._connection is None and before is not None:
            self._tree = told_frontier(before.seq, first.body)
        self.close()
        self._due.clear()
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        identity = _raw(told["journal"], IDENTITY_BYTES)
        self._connection = open_for_writing(self._path, identity)
        self._connection.execute("PRAGMA synchronous = OFF")  # a power cut has it made again
        self._connection.execute("PRAGMA wal_autocheckpoint = 1000").fetchone()
        if before is not None:
            self._connection.execute("INSERT INTO predecessor VALUES (1, ?, ?, ?)", before)

    def _note_boot(self, entry: Entry, name: str) -> None:
        after = entry.seq - 1
        for number in range(len(self._boots) + 1, entry.boot):
            self._boots.append(Boot(number, "", "", after))
        if entry.boot > len(self._boots):
            self._boots.append(Boot(entry.boot, name, entry.wall, after))


def _row(entry: Entry) -> rows.Row:
    draft = entry.draft
    return (
        entry.seq,
        entry.boot,
        entry.mono_ns,
        entry.wall,
        draft.type,
        draft.device,
        draft.session,
        entry.numbering,
        draft.event_no,
        draft.t_ms,
        draft.offer,
        canonical(draft.body),
        entry.digest,
    )


def _predecessor(told: JsonObject) -> Predecessor | None:
    """What the journal goes on from, as its first line tells it."""
    if "predecessor" not in told:
        return None
    link = checked(dict[str, object], told["predecessor"], "line.predecessor")
    seq = checked(int, link.get("seq"), "line.predecessor.seq")
    name, digest = link.get("journal"), link.get("digest")
    return Predecessor(_raw(name, IDENTITY_BYTES), seq, _raw(digest, DIGEST_BYTES))


def _raw(told: object, count: int) -> bytes:
    text = checked(str, told, "line")
    if not is_hex(text, count):
        raise WrongForm(f"line: {text[:80]!r} is not {count} bytes in hexadecimal")
    return bytes.fromhex(text)
