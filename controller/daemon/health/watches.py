"""Monitored while the table runs: free space on its disks.

Main memory and the clock are watched in the same way, in :mod:`.memory` and :mod:`.clock`.

The rules:

- **A disk that fills is reported long before it is full** (ERR-02). How long it lasts is estimated
  from what a round has taken so far. Weeks before, that is reported; when little more is left than
  the round at the table and a stop in good order need, play is held between rounds. A copy's disk
  is only reported.
- Thresholds have hysteresis: a condition ends only with a fifth more than the threshold.
- Where the free space cannot be read, the last value counts. Where there is none, nothing is
  reported: a missing answer ends no hold.

Watches check at the start, as self-tests, and then every ``EVERY_S`` seconds. They only find; what
reports it to the table, and how often, is :mod:`controller.daemon.health.findings`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from controller.causes.finding import briefly
from controller.daemon.health.findings import FaultFinding, SelfTest, Tested
from controller.files.media import FreeRoom, MediumSilent
from controller.upkeep.reserve import is_reserve

MIB: Final = 1 << 20

EVERY_S: Final = 10.0
"""Interval of the checks of all watches."""

ROUNDS_A_DAY: Final = 1440
"""Rounds of a busy table: one a minute, all day."""

USUAL_ROUND_BYTES: Final = 40_000
"""What a round takes in the journal where too few have been played to measure it."""

LEAST_ROUND_BYTES: Final = 10_000
"""However little is measured: old entries may have been archived."""

FEWEST_ROUNDS: Final = 200
"""Rounds after which it is measured."""

FEW_FILES: Final = 1000
LEAST_FILES: Final = 16
"""More files that a file system takes: with fewer it fills, and with so few play ends. A start
makes two beside the journal, and a signed head is written anew in a file of its own."""

LOW_DAYS: Final = 30
RESERVE_BYTES: Final = 32 * MIB
RESERVE_ROUNDS: Final = 500
"""Kept free for the round at the table and for the stop: a round is a few dozen kilobytes."""

SPARE: Final = 1.2


@dataclass(frozen=True, slots=True)
class WatchedPlace:
    """A directory, ``name`` in plain words; ``needed``: without room on its disk is no play."""

    name: str
    path: Path
    needed: bool = True


class Watch(Protocol):
    """A periodic check of something of the controller."""

    @property
    def faults(self) -> Collection[str]:
        """The codes of all that it can find."""

    def findings(self) -> list[FaultFinding]:
        """What it finds now, and what it does not find any more; nothing of what it cannot see."""


def as_self_test(name: str, watch: Watch) -> SelfTest:
    """The watch's first check; a fault without a verdict counts as not checked."""

    def run_test() -> Iterator[Tested]:
        verdicts = watch.findings()
        yield from ((one.fault, one.detail) for one in verdicts if one.present)
        yield from ((fault, None) for fault in {*watch.faults} - {one.fault for one in verdicts})

    return SelfTest(name, watch.faults, run_test)


class WordsWatch:
    """Watches for what each of several says of itself in words, empty while nothing is amiss."""

    def __init__(self, fault: str, told: Sequence[Callable[[], str]]) -> None:
        self.faults: Collection[str] = (fault,)
        self._fault = fault
        self._told = told

    def findings(self) -> list[FaultFinding]:
        """What they say."""
        found = [words for tell in self._told if (words := tell())]
        return [FaultFinding(self._fault, "; ".join(found), present=bool(found))]


def round_bytes(directory: Path, rounds: int) -> float:
    """What a round takes on disk: measured in ``directory`` where there were enough ``rounds``."""
    if rounds < FEWEST_ROUNDS:
        return USUAL_ROUND_BYTES
    files = (path for path in directory.iterdir() if path.is_file() and not is_reserve(path))
    used = sum(path.stat().st_size for path in files)
    return max(LEAST_ROUND_BYTES, used / rounds)


class Thresholds:
    """Which values are below their limits; what is, stays so until there is a fifth to spare."""

    def __init__(self) -> None:
        self._standing: set[Hashable] = set()

    def below(self, key: Hashable, value: float, limit: float) -> bool:
        """Whether that ``key``'s value is."""
        below = value < (limit * SPARE if key in self._standing else limit)
        (self._standing.add if below else self._standing.discard)(key)
        return below


class DiskWatch:
    """Looks at the ``room`` in all ``places``; a round takes ``bytes_per_round``."""

    faults: Collection[str] = ("disk-low", "disk-full-soon", "disk-unknown")

    def __init__(
        self,
        places: Sequence[WatchedPlace],
        room: Callable[[Path], FreeRoom],
        bytes_per_round: float,
    ) -> None:
        self._places = places
        self._room = room
        self._per_day = max(1.0, bytes_per_round) * ROUNDS_A_DAY
        self._reserve = max(RESERVE_BYTES, RESERVE_ROUNDS * bytes_per_round)
        self._below = Thresholds().below
        self._last: dict[WatchedPlace, list[tuple[str, str]]] = {}

    def findings(self) -> list[FaultFinding]:
        """Each of its faults, there or not; none that only a silent place could tell."""
        found: dict[str, list[str]] = {fault: [] for fault in self.faults}
        unknown: set[str] = set()
        for place in self._places:
            try:
                self._last[place] = list(self._judged(place, self._room(place.path)))
            except OSError as error:
                words = f"{place.name}, {place.path}: {_why(error, place.path)}"
                found["disk-unknown"].append(words)
            if place not in self._last:
                unknown |= {"disk-low", "disk-full-soon"} if place.needed else {"disk-low"}
            for fault, detail in self._last.get(place, ()):
                found[fault].append(detail)
        return [
            FaultFinding(fault, "; ".join(more), bool(more))
            for fault, more in found.items()
            if more or fault not in unknown
        ]

    def _judged(self, place: WatchedPlace, room: FreeRoom) -> Iterator[tuple[str, str]]:
        yield from self._files(place, room.files)
        free = room.bytes
        days = max(0.0, free - self._reserve) / self._per_day
        left = f"{place.name}, {place.path}: {free // MIB} MiB are free"
        if self._below(("low", place), days, LOW_DAYS):
            lasts = {0: "less than a day", 1: "one day"}.get(int(days), f"{int(days)} days")
            yield "disk-low", f"{left}, enough for {lasts} of play"
        if place.needed and self._below(("full", place), free, self._reserve):
            yield "disk-full-soon", f"{left}, {int(self._reserve) // MIB} MiB are kept for the end"

    def _files(self, place: WatchedPlace, files: int | None) -> Iterator[tuple[str, str]]:
        """A disk with room takes no file without a free inode."""
        if files is None:
            return
        left = f"{place.name}, {place.path}: only {files} more files can be made there"
        step = f"'df -i {place.path}' shows it, remove files that are not the table's"
        if self._below(("few", place), files, FEW_FILES):
            yield "disk-low", f"{left}; {step}"
        if place.needed and self._below(("none", place), files, LEAST_FILES):
            yield "disk-full-soon", f"{left}; {step}"


def _why(error: OSError, path: Path) -> str:
    """Nothing more is asked of the medium, for the loop does this."""
    return str(error.strerror) if isinstance(error, MediumSilent) else briefly(error, path)


class Watches:
    """Has all ``watches`` look again and again, and ``tell`` what they find."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        watches: Sequence[Watch],
        tell: Callable[[FaultFinding], None],
    ) -> None:
        self._loop = loop
        self._watches = watches
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Look from now on."""
        self._timer = self._loop.call_later(EVERY_S, self._report_findings)

    def close(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _report_findings(self) -> None:
        self.start()
        for watch in self._watches:
            for verdict in watch.findings():
                self._tell(verdict)
