"""Files are opened only where they are regular ones.

A FIFO without a writer keeps whoever opens it waiting for ever, a device does what it likes, and a
symbolic link leads to a file whose log lies elsewhere. None of them is ever meant.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a symbolic link",
}


class NotRegular(OSError):
    """Something else than a regular file stands there; ``strerror`` says what."""

    def __init__(self, path: Path, mode: int) -> None:
        what = KINDS.get(stat.S_IFMT(mode), "no regular file")
        super().__init__(errno.EINVAL, f"it is {what}, expected a regular file", str(path))


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o640) -> int:
    """A descriptor of the file, which is a regular one; it is never waited for.

    Raises:
        NotRegular: it is something else; OSError: it cannot be opened.
    """
    try:
        fd = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a FIFO that nobody reads, or a socket
            raise NotRegular(path, path.stat().st_mode) from error
        if error.errno == errno.ELOOP and flags & os.O_NOFOLLOW:
            raise NotRegular(path, stat.S_IFLNK) from error
        raise
    found = os.fstat(fd).st_mode
    if not stat.S_ISREG(found):
        os.close(fd)
        raise NotRegular(path, found)
    return fd


def read_regular(path: Path) -> BinaryIO:
    """The file, open for reading; raises as :func:`open_regular`."""
    return os.fdopen(open_regular(path), "rb")


def read_own(path: Path) -> BinaryIO:
    """The same, and what stands there is no link to a file."""
    return os.fdopen(open_regular(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def give(fd: int, like: os.stat_result) -> None:
    """What root makes by hand belongs to whom ``like`` belongs to: the next time it is that user's.
    A stick's file system may know no owners. By descriptor: under its name that user may have put a
    link by now. The service itself may not, for its unit filters the call, and need not."""
    if os.geteuid() == 0:
        with contextlib.suppress(PermissionError):
            os.fchown(fd, like.st_uid, like.st_gid)


def check_own(path: Path) -> None:
    """Check that there is a regular file or nothing at ``path`` itself, and no link to one.

    Raises:
        NotRegular: there is something else.
    """
    try:
        found = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found):
        raise NotRegular(path, found)
