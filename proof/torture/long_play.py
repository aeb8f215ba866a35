"""A long life of one table: what a journal of so many entries, or of so many days and nights, costs
in size, start time and memory, and that nothing of it goes missing.

Rounds are real (:mod:`proof.torture.year`). At each size, or every four weeks, a line tells:

- *start*: from the making of the daemon's real process to READY, the middle of several, in turns
  with starts on an empty journal (*later*: the middle of the differences); *cpu*: the processor's
  time of the same, which other work on the machine disturbs least; *cold*: with no page of the
  journal in memory. Every start replays what follows the last snapshot, half the distance of two on
  average.
- *daemon*: its resident memory when it is ready.
- Of days, *closed*: the closed journals on the box, in MB; *taken*: on the medium; *night*: the
  longest one since the line before, in seconds; *whole*: how many of them read all of the journal;
  *peak*: the most that a night took of main memory, in MB; what is imported here are
  ten of them.

Behind each day comes what the timer does, ``tablectl nightly`` in a process of its own, with the
clock of that night; and every week a start of the controller, which closes the journal where it is
due. The medium that closed journals are taken to is out of the box for one week of four.
"""

from __future__ import annotations

import os
import resource
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from controller.cli.main import main as tablectl
from controller.configuration.reading import load_configuration
from controller.daemon.outside import Outside
from controller.journal.model import Draft
from controller.journal.reader import closed_files
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, draft_of
from controller.table.events.reading import read_event
from controller.upkeep.due import close_if_due
from controller.upkeep.night.night import Night
from controller.upkeep.night_report import NightReport
from controller.upkeep.signing import signing_of
from proof.torture.long_journal import BATCH, HEAD, Bench, memory_kib

STARTS: Final = 5
SEED: Final = 20261121
MOST_LATER_S: Final = 0.5
"""What a start may take longer than with an empty journal, in the middle of several."""
MOST_GROWTH: Final = 1.1
"""What the filling process's memory may grow by from a fifth of the way to its end."""
BEGIN: Final = datetime(2027, 1, 1, 5, tzinfo=UTC)
A_WEEK: Final = 7
A_MONTH: Final = 28
A_SECOND_NS: Final = 1_000_000_000


# ---- so many entries ----------------------------------------------------------------------------


def play_entries(folder: Path, sizes: Sequence[int], real: int | None) -> int:
    """Play on to each of these sizes, and behind ``real`` entries with such as change nothing;
    1 when a start takes much longer than an empty journal's, memory grows, or a round of the
    journal cannot be proven."""
    print(f"real rounds, seed {SEED}; filled with synchronous=OFF, measured with the daemon's own")
    empty, bench, rounds, well = Bench(folder / "empty"), Bench(folder / "long"), 0, True
    print(HEAD)
    print(empty.row_text(0, empty, STARTS)[0], flush=True)
    for size in sorted(sizes):
        began = time.perf_counter()
        more, memory = _fill(bench, size, size if real is None else min(real, size))
        took, rounds = time.perf_counter() - began, rounds + more
        row, later = bench.row_text(rounds, empty, STARTS)
        print(row, flush=True)
        grown = memory[-1] / memory[1] if len(memory) > 1 else 1.0
        tenths = " ".join(f"{kb / 1024:.1f}" for kb in memory)
        print(f"{'':>12} {more:,} rounds in {took:,.0f} s, memory at each tenth (MB): {tenths}")
        proof, good = bench.proof_text(max(1, rounds // 3))
        print(f"{'':>12} {proof}", flush=True)
        well = well and later < MOST_LATER_S and grown < MOST_GROWTH and good
    print("well" if well else "NOT WELL: a start is late, memory grows, or a proof is not good")
    return 0 if well else 1


def _fill(bench: Bench, upto: int, real: int) -> tuple[int, list[int]]:
    """Play on until the journal has that number of entries; the rounds played, and the resident
    memory of this process, which has the whole table and its counters in it, at every tenth of the
    way: it may not grow with the entries."""
    if not bench.file.exists():
        bench.start()  # which makes journal, key and the first head
    with bench.writing() as writer:
        first = last = writer.journal.head.seq
        year = writer.year(SEED + first)
        marks = [first + (upto - first) * tenth // 10 for tenth in range(1, 11)]
        memory: list[int] = []
        rounds, batch = year.drafts(), list[Draft]()
        while last < upto:
            while last < real and len(batch) < min(BATCH, real - last):
                batch += next(rounds)
            last = writer.write([batch or _idle(year.counted)])
            batch = []
            while marks and last >= marks[0]:
                marks.pop(0)
                memory.append(memory_kib(os.getpid()))
    os.sync()
    return year.rounds, memory


def _idle(counted: CountedTable) -> list[Draft]:
    """A batch of one entry that changes nothing, again and again, for the tree takes it as it takes
    any other; with a snapshot, as a table has."""
    who = {"user": "ida", "uid": 7, "pid": 8, "what": "a connection", "why": "", "count": 1}
    event = read_event("refused-attempt", who)
    drafts = [draft_of(event, counted.apply(event))] * (BATCH - 2)
    return [*drafts, Draft(SNAPSHOT, counted.dump())]


# ---- so many days and nights --------------------------------------------------------------------


def play_days(folder: Path, medium: Path, days: int, rounds: int, close_mb: int) -> int:
    """Play them; 1 where anything is missing at the end: every entry ever made is in a closed
    journal on the medium, in one on the box, or in the journal, and all of it is verified as one
    line."""
    medium.mkdir()
    empty, box = Bench(folder / "empty"), Box(folder / "box", medium, close_mb, rounds)
    began, outs = time.monotonic(), 0
    empty.start()
    print(f"{days} days of {rounds} rounds, seed {SEED}\n{HEAD}{NIGHTS}", flush=True)
    for number in range(1, days + 1):
        box.day(number)
        if number % A_MONTH == 1 and number > 1:
            medium.rename(box.out)  # to the safe
        if number % A_MONTH == 1 + A_WEEK and number > A_MONTH:
            box.out.rename(medium)
        outs += box.night(number)
        if number % A_WEEK == 0:
            box.restart(number)
        if number % A_MONTH == 0 or number == days:
            print(box.line(number * rounds, empty), flush=True)
    if box.out.exists():
        box.out.rename(medium)
    box.night(days + 30)
    for file in closed_files(box.state):  # what is still kept here as well
        assert (medium / file.name).exists(), f"{file.name} was not taken"
    told = ["--state", str(box.state), "--config", str(box.config)]
    status = tablectl(["journal", "verify", *told, "--archive", str(medium)])
    print(
        f"{days * rounds:,} rounds, {outs} nights said that the medium is not there; "
        f"{time.monotonic() - began:,.0f} s in all; verified as one line: exit {status}"
    )
    return status


NIGHTS: Final = f" {'closed':>7} {'taken':>7} {'night s':>8} {'whole':>5} {'peak MB':>8}"


class Box(Bench):
    """A table's box and its medium; the nights since the last line."""

    def __init__(self, folder: Path, medium: Path, close_mb: int, rounds: int) -> None:
        super().__init__(folder)
        self.medium, self.rounds = medium, rounds
        self.out = medium.with_name(medium.name + "-out")
        self._report = folder / "report.json"
        with self.config.open("a", encoding="utf-8") as file:
            file.write(
                f"[archive]\nafter_days = 90\nafter_mb = {close_mb}\nkeep_days = 14\n"
                f'to = "{medium}"\n'
            )
        self.start()
        self._nights: list[tuple[float, int, int]] = []

    def day(self, number: int) -> None:
        """Its rounds, with a signed head behind every second one."""
        with self.writing(f"day-{number}") as writer:
            year = writer.year(SEED + number)
            batch: list[Draft] = []
            for drafts in year.drafts():
                batch += drafts
                if year.rounds % 2 and year.rounds < self.rounds:
                    continue
                past_s = 60 * year.rounds
                wall = BEGIN + timedelta(days=number - 1, seconds=past_s)
                writer.write(([draft] for draft in batch), wall, past_s * A_SECOND_NS)
                batch = []
                if year.rounds >= self.rounds:
                    break

    def night(self, number: int) -> int:
        """What the timer does; how many problems it named."""
        where = (self.config, self._report, BEGIN + timedelta(days=number))
        with get_context("spawn").Pool(1) as pool:
            told, peak_kb = pool.apply(_night, where)
        journal = told["journal"]
        if journal is None or not told["well"]:
            raise AssertionError(f"night {number} is not well: {told}")
        self._nights.append((told["took_s"], journal["whole"], peak_kb))
        return len(told["problems"])

    def restart(self, number: int) -> None:
        """The controller starts between rounds, on that day."""
        wall = BEGIN + timedelta(days=number)
        outside = replace(
            Outside(),
            boot_id=lambda: f"day-{number}",
            wall=lambda: wall,
            mono_ns=lambda: 86_000 * A_SECOND_NS,
        )
        config = load_configuration(self.config)
        close_if_due(config, signing_of(config), outside)

    def line(self, rounds: int, empty: Bench) -> str:
        """What is measured."""
        state, nights = self.state, self._nights
        where = self.medium if self.medium.exists() else self.out
        kept = shutil.copytree(state, state.with_name("kept"))
        try:
            row, _ = self.row_text(rounds, empty, 1)
        finally:  # its starts and stops are not of that year
            shutil.rmtree(state)
            kept.rename(state)
        took, whole, peak = zip(*nights, strict=True)
        self._nights = []
        return (
            f"{row} {_mb(closed_files(state)):>7.1f} {_mb(where.iterdir()):>7.1f} "
            f"{max(took):>8.1f} {sum(whole):>5} {max(peak) / 1024:>8.1f}"
        )


def _mb(files: Iterable[Path]) -> float:
    return sum(file.stat().st_size for file in files) / 1e6


def _night(config: Path, report: Path, now: datetime) -> tuple[NightReport, int]:
    """A night at that time: its report, and what its process took at most of main memory, in kB."""
    told = Night(load_configuration(config), report, wall=lambda: now).run()
    return told, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
