"""One process owns a state directory: a lock that the kernel releases when its process ends.

The lock is ``flock`` on the file ``lock``; the number written in the file only serves to say who
holds it. The file is never removed: two processes could otherwise each lock a file of that name.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

from controller.journal.errors import NoJournal, StateInUse
from controller.regular_files import open_regular

LOCK_NAME = "lock"

LOOKS, LOOK_S = 5, 0.01
"""How often a lock that is held is tried again, and after how many seconds."""


class StateLock:
    """The exclusive lock on a state directory, held from construction to :meth:`release`.

    Raises :class:`StateInUse` when another process has it, :class:`NoJournal` when the directory
    cannot be written.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK_NAME
        try:
            self._fd = open_regular(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise NoJournal(
                f"{path} cannot be opened for writing ({error.strerror}); the state directory "
                "must exist and belong to the user that the table controller runs as"
            ) from error
        try:
            _take(self._fd)
        except OSError as error:
            pid = _holder(self._fd)
            os.close(self._fd)
            if not isinstance(error, BlockingIOError):
                raise NoJournal(
                    f"{path} cannot be locked ({error.strerror}); the state directory must be on "
                    "a local disk"
                ) from error
            who = "another process" if pid is None else f"process {pid}"
            raise StateInUse(
                f"{directory} is in use by {who}, which holds {path}; a table has one controller: "
                "stop the other one, or name another state directory",
                pid,
            ) from None
        with contextlib.suppress(
            OSError
        ):  # a full disk: the lock holds, it only does not say whose
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the directory back; harmless when done twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _take(fd: int) -> None:
    """Take the lock; a reader that is just looking whether somebody has it (:mod:`~.own_files`)
    has it for some microseconds.

    Raises:
        BlockingIOError: another process has it. OSError: it cannot be locked.
    """
    for _ in range(LOOKS):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOOK_S)
        else:
            return
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(fd: int) -> int | None:
    """Return the process number in the lock file, None when it has just not been written."""
    text = os.pread(fd, 32, 0).strip()
    return int(text) if text.isdigit() else None
