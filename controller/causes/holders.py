"""Who holds a file: the processes that have it locked, or else open.

The kernel lists locks for everybody (``/proc/locks``, proc(5)), with the file's device and number.
Which process has a file open shows only to root and to that process's own user; where it does not
show, ``fuser`` as root finds it, and so the words say.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from controller.regular_files import read_whole

PROC: Final = Path("/proc")
_BESIDE: Final = ("", "-shm", "-wal")
"""SQLite's locks are on the file, and on the memory that its users share."""

FileNumber = tuple[int, int, int]
"""Device (major, minor) and number of a file."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: its number, and its program where that may be seen."""

    pid: int
    program: str

    def __str__(self) -> str:
        return f"process {self.pid}" + (f" ({self.program})" if self.program else "")


def holder_of(path: Path) -> Holder | None:
    """Another process that keeps the file, or one beside it; None where none shows."""
    files = set(_numbers(path))
    with contextlib.suppress(OSError):
        for pid in chain(lockers(files), _openers(files)):
            return Holder(pid, program_of(pid))
    return None


def number_of(found: os.stat_result) -> FileNumber:
    """A file's."""
    return os.major(found.st_dev), os.minor(found.st_dev), found.st_ino


def _numbers(path: Path) -> Iterator[FileNumber]:
    """Those of the file and of what SQLite has beside it."""
    for suffix in _BESIDE:
        with contextlib.suppress(OSError, ValueError):  # the root has no name
            yield number_of(path.with_name(path.name + suffix).stat())


def lockers(files: Collection[FileNumber]) -> list[int]:
    """Other processes with a lock on one of them; who writes before who reads."""
    found: list[tuple[bool, int]] = []
    with contextlib.suppress(OSError, ValueError):
        for line in read_whole(PROC / "locks").decode("ascii", "replace").splitlines():
            fields = line.replace("-> ", "").split()
            if len(fields) < 6 or "->" in line:
                continue  # it waits for the lock itself
            major, minor, number = fields[5].split(":")
            if (int(major, 16), int(minor, 16), int(number)) in files:
                found.append((fields[3] != "WRITE", int(fields[4])))
    return [pid for _, pid in sorted(found) if pid > 0 and pid != os.getpid()]


def _openers(files: Collection[FileNumber]) -> Iterator[int]:
    """Other processes that have one of them open, as far as this user may see."""
    for pid in other_processes():
        with contextlib.suppress(OSError):
            for descriptor in (PROC / str(pid) / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if number_of(descriptor.stat()) in files:
                        yield pid
                        break


def other_processes() -> Iterator[int]:
    """The numbers of all processes but this one."""
    for entry in PROC.iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            yield int(entry.name)


def program_of(pid: int) -> str:
    """The name of a process' program; "" where it has ended."""
    with contextlib.suppress(OSError):
        return read_whole(PROC / str(pid) / "comm").decode("utf-8", "replace").strip()
    return ""
