"""The one translation: an error, with its path and what stands around it, into a cause.

The rules:

- What the error says of itself counts. Where it says little (``EIO``, most codes of SQLite) the
  file system is asked: whether it is read-only, who owns the file, whether there are room and
  inodes; in that order, for a disk that the kernel has made read-only may seem full as well.
- SQLite hands no error of the system on, and after an error ext4 refuses a new file as read-only
  and says so in no other way: so a file without a name is asked for.
- A program without a database does without the names of SQLite's codes too: that is a megabyte.
- Nothing here waits: whoever fears a medium that hangs asks in a thread
  (:mod:`controller.files.media`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.causes import errnos
from controller.causes.cause import Cause, Kind
from controller.causes.holders import holder_of
from controller.causes.who_may import ENTER, READ, WRITE, User, myself, refused, whose
from controller.regular_files import NotRegular, TooLarge
from controller.threads import NoThread

LEAST_BYTES: Final = 64 << 10
"""With less than this much room on it a disk counts as full."""
LEAST_FILES: Final = 1
"""With fewer inodes than this a file system takes no file."""

NEAR_BYTES: Final = 64 << 10
"""A file that is that near to the limit is at it: the next write would go beyond."""

_OF_THREADS: Final = (
    "'free -m' shows the memory, 'systemctl status table-controller' the tasks that there are: end "
    "what else runs on the machine"
)
_BESIDE: Final = ("-wal", "-shm")
_PROBED: Final = frozenset(
    {errno.EROFS, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EUCLEAN}
)
_SILENT: Final = frozenset({Kind.FULL, Kind.FAILS})
"""Kinds of which an error number alone does not say what it was."""


def cause_of(
    error: BaseException, path: Path, *, wants: int = READ | WRITE, user: User | None = None
) -> Cause:
    """Why the call on ``path`` failed; ``wants`` is what it needed of the file, ``user`` who asked
    for it."""
    if isinstance(error, NotRegular | TooLarge):
        return Cause(Kind.LINK, str(error.strerror), f"'ls -ld {_quoted(path)}' shows it")
    if isinstance(error, MemoryError):
        return cause_by(Kind.MEMORY, path, user)
    if isinstance(error, NoThread):
        return Cause(Kind.MEMORY, str(error.strerror), _OF_THREADS)
    # Whoever did not import that has no error of it.
    of_sqlite = (loaded := sys.modules.get("sqlite3")) and isinstance(error, loaded.Error)
    if of_sqlite:
        from controller.causes import sqlite  # noqa: PLC0415 - where there is a database

        code = sqlite.code_of(error)
        kind = sqlite.kind_of(code)
        looks, certain = kind in sqlite.LOOKED_INTO, code == sqlite.PERM
        rights = kind in (Kind.FAILS, Kind.NOT_PERMITTED)
    else:
        number = error.errno if isinstance(error, OSError) else None
        kind = errnos.kind_of(number)
        looks, certain = kind in _SILENT, True
        rights = kind is Kind.NOT_PERMITTED
    who = user or myself()
    if kind is Kind.HELD and (holder := holder_of(path)) is not None:
        return Cause(kind, f"{holder} holds it", f"stop that one: 'sudo kill {holder.pid}'")
    seen = kind_on_disk(path) if looks else None
    if rights and seen is not Kind.READ_ONLY:
        files = _files_beside(path, wants) if of_sqlite else ((path, wants),)
        for file, needs in files:
            if (no := refused(file, needs, who)) is not None:
                return replace(no, kind=Kind.NOT_PERMITTED)
        if kind is Kind.NOT_PERMITTED and certain:
            return _unknown_right(path, who)
        kind = (of_sqlite and _in_the_way(path)) or Kind.FAILS
    cause = cause_by(seen or kind, path, who)
    return replace(cause, what=f"{cause.what} ({error})") if cause.kind is Kind.OURS else cause


def briefly(error: OSError, path: Path) -> str:
    """What is wrong, of the error number alone: for whoever may not wait for a medium."""
    names = {"path": str(path), "folder": str(path), "user": myself().name}
    return errnos.kind_of(error.errno).what.format(**names)


def kind_on_disk(path: Path) -> Kind | None:
    """What the file system under ``path``, and the limits of this process, say of themselves."""
    folder = nearest(path)
    probed = _probe(folder)
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    if found.f_flag & os.ST_RDONLY:
        return Kind.READ_ONLY
    if probed in _PROBED:
        return errnos.kind_of(probed)
    if found.f_bavail * found.f_frsize < LEAST_BYTES:
        return Kind.FULL
    if found.f_files and found.f_favail < LEAST_FILES:
        return Kind.NO_INODES
    return Kind.TOO_LARGE if _at_its_limit(path) else None


def cause_by(kind: Kind, path: Path, user: User | None = None) -> Cause:
    """The cause of that kind, in the words for this path."""
    path = _at_fault(kind, path)
    names = {"path": _quoted(path), "folder": "", "user": (user or myself()).name}
    if "{folder}" in kind.what + kind.next_step:  # else the medium is left in peace: it may hang
        names["folder"] = _quoted(nearest(path))
    what = kind.what.format(**{**names, "path": str(path)})
    return Cause(kind, what, kind.next_step.format(**names))


def _at_fault(kind: Kind, path: Path) -> Path:
    """The first part of a path that is missing, or no folder: the one to be named."""
    if kind is Kind.MISSING:
        return next((one for one in (*reversed(path.parents), path) if not _is_there(one)), path)
    if kind is Kind.NOT_A_FOLDER:
        return next((one for one in reversed(path.parents) if not _is_folder(one)), path)
    return path


def nearest(path: Path) -> Path:
    """The folder, or the nearest one above that is there."""
    return next((one for one in (path, *path.parents) if _is_folder(one)), Path("/"))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_there(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except (OSError, ValueError):
        return False


def _probe(folder: Path) -> int:
    """The error number of a new file without a name there; 0 for none."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except OSError as refusal:
        return refusal.errno or 0
    return 0


def _in_the_way(path: Path) -> Kind | None:
    """What stands where SQLite, which does not say so, would have its file; None for nothing."""
    try:
        if path.is_dir():
            return Kind.A_FOLDER
        path.parent.stat()
    except OSError as error:
        return errnos.kind_of(error.errno)
    return None


def _files_beside(path: Path, wants: int) -> Iterator[tuple[Path, int]]:
    """The files that SQLite keeps beside its file, and the folder in which it makes them."""
    yield path, wants
    for suffix in _BESIDE:
        file = path.with_name(path.name + suffix)
        if _is_there(file):
            yield file, wants
    yield path.parent, wants | ENTER


def _at_its_limit(path: Path) -> bool:
    """Whether a file of SQLite's is as long as this process may make one."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if limit == resource.RLIM_INFINITY:
        return False
    for suffix in ("", *_BESIDE):
        with contextlib.suppress(OSError):
            if path.with_name(path.name + suffix).stat().st_size + NEAR_BYTES > limit:
                return True
    return False


def _unknown_right(path: Path, user: User) -> Cause:
    """Neither owner nor mode forbids it: a capability, an attribute or a rule of the kernel's."""
    place = path if _is_there(path) else nearest(path)
    quoted, though = _quoted(place), ""
    with contextlib.suppress(OSError):
        though = f", though it belongs to {whose(place.stat())}"
    return Cause(
        Kind.NOT_PERMITTED,
        f"user {user.name} may not use {place}{though}",
        f"an access list, an attribute or a rule of the kernel forbids it: 'getfacl {quoted}', "
        f"'lsattr -d {quoted}'",
    )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
