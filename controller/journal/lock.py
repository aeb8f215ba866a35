"""One process owns a state directory: a lock that the kernel releases when its process ends.

The lock is ``flock`` on the file ``lock``; the number written in the file only serves to say who
holds it. The file is never removed: two processes could otherwise each lock a file of that name.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from pathlib import Path

from controller.journal.disk import refusal
from controller.journal.errors import DiskFailed, StateInUse
from controller.regular_files import give_owner, open_regular, read_whole

LOCK_NAME = "lock"

LOOKS, LOOK_S = 5, 0.01
"""How often a lock that is held is tried again, and after how many seconds."""


class StateLock:
    """The exclusive lock on a state directory, held from construction to :meth:`release`.

    Raises :class:`StateInUse` when another process has it, :class:`NoJournal` when the directory
    may not be written, :class:`DiskFailed` where that can heal by itself, or where a process that
    was killed has it: it ends as soon as its disk answers, and gives it back.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK_NAME
        try:
            self._fd = open_regular(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            what = f"{path} cannot be opened for writing"
            raise refusal(what, path, error) from error
        try:
            _take_lock(self._fd)
        except OSError as error:
            pid = _holder(self._fd)
            os.close(self._fd)
            if not isinstance(error, BlockingIOError):
                what = f"{path} cannot be locked"
                raise refusal(what, path, error) from error
            if pid is not None and _is_ending(pid):
                raise DiskFailed(
                    f"{directory} is in use by process {pid}, which was ended and waits for its "
                    "disk: 'dmesg' says what is wrong with that. Look at its plug and supply; if "
                    "it does not answer, take the machine's power away"
                ) from None
            who = "another process" if pid is None else f"process {pid}"
            raise StateInUse(
                f"{directory} is in use by {who}, which holds {path}; a table has one controller: "
                "stop the other one, or name another state directory"
            ) from None
        with contextlib.suppress(
            OSError
        ):  # a full disk: the lock holds, it only does not say whose
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        # A command is often given by root, but the directory's owner runs the table: a lock that
        # root has made would keep him out. One with another name may be anybody's file.
        if os.fstat(self._fd).st_nlink == 1:
            give_owner(self._fd, directory.stat())

    def release(self) -> None:
        """Give the directory back; harmless when done twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _take_lock(fd: int) -> None:
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


_KILLED = 1 << (signal.SIGKILL - 1)


def _is_ending(pid: int) -> bool:
    """Whether a process has ended but for a thread that the kernel does not let go."""
    try:
        lines = read_whole(Path(f"/proc/{pid}/status")).decode("ascii", "replace").splitlines()
    except OSError:
        return False  # another user's, or gone by now
    told = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    pending = int(told.get("SigPnd", "0"), 16) | int(told.get("ShdPnd", "0"), 16)
    return told.get("State", "").startswith(("Z", "X")) or bool(pending & _KILLED)
