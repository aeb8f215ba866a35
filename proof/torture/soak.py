"""A long life: what a journal of many rounds costs in size, start time and memory.

One journal is filled with real rounds (:mod:`proof.torture.year`) and measured at each size on the
way; the daemon's real process is started on it, to READY, and stopped. Filling writes in large
batches and does without the sync of every commit (``synchronous=OFF``): the entries are the same,
the disk only gets them quicker. Measuring begins after they are on the disk.

- *start*: from the process's making to READY, the middle of several, in turns with starts on an
  empty journal (*later*: the middle of the differences); *cpu*: the processor's time of the same,
  which other work on the machine disturbs least; *cold*: with no page of the journal in memory.
  Every start replays what follows the last snapshot, half the distance of two on average.
- *memory*: the daemon's resident memory when it is ready, and that of the process that fills,
  which has the whole table and its counters in it, at every tenth of the way: neither may grow with
  the entries.

    python -m proof.torture soak --entries 10000 100000 1000000
    python -m proof.torture soak --entries 10000000          a year of a busy table; 3.5 GB
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.configuration.reading import load_configuration
from controller.daemon.runtime import settings_of
from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.replay.recovery import recover
from hil_tests.bench.configuration import least_configuration
from hil_tests.bench.controller_process import ControllerProcess
from proof.torture.proof_cost import proof_text
from proof.torture.signing import Signing
from proof.torture.year import Year

SIZES: Final = (10_000, 100_000, 1_000_000)
BATCH: Final = 1900
"""Below what a checkpoint waits for."""
STARTS: Final = 5
SEED: Final = 20261121
MOST_LATER_S: Final = 0.5
"""What a start may take longer than with an empty journal, in the middle of several."""
MOST_GROWTH: Final = 1.1
"""What the filling process's memory may grow by from a fifth of the way to its end."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured at one size: bytes, seconds and kilobytes."""

    entries: int
    rounds: int
    file_bytes: int
    start_s: float
    later_s: float
    cpu_s: float
    cold_s: float
    resident_kb: int


@dataclass(frozen=True, slots=True)
class Start:
    """One start: seconds to READY, of the processor's time, and resident memory then."""

    took_s: float
    cpu_s: float
    resident_kb: int


class Bench:
    """A table's folder: its configuration, its journal, and the daemon on it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.state = folder, folder / "state"
        self.config = folder / "table.toml"
        links = {name: folder / name for name in ("shoe", "jackpot")}
        text = least_configuration(links, self.state, folder / "control.sock", table="SOAK")
        self.config.write_text(text, "utf-8")

    @property
    def file(self) -> Path:
        """The journal's file."""
        return self.state / FILE_NAME

    def start(self, *, cold: bool = False) -> Start:
        """Start the daemon and stop it."""
        if cold:
            _forget(self.file)
        process = ControllerProcess(self.config, self.folder)
        began = time.perf_counter()
        process.start()
        took = time.perf_counter() - began
        pid = process.pid or 0
        start = Start(took, cpu_s(pid), resident_kb(pid))
        process.stop()
        return start

    def journal(self, boot_id: str | None = None) -> Journal:
        """The journal, which its daemon has made, with that one's key."""
        return Journal(self.state, ControllerKey(self.state / "key"), boot_id=boot_id)

    def measured(self, rounds: int, empty: Bench) -> Row:
        """The journal as it is, measured beside an empty one."""
        self.start()  # makes it, where there is none, and fills the caches
        pairs = [(empty.start(), self.start()) for _ in range(STARTS)]
        cold = [self.start(cold=True).took_s for _ in range(STARTS)]
        with self.journal() as journal:
            entries = journal.head.seq
        return Row(
            entries,
            rounds,
            self.file.stat().st_size,
            statistics.median(start.took_s for _, start in pairs),
            statistics.median(start.took_s - other.took_s for other, start in pairs),
            statistics.median(start.cpu_s for _, start in pairs),
            statistics.median(cold),
            max(start.resident_kb for _, start in pairs),
        )

    def fill(self, upto: int) -> tuple[int, list[int]]:
        """Play on until the journal has that number of entries; the rounds played, and the resident
        memory of this process at every tenth of the way."""
        if not self.file.exists():
            self.start()  # which makes journal, key and the first head
        settings = settings_of(load_configuration(self.config))
        with self.journal() as journal:
            journal.connection.execute("PRAGMA synchronous = OFF")
            year = Year(
                settings, SEED + journal.head.seq, recover(journal, journal.iterate).counted
            )
            signing = Signing(self.state, "SOAK")
            first = journal.head.seq
            marks = [first + (upto - first) * tenth // 10 for tenth in range(1, 11)]
            memory: list[int] = []
            batch: list[Draft] = []
            for drafts in year.drafts():
                batch += drafts
                if len(batch) < min(BATCH, upto - journal.head.seq):
                    continue
                journal.append(batch, time.monotonic_ns(), _wall())
                batch = []
                journal.checkpoint()
                signing.sign(journal)
                while marks and journal.head.seq >= marks[0]:
                    marks.pop(0)
                    memory.append(resident_kb(os.getpid()))
                if journal.head.seq >= upto:
                    break
            rounds = year.rounds
        os.sync()
        return rounds, memory


def resident_kb(pid: int) -> int:
    """Resident memory of a process, in kB."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def cpu_s(pid: int) -> float:
    """The processor's time that a process has had, user and system, in seconds."""
    after_name = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _forget(file: Path) -> None:
    """Have the kernel drop the file's pages."""
    with closing(os.fdopen(os.open(file, os.O_RDONLY), "rb")) as open_file:
        os.fsync(open_file.fileno())
        os.posix_fadvise(open_file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _wall() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000+00:00", time.gmtime())


def row_text(row: Row) -> str:
    """A row of the table."""
    each = row.file_bytes / max(row.entries, 1)
    return (
        f"{row.entries:>12,} {row.rounds:>10,} {row.file_bytes / 1e6:>10,.1f} {each:>8.0f} "
        f"{row.start_s:>8.3f} {row.later_s:>+8.3f} {row.cpu_s:>8.2f} {row.cold_s:>8.3f} "
        f"{row.resident_kb / 1024:>9.1f}"
    )


HEAD: Final = (
    f"{'entries':>12} {'rounds':>10} {'file MB':>10} {'B/entry':>8} {'start s':>8} "
    f"{'later s':>8} {'cpu s':>8} {'cold s':>8} {'daemon MB':>9}"
)


def main(argv: Sequence[str]) -> int:
    """Measure; 1 when a start takes much longer than an empty journal's, or memory grows."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--entries", metavar="N", type=int, nargs="+", default=SIZES)
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where; else in the system's")
    options = parser.parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="soak-", dir=options.folder))
    try:
        return _measure(folder, sorted(options.entries))
    finally:
        shutil.rmtree(folder)


def _measure(folder: Path, sizes: Sequence[int]) -> int:
    print(f"real rounds, seed {SEED}; filled with synchronous=OFF, measured with the daemon's own")
    empty = Bench(folder / "empty")
    print(HEAD)
    print(row_text(empty.measured(0, empty)), flush=True)
    bench, rounds, well = Bench(folder / "year"), 0, True
    for size in sizes:
        began = time.perf_counter()
        more, memory = bench.fill(size)
        rate = more / (time.perf_counter() - began)
        rounds += more
        row = bench.measured(rounds, empty)
        print(row_text(row), flush=True)
        grown = memory[-1] / memory[1] if len(memory) > 1 else 1.0
        tenths = " ".join(f"{kb / 1024:.1f}" for kb in memory)
        print(f"{'':>12} filled at {rate:,.0f} rounds/s, memory at each tenth (MB): {tenths}")
        print(f"{'':>12} {proof_text(bench.state, max(1, rounds // 3))}", flush=True)
        well = well and row.later_s < MOST_LATER_S and grown < MOST_GROWTH
    print("well" if well else "NOT WELL: a start takes longer, or memory grows, with the entries")
    return 0 if well else 1
