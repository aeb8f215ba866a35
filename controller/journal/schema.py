"""The tables of the journal file. The rules:

- ``PRAGMA application_id`` says that the file is ours, ``PRAGMA user_version`` its form,
  :data:`FORMAT`, which the journal's first entry says too, among its versions. A file of another
  form is refused by whoever opens it, and kept as it is.
- A file is made whole, with all its tables, in one transaction.
- Nothing is changed or removed: triggers refuse it. Dropping the triggers leaves a trace that
  ``verify`` reports, and the chain shows what was changed.
- A device's event is stored once (``entry_event``), an offer drawn once (``entry_draw``): the
  database itself refuses a second, whatever the state of the program.
- The few entries from which a start is quick are found by an index of their own (``entry_mark``),
  which costs other entries nothing.
- One row in ``signed``, replaced each time, signs every commit (:mod:`controller.journal.commits`).
- The file only grows, by roughly 300 bytes for a card with its index, until a new one goes on from
  it (:mod:`controller.upkeep.closure`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.forms.json_values import JsonObject
from controller.journal.errors import NotAJournal, OtherFormat
from controller.journal.model import FORMAT as FORMAT_KEY
from controller.journal.model import VERSIONS

FILE_NAME = "journal.sqlite3"
APPLICATION_ID = 0x506A6E6C  # "Pjnl"
FORMAT: Final = 1
"""The form of journals. It may change until 1.0.0 is released, and an earlier one is not read; from
then on it stays."""

_SIGNED_TABLE = """CREATE TABLE signed (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            seq INTEGER NOT NULL,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            wall TEXT NOT NULL,
            key TEXT NOT NULL CHECK (length(key) = 64),
            signature BLOB NOT NULL CHECK (length(signature) = 64)
        ) STRICT"""

STATEMENTS: Final = (
    """CREATE TABLE journal (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            identity BLOB NOT NULL CHECK (length(identity) = 16),
            created TEXT NOT NULL
        ) STRICT""",
    """CREATE TABLE boot (
            boot INTEGER PRIMARY KEY CHECK (boot >= 1),
            boot_id TEXT NOT NULL,
            wall TEXT NOT NULL,
            after_seq INTEGER NOT NULL
        ) STRICT""",
    """CREATE TABLE entry (
            seq INTEGER PRIMARY KEY CHECK (seq >= 1),
            boot INTEGER NOT NULL,
            mono_ns INTEGER NOT NULL,
            wall TEXT NOT NULL,
            type TEXT NOT NULL,
            device TEXT,
            session INTEGER,
            numbering INTEGER,
            event_no INTEGER,
            t_ms INTEGER,
            offer INTEGER,
            body TEXT NOT NULL,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            CHECK ((type = 'draw') = (offer IS NOT NULL)),
            CHECK (event_no IS NULL OR (event_no >= 1 AND device IS NOT NULL
                AND session IS NOT NULL AND numbering IS NOT NULL AND t_ms IS NOT NULL))
        ) STRICT""",
    """CREATE TABLE predecessor (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            identity BLOB NOT NULL CHECK (length(identity) = 16),
            seq INTEGER NOT NULL CHECK (seq >= 1),
            digest BLOB NOT NULL CHECK (length(digest) = 32)
        ) STRICT""",
    _SIGNED_TABLE,
    """CREATE UNIQUE INDEX entry_event ON entry (device, session, numbering, event_no)
            WHERE numbering IS NOT NULL""",
    "CREATE UNIQUE INDEX entry_draw ON entry (offer) WHERE offer IS NOT NULL",
    # Spelled as queries spell it: SQLite takes a partial index where it can see that it holds
    # every row in question, which it cannot with a parameter.
    "CREATE INDEX entry_mark ON entry (type) WHERE type = 'snapshot' OR type = 'start'",
    *(
        f"""CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}
            BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"""
        for table in ("journal", "boot", "entry", "predecessor")
        for verb in ("UPDATE", "DELETE")
    ),
)
"""What makes all of an empty journal but its name."""

MARKS = ("snapshot", "start")  # types of entries that ``entry_mark`` finds
SIGNED_OBJECT = ("table", _SIGNED_TABLE)
"""As :func:`signed_object` tells the table that a controller makes."""


def mend_signed(connection: sqlite3.Connection) -> None:
    """Have the table of the signed row, in the transaction of a process's first commit: what was
    there was judged by then. One that is as it should be is not touched: a page that is written as
    it was looks, in a torn log, like one that was moved (:mod:`controller.journal.log_check`).
    """
    there = signed_object(connection)
    if there == SIGNED_OBJECT:
        return
    if there is not None:
        connection.execute(f"DROP {there[0].upper()} signed")
    connection.execute(_SIGNED_TABLE)


def signed_object(connection: sqlite3.Connection) -> tuple[str, str] | None:
    """What has the name of that table: its type and SQL; None where nothing has."""
    query = "SELECT type, sql FROM sqlite_schema WHERE name = 'signed'"
    found: tuple[str, str] | None = connection.execute(query).fetchone()
    return found


def create(connection: sqlite3.Connection, path: Path, identity: bytes) -> None:
    """Make the tables of a new file, in one transaction; look at one that has some. ``identity``
    (16 random bytes) names the journal if it is new. Raises as :func:`check`; leaves a foreign file
    as it is."""
    if not _is_empty(connection):
        check(connection, path)
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in STATEMENTS:
            connection.execute(statement)
        connection.execute(
            "INSERT INTO journal VALUES (1, ?, ?)",
            (identity, datetime.now(UTC).isoformat(timespec="seconds")),
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`NotAJournal` for a file that is not ours,
    :class:`~controller.journal.errors.OtherFormat` for one of another form."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise NotAJournal(
            f"{path} is a database, but not a journal of the table controller "
            f"(application id {application:#x}, expected {APPLICATION_ID:#x}); "
            "name the state directory of a table, or move the foreign file away"
        )
    if (version := connection.execute("PRAGMA user_version").fetchone()[0]) != FORMAT:
        raise other_format(path, f"its header says {version}")


def is_of_format(body: JsonObject) -> bool:
    """Whether the body of a first entry says that its journal is of this form."""
    versions = body.get(VERSIONS)
    told = versions.get(FORMAT_KEY) if isinstance(versions, Mapping) else None
    return type(told) is int and told == FORMAT


def other_format(path: Path, said: str) -> OtherFormat:
    """The error for a journal that says something else."""
    return OtherFormat(
        f"{path} is not of format {FORMAT}: keep that folder, and begin a new one ({said})"
    )


def differing(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the name of every table, index and trigger that is not as a controller makes it, and
    what is wrong with it in words."""
    wanted = expected_objects()
    there = connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()
    found = dict(there)
    for name in sorted(wanted.keys() | found.keys()):
        if name not in found:
            yield name, f"the file has lost {name!r}, which guards its entries"
        elif name not in wanted:
            yield name, f"the file has {name!r}, which no controller made"
        elif [sql for other, sql in there if other == name] != [wanted[name]]:
            yield name, f"{name!r} is not as a controller makes it"


def expected_objects() -> dict[str, str]:
    """Return the SQL of every table, index and trigger of a journal, by name."""
    with closing(sqlite3.connect(":memory:")) as memory:
        for statement in STATEMENTS:
            memory.execute(statement)
        return objects(memory)


def objects(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the SQL of every table, index and trigger that the file has, by name."""
    return dict(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    )


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Tell whether the file was only just made (or its making was cut off by a power failure)."""
    questions = (
        "PRAGMA user_version",
        "PRAGMA application_id",
        "SELECT count(*) FROM sqlite_schema",
    )
    return all(connection.execute(question).fetchone() == (0,) for question in questions)
