"""Every code of SQLite is decided, and made to happen where that can be done."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from controller.causes.cause import Kind
from controller.causes.finding import cause_of
from controller.causes.sqlite import DECIDED, code_of, kind_of
from tests.causes.by_sqlite import LIBRARY, NAME
from tests.causes.provoked import WAYS

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = Path(__file__).with_name("failing.c")
FAMILIES: Final = ("IOERR_", "CANTOPEN_", "READONLY_", "CONSTRAINT", "BUSY", "LOCKED", "CORRUPT")
"""By name: Python has limits and actions of the same numbers."""

FOUND: Final = {"SQLITE_CANTOPEN": Kind.A_FOLDER, "SQLITE_READONLY": Kind.FAILS}
"""What the file system says where the code says little: root lacks no right."""

IN_A_PROCESS: Final = """
import errno, sqlite3, sys
from pathlib import Path
from controller.causes.finding import cause_of
from tests.causes import by_sqlite
name, folder = sys.argv[1], Path(sys.argv[2])
does, call, number, after = by_sqlite.LIBRARY[name]
by_sqlite.LIBRARY[name] = does, call, str(getattr(errno, number)), after
try:
    by_sqlite.in_front_of_libc(name, folder)
except sqlite3.Error as error:
    cause = cause_of(error, folder / by_sqlite.NAME)
    print(error.sqlite_errorname, cause.kind.name, cause)
"""


NO_ERRORS: Final = frozenset(
    {
        "SQLITE_OK",
        "SQLITE_OK_LOAD_PERMANENTLY",
        "SQLITE_ROW",
        "SQLITE_DONE",
        "SQLITE_NOTICE",
        "SQLITE_NOTICE_RECOVER_WAL",
        "SQLITE_NOTICE_RECOVER_ROLLBACK",
        "SQLITE_WARNING",
        "SQLITE_WARNING_AUTOINDEX",
    }
)
"""Codes that tell of no error."""


def test_every_code_of_the_module_is_decided_once() -> None:
    known = {name: number for name, (number, _) in DECIDED.items()}
    assert not known.keys() & NO_ERRORS
    assert len(set(known.values())) == len(known)
    families = tuple(f"SQLITE_{family}" for family in FAMILIES)
    assert {name for name in dir(sqlite3) if name.startswith(families)} <= known.keys()
    assert kind_of(sqlite3.SQLITE_IOERR | 200 << 8) is Kind.FAILS, "by its primary code"


@pytest.mark.parametrize("name", [name for name in WAYS if name.startswith("SQLITE_")])
def test_sqlite_says_it(name: str, tmp_path: Path) -> None:
    with pytest.raises((sqlite3.Error, MemoryError)) as raised:
        WAYS[name].does(tmp_path)
    number, kind = DECIDED[name]
    if isinstance(raised.value, sqlite3.Error):  # else there was no memory: Python's own error
        assert code_of(raised.value) in (number, number & 0xFF)
    cause = cause_of(raised.value, tmp_path / NAME)
    assert cause.kind is FOUND.get(name, kind)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "failing.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, SOURCE, "-ldl"], check=True)
    return path


@pytest.mark.needs("cc")
@pytest.mark.parametrize("name", LIBRARY)
def test_a_disk_says_it_that_fails_in_one_call(name: str, library: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, name, tmp_path],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(library)},
        timeout=20,
    )
    told, kind, words = ended.stdout.split(" ", 2)
    assert told == name
    assert kind == DECIDED[name][1].name, words
