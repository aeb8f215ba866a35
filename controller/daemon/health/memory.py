"""Main memory: how much the program uses, and how much is available to it (ERR-02).

The rules:

- The available memory is the least of the kernel's figure (``MemAvailable``: without swapping) and
  of what every control group above the process may still take. Pages of files that a group could
  give back are not counted against it.
- The program uses the same amount after a day as after a year (docs/decisions/0009-snapshots.md has
  the figures). A process that has grown to several times that amount is reported long before memory
  runs out.
- Little available memory is a notice. When hardly more is available than the round at the table and
  a stop may need, play is held between rounds: the kernel would end some process next, and nobody
  knows which.
- Where the kernel gives no figure, no condition ends: earlier findings stay.

Only control groups of version 2 are asked; where there are none, the machine's own figure counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.daemon.health.findings import FaultFinding
from controller.daemon.health.watches import MIB, Thresholds
from controller.regular_files import read_whole

LOW_BYTES: Final = 128 * MIB
"""Some three times of what the whole program takes."""

LEAST_BYTES: Final = 32 * MIB
"""Kept for the round at the table and for the stop, which need a few."""

MOST_OWN_BYTES: Final = 256 * MIB
"""The program takes 45 to 60 MiB, however long it plays."""


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """What the process has in main memory, and what it and others may still take, in bytes."""

    own: int
    left: int


def read_memory(proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> ProcessMemory:
    """What the kernel says; OSError, ValueError or LookupError where a figure is missing or has
    another format."""
    pages = int(_text(proc / "self/statm").split()[1])
    named = _numbers(proc / "meminfo")
    left = min([named["MemAvailable:"] * 1024, *_left_in_groups(proc, groups)])
    return ProcessMemory(pages * os.sysconf("SC_PAGE_SIZE"), max(0, left))


def _left_in_groups(proc: Path, groups: Path) -> Iterator[int]:
    """For each group with a limit, from the process's own upwards, what it may still take."""
    lines = _text(proc / "self/cgroup").splitlines()
    for line in lines:
        if not line.startswith("0::/"):
            continue
        place = groups / line.removeprefix("0::/")
        for group in (place, *place.parents):
            if not group.is_relative_to(groups):
                break
            limit = group / "memory.max"
            most = _text(limit).strip() if limit.exists() else "max"
            if most != "max":
                taken = int(_text(group / "memory.current"))
                numbers = _numbers(group / "memory.stat")
                yield int(most) - taken + numbers["inactive_file"] + numbers["active_file"]


def _text(path: Path) -> str:
    return read_whole(path).decode("utf-8")


def _numbers(path: Path) -> dict[str, int]:
    lines = (line.split() for line in _text(path).splitlines())
    return {words[0]: int(words[1]) for words in lines}


class MemoryWatch:
    """Looks at main memory as ``read`` tells it."""

    faults: Collection[str] = ("memory-low", "memory-full-soon", "memory-unknown")

    def __init__(self, read: Callable[[], ProcessMemory]) -> None:
        self._read = read
        self._thresholds = Thresholds()

    def findings(self) -> list[FaultFinding]:
        """A verdict on each of its faults; where the kernel gives no figure, only that one."""
        try:
            found = dict(self._judged(self._read()))
        except (OSError, ValueError, LookupError) as error:
            why = f"{type(error).__name__}: {error}"
            return [FaultFinding("memory-unknown", why, present=True)]
        return [FaultFinding(fault, found.get(fault, ""), fault in found) for fault in self.faults]

    def _judged(self, memory: ProcessMemory) -> Iterator[tuple[str, str]]:
        below = self._thresholds.below
        left = f"{memory.left // MIB} MiB are left on this machine"
        own = f"the controller itself takes {memory.own // MIB} MiB"
        scarce = below("left", memory.left, LOW_BYTES)
        if below("own", MOST_OWN_BYTES, memory.own) or scarce:
            yield "memory-low", f"{left}; {own}"
        if below("least", memory.left, LEAST_BYTES):
            yield "memory-full-soon", f"{left}; {own}"
