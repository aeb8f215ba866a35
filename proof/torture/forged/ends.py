"""Ends on which a genuine start is made: how each is forged, and what the forger tidies up once the
start has signed over it. By then he has to live with what the start found.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.configuration.model import Configuration
from controller.evidence.heads import read_head
from controller.evidence.recorded import (
    CUT,
    DOUBTED,
    HEADS,
    NOT_SIGNED,
)
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.trust import KEYS_FILE as VKEY
from controller.journal.model import FOUND, SEALING
from controller.journal.schema import FILE_NAME
from proof.torture.forged.attacks import Images
from proof.torture.forged.earlier import cut
from proof.torture.forged.fitting import chain, grown, heads_anew, row_for
from proof.torture.forged.image import BODY, SEQ, TYPE, Image, Key, read_ledger
from proof.torture.forged.rewriting import altered

Tidy = Callable[[Image, Configuration], None]


@dataclass(frozen=True, slots=True)
class JournalEnd:
    """How it is ``forged``, the ``fault`` that a start finds, and what is done behind that."""

    forged: Callable[[Image, Key, Random], None]
    fault: str
    tidy: Tidy = lambda image, config: None

    def image(self, images: Images, own: Key, source: Random) -> Image:
        """All that lies there at the start."""
        image = images[source.choice(("signed", "stopped"))].copied()
        image.copy = image.night = None
        self.forged(image, own, source)
        image.tree = bytes(grown(image.journal).nodes)
        return image


def _rewritten(image: Image, source: Random) -> None:
    """Who gave a command is another one; the rest comes out as it was played."""
    rows = [row for row in image.journal.entries if row[TYPE] == "dealer"]
    for row in source.sample(rows, source.randint(1, 5)):
        altered(row, lambda body: body.update(user="ida"))


def _altered(image: Image, own: Key, source: Random) -> None:
    _rewritten(image, source)
    chain(image.journal)
    if source.random() < 0.5:
        image.heads = (image.heads or [])[:1]


def _under_a_key_of_his_own(image: Image, own: Key, source: Random) -> None:
    """Whose line is in the file of keys for this start alone; start records name the true one."""
    _rewritten(image, source)
    chain(image.journal)
    image.journal.signed = [row_for(image.journal, own)]
    image.heads = heads_anew(image.heads or (), image.journal, own)
    image.vkeys = [image.true_key, own]


def _without_his_key(image: Image, config: Configuration) -> None:
    line = vkey_of(image.true_key.public)
    (config.path.parent / VKEY).write_text(f"{line}\n", encoding="ascii")
    heads = config.heads.read_bytes().splitlines(keepends=True)
    true = image.true_key.fingerprint
    config.heads.write_bytes(b"".join(one for one in heads if read_head(one).key == true))


def _never_signed(image: Image, own: Key, source: Random) -> None:
    """As if nothing at all had ever been signed."""
    _rewritten(image, source)
    for row in image.journal.entries:
        if row[TYPE] == "start":
            altered(row, lambda body: body[SEALING].update({HEADS: False}))
    chain(image.journal)
    image.journal.signed = source.choice(([], None))
    image.heads = None


def _put_back(image: Image, own: Key, source: Random) -> None:
    """As an earlier stop left it, with the heads of what came later."""
    stops = [at for at, row in enumerate(image.journal.entries) if row[TYPE] == "stop"]
    image.journal = cut(image.journal, stops[0], image.true_key)


def _without_later_heads(image: Image, config: Configuration) -> None:
    there = len(image.heads or ())
    heads = config.heads.read_bytes().splitlines(keepends=True)
    kept = [one for one in heads[:there] if read_head(one).seq <= image.journal.last]
    config.heads.write_bytes(b"".join([*kept, *heads[there:]]))


def _hide_in_the_index(image: Image, config: Configuration) -> None:
    """Take the start that found it out of the index over starts, which no digest covers."""
    path = config.state_directory / FILE_NAME
    seqs = [row[SEQ] for row in read_ledger(path).entries if FOUND in json.loads(row[BODY])]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        [(sql,)] = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'entry_mark'")
        hidden = sql.replace("WHERE ", f"WHERE seq NOT IN ({', '.join(map(str, seqs))}) AND (")
        _define(connection, f"{hidden})")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("REINDEX entry_mark")
        _define(connection, sql)


def _define(connection: sqlite3.Connection, sql: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entry_mark'", (sql,))
    [(version,)] = connection.execute("PRAGMA schema_version")
    connection.execute(f"PRAGMA schema_version = {version + 1}")


ENDS: Final = {
    "altered": JournalEnd(_altered, NOT_SIGNED),
    "altered, and the start hidden": JournalEnd(_altered, NOT_SIGNED, _hide_in_the_index),
    "under a key for one start": JournalEnd(_under_a_key_of_his_own, DOUBTED, _without_his_key),
    "as never signed": JournalEnd(_never_signed, NOT_SIGNED),
    "put back, later heads removed": JournalEnd(_put_back, CUT, _without_later_heads),
}
"""By name."""
