"""Every code of SQLite, decided once: which kind of cause it is, and whether it says so itself.

SQLite hands no error of the system on. For most of its codes the file system is therefore asked as
well (:data:`LOOKED_INTO`): ``SQLITE_CANTOPEN`` is what it says of a file that another user owns, of
a directory without inodes and of a disk that fails.

A code that is not here is judged by its primary one, its last eight bits; a test compares the list
with Python's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from controller.causes.cause import Kind

_BY_KIND: Final[Mapping[Kind, str]] = {
    Kind.FULL: "FULL",
    Kind.FAILS: "IOERR IOERR_READ IOERR_SHORT_READ IOERR_WRITE IOERR_FSYNC IOERR_DIR_FSYNC "
    "IOERR_TRUNCATE IOERR_FSTAT IOERR_UNLOCK IOERR_RDLOCK IOERR_DELETE IOERR_DELETE_NOENT "
    "IOERR_ACCESS IOERR_CHECKRESERVEDLOCK IOERR_LOCK IOERR_CLOSE IOERR_DIR_CLOSE IOERR_SHMOPEN "
    "IOERR_SHMSIZE IOERR_SHMLOCK IOERR_SHMMAP IOERR_SEEK IOERR_MMAP IOERR_GETTEMPPATH "
    "IOERR_BEGIN_ATOMIC IOERR_COMMIT_ATOMIC IOERR_ROLLBACK_ATOMIC IOERR_DATA IOERR_IN_PAGE "
    "CANTOPEN CANTOPEN_FULLPATH",
    Kind.BAD_FILE_SYSTEM: "IOERR_CORRUPTFS",
    Kind.NOT_PERMITTED: "PERM READONLY READONLY_RECOVERY READONLY_CANTLOCK READONLY_ROLLBACK "
    "READONLY_CANTINIT READONLY_DIRECTORY IOERR_AUTH",
    Kind.MISSING: "READONLY_DBMOVED IOERR_VNODE CANTOPEN_NOTEMPDIR",
    Kind.A_FOLDER: "CANTOPEN_ISDIR",
    Kind.LINK: "CANTOPEN_SYMLINK OK_SYMLINK",
    Kind.LONG_NAME: "CANTOPEN_CONVPATH IOERR_CONVPATH",
    Kind.HELD: "BUSY BUSY_RECOVERY BUSY_SNAPSHOT BUSY_TIMEOUT LOCKED LOCKED_SHAREDCACHE "
    "LOCKED_VTAB PROTOCOL IOERR_BLOCKED",
    Kind.MEMORY: "NOMEM IOERR_NOMEM",
    Kind.NOT_SUPPORTED: "NOLFS",
    Kind.INTERRUPTED: "INTERRUPT ABORT ABORT_ROLLBACK",
    Kind.THERE: "CONSTRAINT_UNIQUE CONSTRAINT_PRIMARYKEY CONSTRAINT_ROWID",
    Kind.DAMAGED: "CORRUPT CORRUPT_INDEX CORRUPT_SEQUENCE CORRUPT_VTAB NOTADB FORMAT EMPTY SCHEMA "
    "MISMATCH TOOBIG CANTOPEN_DIRTYWAL ERROR ERROR_MISSING_COLLSEQ ERROR_RETRY ERROR_SNAPSHOT "
    "CONSTRAINT CONSTRAINT_CHECK CONSTRAINT_COMMITHOOK CONSTRAINT_FOREIGNKEY CONSTRAINT_FUNCTION "
    "CONSTRAINT_NOTNULL CONSTRAINT_TRIGGER CONSTRAINT_VTAB CONSTRAINT_PINNED CONSTRAINT_DATATYPE",
    Kind.OURS: "INTERNAL AUTH AUTH_USER MISUSE RANGE NOTFOUND",
}

_UNNAMED: Final = {"IOERR_IN_PAGE": 10 | 34 << 8, "CONSTRAINT_DATATYPE": 19 | 12 << 8}
"""Codes that Python 3.11 does not name."""

DECIDED: Final[Mapping[str, tuple[int, Kind]]] = {
    f"SQLITE_{name}": (_UNNAMED.get(name) or getattr(sqlite3, f"SQLITE_{name}"), kind)
    for kind, names in _BY_KIND.items()
    for name in names.split()
}
"""By name: the number and the kind."""

LOOKED_INTO: Final = frozenset({Kind.FULL, Kind.FAILS, Kind.NOT_PERMITTED})
"""Kinds of which a code alone does not say what it was: the file system is asked."""

PERM: Final = sqlite3.SQLITE_PERM
"""What SQLite says of a right that it was refused, and of nothing else."""

_BY_NUMBER: Final = dict(DECIDED.values())
_OF_CONTENT: Final = frozenset({Kind.DAMAGED, Kind.THERE, Kind.OURS})


def code_of(error: BaseException) -> int:
    """The extended code; 0 where the module ``sqlite3`` raised it without one."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code


def kind_of(code: int) -> Kind:
    """The kind of cause of a primary or extended code; content that it cannot be, for 0."""
    return _BY_NUMBER.get(code) or _BY_NUMBER.get(code & 0xFF, Kind.DAMAGED)


def of_content(error: sqlite3.Error) -> bool:
    """Whether the error tells of what stands in the file, and not of the disk under it."""
    return kind_of(code_of(error)) in _OF_CONTENT
