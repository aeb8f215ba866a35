"""A year of play and its nights in fast-forward: days of real rounds, each followed by its night.

Each day's rounds are played by the real table into the real journal (:mod:`proof.torture.year`),
with the clock of that day and a signed head behind every second round. Then comes what the timer
does, ``tablectl nightly`` in a process of its own, with the clock of that night; and every week a
start of the controller, which closes the journal where it is due. The medium that closed journals
are taken to is out of the box for one week of four.

- *journal*, *closed*: what lies on the box, in MB; *taken*: on the medium.
- *night*: the longest one since the line before, in seconds; *whole*: how many of them read all of
  the journal; *peak*: the most that a night took of main memory.
- *start*: of the daemon's real process on the journal, to READY; *daemon*: its memory then.

Nothing may be missing at the end: every entry ever made is in a closed journal on the medium, in
one on the box, or in the journal, and all of it is verified as one line.

    python -m proof.torture nights                            a year of 100 rounds a day
    python -m proof.torture nights --rounds 1000 --close-mb 500
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from controller.cli.main import main as tablectl
from controller.configuration.reading import load_configuration
from controller.daemon.outside import Outside
from controller.daemon.runtime import settings_of
from controller.journal.model import Draft
from controller.journal.reader import closed_files
from controller.replay.recovery import recover
from controller.upkeep.due import close_if_due
from controller.upkeep.signing import signing_of
from proof.torture.signing import Signing
from proof.torture.soak import Bench
from proof.torture.year import Year

BEGIN: Final = datetime(2027, 1, 1, 5, tzinfo=UTC)
A_WEEK: Final = 7
A_MONTH: Final = 28
A_SECOND_NS: Final = 1_000_000_000
SEED: Final = 20261125
HEAD: Final = (
    f"{'day':>4} {'entries':>10} {'journal':>8} {'closed':>7} {'taken':>7} {'night s':>8} "
    f"{'whole':>5} {'peak MB':>8} {'start s':>8} {'daemon MB':>9}"
)


@dataclass(slots=True)
class Month:
    """The nights since the last line."""

    longest_s: float = 0.0
    whole: int = 0
    peak_kb: int = 0
    problems: list[str] = field(default_factory=list)


class Box:
    """A table's box and its medium."""

    def __init__(self, folder: Path, medium: Path, close_mb: int, rounds: int) -> None:
        self.bench, self.medium, self.rounds = Bench(folder), medium, rounds
        self.out = medium.with_name(medium.name + "-out")
        self.report = folder / "report.json"
        with self.bench.config.open("a", encoding="utf-8") as file:
            file.write(
                f"[archive]\nafter_days = 90\nafter_mb = {close_mb}\nkeep_days = 14\n"
                f'to = "{medium}"\n'
            )
        self.bench.start()
        self.config = load_configuration(self.bench.config)
        self.played = 0

    def day(self, number: int) -> None:
        """Its rounds."""
        settings = settings_of(self.config)
        wall = BEGIN + timedelta(days=number - 1)
        state = self.bench.state
        with self.bench.journal(f"day-{number}") as journal:
            journal.connection.execute("PRAGMA synchronous = OFF")
            signing = Signing(state, self.config.table.id)
            play = recover(journal, journal.iterate).counted
            year = Year(settings, SEED + number, play, signing.record)
            batch: list[Draft] = []
            for drafts in year.drafts():
                batch += drafts
                if year.rounds % 2 and year.rounds < self.rounds:
                    continue
                at = wall + timedelta(seconds=60 * year.rounds)
                mono_ns = year.rounds * 60 * A_SECOND_NS
                text = at.isoformat(timespec="milliseconds")
                for draft in batch:
                    journal.append([draft], mono_ns, text)
                batch = []
                signing.sign(journal, text)
                if year.rounds >= self.rounds:
                    break
            journal.checkpoint()
        self.played += self.rounds

    def night(self, number: int, month: Month) -> None:
        """What the timer does."""
        wall = (BEGIN + timedelta(days=number)).isoformat()
        places = map(str, (self.bench.config, self.report))
        command = [sys.executable, "-m", "proof.torture.one_night", *places, wall]
        environment = {**os.environ}  # a night that compiles all anew takes three times as long
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.stdout, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        month.longest_s = max(month.longest_s, told["took_s"])
        month.whole += told["journal"]["whole"]
        month.peak_kb = max(month.peak_kb, told["peak_kb"])
        if not told["well"]:
            raise AssertionError(f"night {number} is not well: {told}")
        month.problems += told["problems"]

    def restart(self, number: int) -> None:
        """The controller starts between rounds, on that day."""
        wall = BEGIN + timedelta(days=number)
        outside = replace(
            Outside(),
            boot_id=lambda: f"day-{number}",
            wall=lambda: wall,
            mono_ns=lambda: 86_000 * A_SECOND_NS,
        )
        close_if_due(self.config, signing_of(self.config), outside)

    def take_out(self) -> None:
        """The medium goes to the safe."""
        self.medium.rename(self.out)

    def put_in(self) -> None:
        """It comes back."""
        self.out.rename(self.medium)

    def line(self, number: int, month: Month) -> str:
        """What is measured, and that much later it starts than an empty one."""
        state = self.bench.state
        where = self.medium if self.medium.exists() else self.out
        kept = shutil.copytree(state, state.with_name("kept"))
        try:
            started = self.bench.start()
        finally:  # its start and stop are not of that year
            shutil.rmtree(state)
            kept.rename(state)
        with self.bench.journal() as journal:
            entries = journal.head.seq
        return (
            f"{number:>4} {entries:>10,} {self.bench.file.stat().st_size / 1e6:>8.1f} "
            f"{_mb(closed_files(state)):>7.1f} {_mb(where.iterdir()):>7.1f} "
            f"{month.longest_s:>8.1f} {month.whole:>5} {month.peak_kb / 1024:>8.1f} "
            f"{started.took_s:>8.3f} {started.resident_kb / 1024:>9.1f}"
        )


def _mb(files: Iterable[Path]) -> float:
    return sum(file.stat().st_size for file in files) / 1e6


def main(argv: Sequence[str]) -> int:
    """Play the year; 1 where anything is missing at its end."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.torture nights",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--rounds", type=int, default=100, help="a day")
    parser.add_argument("--close-mb", type=int, default=50)
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where; else in the system's")
    parser.add_argument("--medium", metavar="DIR", type=Path, default=Path("/dev/shm"))
    options = parser.parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="nights-", dir=options.folder))
    other = Path(tempfile.mkdtemp(prefix="nights-", dir=options.medium))
    try:
        return _year(folder, other / "medium", options)
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(other)


def _year(folder: Path, medium: Path, options: argparse.Namespace) -> int:
    medium.mkdir()
    box = Box(folder / "box", medium, options.close_mb, options.rounds)
    month, began, outs = Month(), time.monotonic(), 0
    print(f"{options.days} days of {options.rounds} rounds, seed {SEED}\n{HEAD}", flush=True)
    for number in range(1, options.days + 1):
        box.day(number)
        if number % A_MONTH == 1 and number > 1:
            box.take_out()
        if number % A_MONTH == 1 + A_WEEK and number > A_MONTH:
            box.put_in()
        box.night(number, month)
        if number % A_WEEK == 0:
            box.restart(number)
        if number % A_MONTH == 0 or number == options.days:
            print(box.line(number, month), flush=True)
            outs += len(month.problems)
            month = Month()
    if box.out.exists():
        box.put_in()
    last = Month()
    box.night(options.days + 30, last)
    state = box.bench.state
    for file in closed_files(state):  # what is still kept here as well
        assert (medium / file.name).exists(), f"{file.name} was not taken"
    told = ["--state", str(state), "--config", str(box.bench.config)]
    status = tablectl(["journal", "verify", *told, "--archive", str(medium)])
    took = time.monotonic() - began
    print(
        f"{box.played:,} rounds, {outs} nights said that the medium is not there; {took:,.0f} s in "
        f"all; verified as one line: exit {status}"
    )
    return status
