"""One process owns a state directory, by a lock that the kernel releases when its process ends;
the files in it before anything opens them: regular ones, whose log has lost nothing.

The lock is ``flock`` on the file ``lock``; the number written in the file only serves to say who
holds it. The file is never removed: two processes could otherwise each lock a file of that name.

- SQLite follows a symbolic link and keeps the log beside what it leads to, where nobody would look
  for it; whoever opens a FIFO waits for ever. Neither is opened.
- Everybody who reads a journal looks at its log first, unless a controller has it open: that one
  has looked, and the log changes under its hands.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time
from pathlib import Path

from controller.journal.errors import DiskFailed, NotAJournal, StateInUse, refusal
from controller.regular_files import NotRegular, check_own, give_owner, open_regular, read_whole

LOCK_NAME = "lock"
LOOKS, LOOK_S = 5, 0.01  # how often a lock that is held is tried again, and after how many seconds


class StateLock:
    """The exclusive lock on a state directory, held from construction to :meth:`release`. Raises
    StateInUse when another process has it, NoJournal when the directory may not be written,
    DiskFailed where that can heal by itself, or where a process that was killed has it: it ends as
    soon as its disk answers, and gives it back."""

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
            text = os.pread(self._fd, 32, 0).strip()
            pid = int(text) if text.isdigit() else None  # it has just not been written
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
    """Take the lock; a reader that is just looking whether somebody has it has it for some
    microseconds. Raises BlockingIOError: another process has it. OSError: it cannot be locked."""
    for _ in range(LOOKS):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOOK_S)
        else:
            return
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


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


SUFFIXES = ("", "-wal", "-shm")


def check_files(path: Path) -> None:
    """Check that the journal's files are its own. Raises NotAJournal: one is a link, a FIFO or a
    device."""
    for suffix in SUFFIXES:
        file = path.with_name(path.name + suffix)
        try:
            check_own(file)
        except NotRegular as error:
            raise NotAJournal(
                f"{file} is not opened: {error.strerror}. A journal is never a link or a device; "
                "put the file itself there, with the log that lies beside it, or name the "
                "directory where they are"
            ) from error


def files_in_place(path: Path) -> dict[Path, tuple[int, int]]:
    """The journal's file and its log, as far as they are there, by device and inode."""
    found: dict[Path, tuple[int, int]] = {}
    for file in (path, path.with_name(path.name + "-wal")):
        with contextlib.suppress(FileNotFoundError):
            there = file.lstat()
            found[file] = there.st_dev, there.st_ino
    return found


def in_use(directory: Path) -> bool:
    """Whether a process owns the directory, or it cannot be told."""
    try:
        fd = open_regular(directory / LOCK_NAME)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
