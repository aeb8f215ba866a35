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

from controller.journal import schema
from controller.journal.canonical import canonical
from controller.journal.keys import SecretKey
from controller.journal.model import FORMAT, VERSIONS, Draft
from controller.upkeep import successor
from controller.upkeep.successor import Beginning, Signatory, ended_journal
from proof.models.stored.files import FORGED
from proof.torture.alterations.ledger import MONO_NS, Key, Ledger, read_ledger, write_ledger

WALL: Final = "2026-11-26T20:00:00.000+00:00"
_FORGED: Final = {"forged": FORGED, VERSIONS: {FORMAT: schema.FORMAT}}
_SUFFIXES: Final = ("", "-wal")


def _take_away_logs(directory: Path) -> None:
    for suffix in ("-wal", "-shm"):
        (directory / f"{schema.FILE_NAME}{suffix}").unlink(missing_ok=True)


@contextmanager
def forging(directory: Path) -> Iterator[Ledger]:
    """What the file holds, to be altered; it is made anew of that."""
    ledger = read_ledger(directory / schema.FILE_NAME)
    yield ledger
    _take_away_logs(directory)
    write_ledger(ledger, directory / schema.FILE_NAME)


def rewrite(directory: Path, back: int, forged: int) -> None:
    """Put ``forged`` entries in the place of the last ``back`` ones; the row stays."""
    with forging(directory) as ledger:
        place, boot = len(ledger.entries) - back, ledger.boots[-1][0]
        forgery = [0, boot, 1, WALL, "note", *[None] * 6, canonical(_FORGED), b""]
        ledger.entries[place:] = [[*forgery] for _ in range(forged)]
        ledger.number()
        ledger.chain(place)


def strip(directory: Path) -> None:
    """Take the row away, with its table."""
    with forging(directory) as ledger:
        ledger.signed = None


def spoil(directory: Path) -> None:
    """Have the first entry say something else: a medium that has lost a bit."""
    with forging(directory) as ledger:
        ledger.entries[0][MONO_NS] += 1


def lose(directory: Path) -> None:
    """Leave nothing that can be read."""
    _take_away_logs(directory)
    (directory / schema.FILE_NAME).write_bytes(secrets.token_bytes(8192))


def keep_copies(directory: Path, heads: Path, kept: Path) -> None:
    """Copy the journal and the heads as they are."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for file in (*(directory / f"{schema.FILE_NAME}{suffix}" for suffix in _SUFFIXES), heads):
        if file.exists():
            shutil.copy(file, kept)


def put_back(directory: Path, kept: Path) -> None:
    """Have the journal as it was kept."""
    _take_away_logs(directory)
    for suffix in _SUFFIXES:
        if (kept / f"{schema.FILE_NAME}{suffix}").exists():
            shutil.copy(kept / f"{schema.FILE_NAME}{suffix}", directory)


def succeed(directory: Path, heads: Path, moment: Beginning) -> None:
    """Put a journal in its place that goes on from it, signed with a key of the forger's own."""
    path = directory / schema.FILE_NAME
    table = Signatory("T1", heads, Key(SecretKey(secrets.token_bytes(32))))
    ended = ended_journal(directory, table, moment)
    new = path.with_name("forged")
    draft = Draft("snapshot", {**_FORGED, **ended.carried})
    with closing(sqlite3.connect(path)):  # whose closing takes the log away
        successor._make_new(new, path, ended, draft, moment, table.key)
    _take_away_logs(directory)
    new.replace(path)
