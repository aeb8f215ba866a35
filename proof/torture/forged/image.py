"""A table's journal and all that lies beside it: in memory, where it is rewritten, and as files.

The rules:

- A :class:`Ledger` is what a journal's file holds, as values; nothing in it is checked. Its file is
  made anew from that with SQLite alone, as a forger makes one.
- An :class:`Image` is the whole of a table's state: journal, heads, second copy, night report, the
  key in the state directory, the file of verifier keys, closed files.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.configuration.model import Configuration
from controller.evidence.heads import beside
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.tree.entries import TREE_FILE as TREE
from controller.evidence.trust import KEYS_FILE as VKEY
from controller.journal import rows, schema
from controller.journal.keys import ControllerKey, SecretKey
from controller.journal.opening import PAGE_BYTES
from controller.journal.reader import ARCHIVE

Row = list[Any]
"""A row of ``entry``, in the order of :data:`controller.journal.rows.COLUMNS`."""

SEQ, BOOT, MONO_NS, WALL, TYPE, DEVICE, SESSION = range(7)
EVENT_NO, OFFER, BODY, DIGEST = 8, 10, 11, 12

NIGHT: Final = "night.json"
MARK: Final = f"{schema.FILE_NAME}.recovered"


class Key(ControllerKey):
    """A controller's key in memory."""

    def __init__(self, secret: SecretKey) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret.raw)
        self.path, self.installed, self.made = Path(), False, False
        self.text, self.public = secret.text, secret.public
        self.fingerprint = self.public.fingerprint


@dataclass(slots=True)
class Ledger:
    """What a journal's file holds. ``signed`` are the rows of that table without their first
    column, None where there is no such table."""

    identity: bytes
    boots: list[tuple[int, str, str, int]]
    predecessor: tuple[bytes, int, bytes] | None
    entries: list[Row]
    signed: list[tuple[Any, ...]] | None
    version: int

    @property
    def begins(self) -> int:
        """The number before that of its first entry."""
        return self.predecessor[1] if self.predecessor else 0

    @property
    def last(self) -> int:
        """The number of its last entry."""
        return int(self.entries[-1][SEQ]) if self.entries else self.begins

    @property
    def story(self) -> tuple[object, ...]:
        """All that anybody reads of it but its signature."""
        return self.identity, self.boots, self.predecessor, self.entries

    def copied(self) -> Ledger:
        """The same, to be altered."""
        entries = [list(row) for row in self.entries]
        signed = None if self.signed is None else list(self.signed)
        return replace(self, boots=list(self.boots), entries=entries, signed=signed)


def read_ledger(path: Path) -> Ledger:
    """What the file holds."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        execute = connection.execute
        [(version,)] = execute("PRAGMA user_version")
        there = "signed" in schema.objects(connection)
        signed = "SELECT seq, digest, wall, key, signature FROM signed"
        before = rows.predecessor(connection)
        return Ledger(
            rows.identity(connection),
            execute("SELECT boot, boot_id, wall, after_seq FROM boot ORDER BY boot").fetchall(),
            before,
            [list(row) for row in execute(f"SELECT {rows.COLUMNS} FROM entry ORDER BY seq")],
            execute(signed).fetchall() if there else None,
            version,
        )


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Make the file."""
    path.write_bytes(_empty(ledger.signed is not None, len(ledger.signed or ()) > 1))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        execute, many = connection.execute, connection.executemany
        execute("PRAGMA synchronous = OFF")
        execute("PRAGMA journal_mode = OFF")
        execute("BEGIN")
        execute("INSERT INTO journal VALUES (1, ?, '2026-11-26T00:00:00+00:00')", [ledger.identity])
        many("INSERT INTO boot VALUES (?,?,?,?)", ledger.boots)
        if ledger.predecessor is not None:
            execute("INSERT INTO predecessor VALUES (1,?,?,?)", ledger.predecessor)
        many(rows.INSERT, ledger.entries)
        for row in ledger.signed or ():
            execute("INSERT INTO signed VALUES (1,?,?,?,?,?)", row)
        execute(f"PRAGMA user_version = {ledger.version}")
        execute("COMMIT")


@cache
def _empty(signed: bool, several: bool) -> bytes:
    """A file with all tables and nothing in them; ``several``: of the signed row, with a table that
    takes more than one."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    for statement in schema.STATEMENTS:
        if not statement.startswith("CREATE TABLE signed "):
            connection.execute(statement)
        elif several:
            connection.execute("CREATE TABLE signed (one, seq, digest, wall, key, signature)")
        elif signed:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    try:
        return connection.serialize()
    finally:
        connection.close()


@dataclass(slots=True)
class Image:
    """All that lies there. ``tree`` is the file of its nodes; ``heads`` are the lines of that file,
    None for no file; ``copy`` is the second copy, ``night`` the report's part about the journal.
    ``key`` is the private key in the state directory, ``vkeys`` the keys in the file beside the
    configuration, none for no file. ``closed`` are the files in the archive, by name, with their
    heads. ``devices`` is up to where events of each session were acknowledged. ``requested``:
    closing is asked for; ``mark``: words of a recovery. ``true_key`` is the inspector's."""

    journal: Ledger
    tree: bytes
    heads: list[bytes] | None
    copy: Ledger | None
    night: dict[str, Any] | None
    key: Key
    vkeys: list[Key]
    true_key: Key
    closed: dict[str, tuple[Ledger, list[bytes]]] = field(default_factory=dict)
    devices: dict[str, tuple[int, int]] = field(default_factory=dict)
    requested: bool = False
    mark: str | None = None

    def copied(self) -> Image:
        """The same, to be altered."""
        closed = {name: (one.copied(), list(heads)) for name, (one, heads) in self.closed.items()}
        return replace(
            self,
            journal=self.journal.copied(),
            heads=None if self.heads is None else list(self.heads),
            copy=self.copy.copied() if self.copy else None,
            night=dict(self.night) if self.night else None,
            vkeys=list(self.vkeys),
            closed=closed,
            devices=dict(self.devices),
        )


def write_files(image: Image, config: Configuration) -> None:
    """Have the files as the image has them, and no others."""
    state, copy = config.state_directory, config.copy
    assert copy is not None
    for folder in (state, copy):
        shutil.rmtree(folder, ignore_errors=True)
    state.mkdir()
    write_ledger(image.journal, state / schema.FILE_NAME)
    (state / TREE).write_bytes(image.tree)
    if image.heads is not None:
        config.heads.write_bytes(b"".join(line + b"\n" for line in image.heads))
    config.key.touch(mode=0o600)
    config.key.write_text(image.key.text + "\n", encoding="ascii")
    vkeys = config.path.parent / VKEY
    vkeys.unlink(missing_ok=True)
    if image.vkeys:
        keys = "".join(f"{vkey_of(key.public)}\n" for key in image.vkeys)
        vkeys.write_text(keys, encoding="ascii")
    if image.requested:
        name = image.journal.identity.hex() + "\n"
        (state / "archive.request").write_text(name, encoding="ascii")
    if image.mark is not None:
        (state / MARK).write_text(image.mark, encoding="utf-8")
    if image.copy is not None:
        copy.mkdir()
        write_ledger(image.copy, copy / schema.FILE_NAME)
    for name, (ledger, heads) in image.closed.items():
        file = state / ARCHIVE / name
        file.parent.mkdir(exist_ok=True)
        write_ledger(ledger, file)
        file.chmod(0o440)
        beside(file).write_bytes(b"".join(line + b"\n" for line in heads))
    put_night(image.night, state, config.path.parent / NIGHT)


def put_night(last: dict[str, Any] | None, state: Path, path: Path) -> None:
    """Have the report of a night that verified the journal so far, or none."""
    path.unlink(missing_ok=True)
    if last is None:
        return
    at = "2026-11-21T05:00:00+00:00"
    report = {"format": 1, "table": "P12", "state": str(state), "began": at, "ended": at}
    report |= {"took_s": 1.0, "well": True, "well_at": at, "journal": last}
    report |= {"closed": [], "removed": [], "problems": []}
    path.write_text(json.dumps(report), encoding="utf-8")


def night_of(ledger: Ledger) -> dict[str, Any]:
    """What a night says that has verified all of it."""
    last, first = ledger.entries[-1], ledger.begins + 1
    told: dict[str, Any] = {"journal": ledger.identity.hex(), "bytes": 1, "first": first}
    told |= {"from": first, "to": last[SEQ], "digest": last[DIGEST].hex(), "findings": []}
    return told | {"whole": True, "whole_at": None}
