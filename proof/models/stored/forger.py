"""What a forger does to a journal's file with root's means and without the controller's key: each
leaves chain and structure in order."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal import rows, schema
from controller.journal.events import prepare
from controller.journal.keys import PublicKey
from controller.journal.model import FORMAT, VERSIONS, Draft
from controller.upkeep import successor
from controller.upkeep.successor import Beginning, Signatory, ended_journal
from proof.models.stored.reading import FORGED

WALL: Final = "2026-11-26T20:00:00.000+00:00"
_FORGED: Final = Draft("note", {"forged": FORGED, VERSIONS: {FORMAT: schema.FORMAT}})
_SUFFIXES: Final = ("", "-wal")


class OwnKey:
    """A key that nobody knows but the forger."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self.public = PublicKey(self._key.public_key().public_bytes_raw())
        self.fingerprint = self.public.fingerprint

    def sign(self, message: bytes) -> bytes:
        """Its signature."""
        return self._key.sign(message)


@contextmanager
def forging(directory: Path) -> Iterator[sqlite3.Connection]:
    """The file without the triggers that keep it append-only; they are put back."""
    with closing(sqlite3.connect(directory / schema.FILE_NAME, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        connection.execute("BEGIN IMMEDIATE")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("VACUUM")  # a journal has no free pages


def rewrite(directory: Path, back: int, forged: int) -> None:
    """Put ``forged`` entries in the place of the last ``back`` ones; the row stays."""
    with forging(directory) as connection:
        seq = rows.head(connection)[0] - back
        connection.execute("DELETE FROM entry WHERE seq > ?", (seq,))
        boot = rows.boots(connection)[-1]
        head = rows.head(connection)
        _, values = prepare([_FORGED] * forged, boot, head, {}, 1, WALL)
        connection.executemany(rows.INSERT, values)


def strip(directory: Path) -> None:
    """Take the row away, with its table."""
    with forging(directory) as connection:
        connection.execute("DROP TABLE IF EXISTS signed")


def spoil(directory: Path) -> None:
    """Have the first entry say something else: a medium that has lost a bit."""
    with forging(directory) as connection:
        first = rows.beginning(connection) + 1
        connection.execute("UPDATE entry SET mono_ns = mono_ns + 1 WHERE seq = ?", (first,))


def lose(directory: Path) -> None:
    """Leave nothing that can be read."""
    for suffix in ("-wal", "-shm"):
        (directory / f"{schema.FILE_NAME}{suffix}").unlink(missing_ok=True)
    (directory / schema.FILE_NAME).write_bytes(secrets.token_bytes(8192))


def keep_copies(directory: Path, heads: Path, kept: Path) -> None:
    """Copy the journal and the heads as they are."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for suffix in _SUFFIXES:
        file = directory / f"{schema.FILE_NAME}{suffix}"
        if file.exists():
            shutil.copy(file, kept)
    if heads.exists():
        shutil.copy(heads, kept)


def put_back(directory: Path, kept: Path) -> None:
    """Have the journal as it was kept."""
    for suffix in (*_SUFFIXES, "-shm"):
        (directory / f"{schema.FILE_NAME}{suffix}").unlink(missing_ok=True)
    for suffix in _SUFFIXES:
        if (kept / f"{schema.FILE_NAME}{suffix}").exists():
            shutil.copy(kept / f"{schema.FILE_NAME}{suffix}", directory)


def succeed(directory: Path, heads: Path, moment: Beginning) -> None:
    """Put a journal in its place that goes on from it, signed with a key of the forger's own."""
    path = directory / schema.FILE_NAME
    table = Signatory("T1", heads, OwnKey())
    ended = ended_journal(directory, table, moment)
    new = path.with_name("forged")
    draft = Draft("snapshot", {**_FORGED.body, **ended.carried})
    with closing(sqlite3.connect(path)):  # whose closing takes the log away
        successor._make_new(new, path, ended, draft, moment, table.key)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    new.replace(path)
