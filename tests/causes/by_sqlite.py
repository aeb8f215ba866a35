"""Codes that SQLite gives, each by what deserves it; those of a disk that fails by the library."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sqlite3
import threading
from pathlib import Path

from tests.causes.by_kernel import limited
from tests.causes.provoked import provokes

NAME = "journal.sqlite3"


def opened(folder: Path, *, uri: str = "") -> sqlite3.Connection:
    """A file of SQLite's with a table, kept as the journal is; open until its test has ended."""
    path = f"file:{folder / NAME}?{uri}" if uri else str(folder / NAME)
    made = sqlite3.connect(
        path, isolation_level=None, timeout=0, uri=bool(uri), check_same_thread=False
    )
    made.execute("PRAGMA journal_mode = WAL")
    made.execute("CREATE TABLE IF NOT EXISTS one (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
    return made


@provokes("SQLITE_BUSY")
def another_writes(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one, contextlib.closing(opened(folder)) as two:
        one.execute("BEGIN IMMEDIATE")
        two.execute("BEGIN IMMEDIATE")


@provokes("SQLITE_BUSY_SNAPSHOT")
def another_has_written(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one, contextlib.closing(opened(folder)) as two:
        one.execute("BEGIN")
        one.execute("SELECT * FROM one").fetchall()
        two.execute("INSERT INTO one VALUES (1, 'x')")
        one.execute("INSERT INTO one VALUES (2, 'y')")


@provokes("SQLITE_LOCKED")
def a_table_that_is_being_read(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.execute("INSERT INTO one VALUES (1, 'x'), (2, 'y')")
        one.execute("SELECT * FROM one").fetchone()
        reading = one.execute("SELECT * FROM one")
        next(reading)
        one.execute("DROP TABLE one")


@provokes("SQLITE_LOCKED_SHAREDCACHE")
def a_table_that_is_shared(folder: Path) -> None:
    with (
        contextlib.closing(opened(folder, uri="cache=shared")) as one,
        contextlib.closing(opened(folder, uri="cache=shared")) as two,
    ):
        one.execute("BEGIN IMMEDIATE")
        one.execute("INSERT INTO one VALUES (1, 'x')")
        two.execute("SELECT * FROM one").fetchall()


@provokes("SQLITE_NOTADB")
def another_kind_of_file(folder: Path) -> None:
    (folder / NAME).write_bytes(b"no such thing" * 1000)
    with contextlib.closing(sqlite3.connect(folder / NAME)) as one:
        one.execute("PRAGMA journal_mode = WAL")


@provokes("SQLITE_CORRUPT")
def pages_that_are_overwritten(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.executemany("INSERT INTO one VALUES (?, ?)", ((n, f"{n}" * 99) for n in range(999)))
    with (folder / NAME).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40960)
    with contextlib.closing(sqlite3.connect(folder / NAME)) as one:
        one.execute("SELECT sum(length(text)) FROM one").fetchall()


@provokes("SQLITE_CANTOPEN")
def a_folder_as_a_file(folder: Path) -> None:
    (folder / NAME).mkdir()
    sqlite3.connect(folder / NAME)


@provokes("SQLITE_READONLY")
def a_connection_that_only_reads(folder: Path) -> None:
    opened(folder).close()
    with contextlib.closing(sqlite3.connect(f"file:{folder / NAME}?mode=ro", uri=True)) as one:
        one.execute("INSERT INTO one VALUES (1, 'x')")


@provokes("SQLITE_READONLY_DBMOVED")
def a_file_that_was_moved(folder: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / NAME, isolation_level=None)) as one:
        one.execute("CREATE TABLE one (id)")
        (folder / NAME).rename(folder / "elsewhere")
        one.execute("INSERT INTO one VALUES (1)")


@provokes("SQLITE_FULL")
def as_many_pages_as_may_be(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.execute("PRAGMA max_page_count = 4")
        one.execute("INSERT INTO one VALUES (1, ?)", ("x" * 100_000,))


@provokes("SQLITE_IOERR_WRITE")
def a_log_at_the_limit_of_a_file(folder: Path) -> None:
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with contextlib.closing(opened(folder)) as one, limited(resource.RLIMIT_FSIZE, 50_000):
            one.execute("INSERT INTO one VALUES (1, ?)", ("x" * 100_000,))
    finally:
        signal.signal(signal.SIGXFSZ, before)


@provokes("SQLITE_NOMEM")
def more_memory_than_it_may_have(folder: Path) -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    taken = pages * resource.getpagesize()
    with contextlib.closing(opened(folder)) as one, limited(resource.RLIMIT_AS, taken + (64 << 20)):
        one.execute("SELECT length(zeroblob(900000000) || zeroblob(90000000))").fetchall()


@provokes("SQLITE_INTERRUPT")
def told_to_end(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        began = threading.Event()
        one.create_function("began", 0, began.set)

        def stop() -> None:
            began.wait()
            one.interrupt()

        stops = threading.Thread(target=stop)
        stops.start()
        try:
            one.execute(
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                "SELECT began(), count(*) FROM n WHERE coalesce(began(), 1)"
            ).fetchall()
        finally:
            began.set()
            stops.join()


@provokes("SQLITE_AUTH")
def what_is_not_allowed(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
        one.execute("SELECT * FROM one")


@provokes("SQLITE_ERROR")
def a_table_that_is_missing(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.execute("SELECT * FROM two")


@provokes("SQLITE_MISMATCH")
def a_number_that_is_a_text(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.execute("INSERT INTO one VALUES ('x', 'x')")


@provokes("SQLITE_TOOBIG")
def a_value_that_is_too_long(folder: Path) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)
        one.execute("INSERT INTO one VALUES (1, zeroblob(1001))")


def breaks(folder: Path, table: str, *commands: str) -> None:
    with contextlib.closing(opened(folder)) as one:
        one.execute("PRAGMA foreign_keys = ON")
        one.execute(f"CREATE TABLE two ({table})")
        for command in commands:
            one.execute(command)


provokes("SQLITE_CONSTRAINT_UNIQUE")(
    lambda folder: breaks(folder, "x UNIQUE", "INSERT INTO two VALUES (1), (1)")
)
provokes("SQLITE_CONSTRAINT_PRIMARYKEY")(
    lambda folder: breaks(folder, "x INTEGER PRIMARY KEY", "INSERT INTO two VALUES (1), (1)")
)
provokes("SQLITE_CONSTRAINT_ROWID")(
    lambda folder: breaks(folder, "x", "INSERT INTO two(rowid) VALUES (1), (1)")
)
provokes("SQLITE_CONSTRAINT_CHECK")(
    lambda folder: breaks(folder, "x CHECK (x > 1)", "INSERT INTO two VALUES (1)")
)
provokes("SQLITE_CONSTRAINT_NOTNULL")(
    lambda folder: breaks(folder, "x NOT NULL", "INSERT INTO two VALUES (NULL)")
)
provokes("SQLITE_CONSTRAINT_FOREIGNKEY")(
    lambda folder: breaks(folder, "x REFERENCES one(id)", "INSERT INTO two VALUES (1)")
)


@provokes("SQLITE_CONSTRAINT_TRIGGER")
def what_a_trigger_forbids(folder: Path) -> None:
    trigger = "CREATE TRIGGER no BEFORE INSERT ON two BEGIN SELECT RAISE(ABORT, 'no'); END"
    breaks(folder, "x", trigger, "INSERT INTO two VALUES (1)")


@provokes("SQLITE_CONSTRAINT_DATATYPE")
def a_text_in_a_strict_table(folder: Path) -> None:
    strict = "CREATE TABLE three (x INTEGER) STRICT"
    breaks(folder, "x", strict, "INSERT INTO three VALUES ('x')")


LIBRARY = {
    "SQLITE_IOERR": ("open", "fstat", "EIO", 0),
    "SQLITE_IOERR_FSTAT": ("open", "fstat", "EIO", 1),
    "SQLITE_IOERR_LOCK": ("open", "fcntl-0", "EIO", 0),
    "SQLITE_IOERR_UNLOCK": ("open", "fcntl-2", "EIO", 0),
    "SQLITE_IOERR_SHMMAP": ("open", "mmap", "EIO", 0),
    "SQLITE_IOERR_SHMOPEN": ("open", "truncate", "EIO", 0),
    "SQLITE_IOERR_SHMSIZE": ("open", "write", "EIO", 0),
    "SQLITE_IOERR_CORRUPTFS": ("open", "read", "EIO", 0),
    "SQLITE_IOERR_READ": ("open", "read", "EINVAL", 0),
    "SQLITE_IOERR_FSYNC": ("write", "sync", "EIO", 0),
    "SQLITE_IOERR_TRUNCATE": ("move", "truncate", "EIO", 0),
    "SQLITE_IOERR_DELETE": ("delete", "unlink", "EIO", 0),
    "SQLITE_PERM": ("open", "fcntl-0", "EPERM", 0),
}
"""What is done, and the call in which it fails with that number, after so many that pass."""


def in_front_of_libc(name: str, folder: Path) -> None:
    """In a process that has the library: do it; raises the error of SQLite."""
    does, call, number, after = LIBRARY[name]
    opened(folder).close()
    if does == "delete":
        with contextlib.closing(sqlite3.connect(folder / NAME, isolation_level=None)) as one:
            one.execute("PRAGMA journal_mode = DELETE")
    one = sqlite3.connect(":memory:")
    if does in ("write", "move", "delete"):
        one = sqlite3.connect(folder / NAME, isolation_level=None)
        one.execute("PRAGMA synchronous = FULL")
        one.execute("SELECT * FROM one").fetchall()
    if does == "move":
        one.execute("INSERT INTO one VALUES (7, 'x')")
    os.environ.update(FAIL_PATH=NAME, FAIL_ERRNO=number, FAIL_AFTER=str(after), FAIL_CALL=call)
    if does == "open":
        one = sqlite3.connect(folder / NAME, isolation_level=None)
        one.execute("SELECT * FROM one").fetchall()
    elif does == "move":
        one.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    else:
        one.execute("INSERT INTO one VALUES (8, 'x')")
