"""A floor of 60 tables at its real size: days without a network, caught up, and then reported on.

Each table has a journal of its own: days of play by a clock of its own
(:mod:`proof.benchmarks.floor_play`), under the five rule documents in turn. No entry has been sent
before all of them begin at once, so what is measured first is how long it takes until the floor has
cosigned all of them, and then until it has all facts. The code that sends is the tables' own
(:mod:`controller.witness.forwarding`), in threads of this process; sockets, collector and
PostgreSQL are real.

Then the reports are made that people would ask for, by ``table-floor report`` and by the page, and
it is told how long each took, and what they find. One table is planted: it draws the highest
multiplier too often. Exit status 1: that is not found, or another one is, or a round is missing.

Run: ``python -m proof.benchmarks.floor_days [--tables N] [--days N] [--rounds-a-day N] [--seed N]
[--planted N] [--one-in N] [--collectors N] [--simulated N] [--work FOLDER] [--stay]``; a line for
each figure.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from controller.configuration.reading import load_configuration
from controller.witness.exchange import WitnessSilent
from controller.witness.main import FIRST_S, LATEST_S
from figures.workers import spread
from floor.page.views import EXPECTED
from hil_tests.bench.logged_program import until
from hil_tests.bench.setup import DOCUMENTS, WEIGHTS
from hil_tests.floor.house import House
from proof.benchmarks.collecting import MadeEntries, MadeTable, known
from proof.benchmarks.daemon import ROOT
from proof.benchmarks.floor_play import BOXES, STRATEGY, PlannedTable, draws, make_journal

TABLES: Final = 60
ROUNDS: Final = 1400
"""A day: 70 rounds an hour, twenty hours."""
SEED: Final = 20_261_127
PLANTED: Final = 12
"""The number of the table that draws the highest multiplier too often."""
ONE_IN: Final = 8
"""One draw in so many of that table is the highest multiplier, whatever was drawn."""
SIMULATED: Final = 100_000
"""Rounds by which it is known what to expect, of each document."""
PATIENCE_S: Final = 3600.0

_STORED: Final = "select sum(next_entry), sum(facts_upto) from floor.log"
_BEHIND: Final = "select 1 from floor.log where facts_upto < next_entry limit 1"
_HALTED: Final = "select table_name, halted from floor_facts.tables where halted <> ''"
_ODD: Final = "select table_name, words from floor_facts.differences limit 5"


def main() -> int:
    """Make the tables, have all sent, report; the exit status."""
    given = _arguments()
    with ExitStack() as undo:
        work = given.work or Path(undo.enter_context(TemporaryDirectory(prefix="floor-days-")))
        plans = _planned(work, given)
        begun = time.monotonic()
        missing = [one for one in plans if not one.exported.exists()]
        rounds = sum(spread(os.cpu_count() or 1, make_journal, missing))
        _print_line(f"{rounds:,} rounds made in {_since(begun)}")
        simulate(work / EXPECTED, plans, given.simulated)
        house = undo.enter_context(closing(House(given.collectors)))
        shutil.copytree(work / EXPECTED, house.folder / EXPECTED)
        send(house, plans)
        derive(house, plans)
        wrong = report(house, plans, work)
        if given.stay:
            _print_line(f"{house.start_page()}, {house.configuration}: until a line is given")
            sys.stdin.readline()
    for what in wrong:
        print(f"wrong: {what}")
    return int(bool(wrong))


def _planned(work: Path, given: argparse.Namespace) -> list[PlannedTable]:
    """The tables; their days end yesterday."""
    first = datetime.now(UTC).date() - timedelta(days=given.days)
    return [
        PlannedTable(
            *(work / str(number), f"P{number:02}", DOCUMENTS[number % len(DOCUMENTS)]),
            *(given.seed + number, first),
            *(given.days, given.rounds_a_day, given.one_in * (number == given.planted)),
        )
        for number in range(1, given.tables + 1)
    ]


def _print_line(line: str) -> None:
    print(line, flush=True)


def _since(begun: float) -> str:
    return f"{time.monotonic() - begun:.0f} s"


def simulate(folder: Path, plans: Sequence[PlannedTable], rounds: int) -> None:
    """Have the folder say what to expect of each rule document, as it is played here."""
    if folder.exists():
        return
    folder.mkdir()
    begun = time.monotonic()
    for plan in {plan.document: plan for plan in plans}.values():
        digest = load_configuration(plan.configuration).table.rules_digest
        weights = ",".join(f"{multiplier}={weight}" for multiplier, weight in WEIGHTS.items())
        command = ["simulate", "--json", "--rules", plan.document, "--strategy", STRATEGY]
        command += ["--boxes", str(len(BOXES)), "--rounds", str(rounds), "--seed", "1"]
        command += ["--jobs", str(os.cpu_count())]
        command += ["--weights", weights] if draws(plan.document) else []
        told = _module_output("controller.cli.main", *command)
        (folder / f"{digest}.json").write_text(told, encoding="utf-8")
    _print_line(f"{rounds:,} rounds of each document simulated in {_since(begun)}")


def _module_output(module: str, *options: str) -> str:
    """What ``python -m module`` prints.

    Raises:
        ChildProcessError: it did not end well.
    """
    ran = subprocess.run(
        [sys.executable, "-m", module, *options], cwd=ROOT, capture_output=True, check=False
    )
    if ran.returncode:
        raise ChildProcessError(f"{module} {' '.join(options)}: {ran.stderr.decode()}")
    return ran.stdout.decode()


# ---- an outage that ends -------------------------------------------------------------------------


def send(house: House, plans: Sequence[PlannedTable]) -> None:
    """Have all tables begin to send at once, and tell how long it takes until all is cosigned."""
    named = {}
    for plan in plans:
        lines = plan.exported.read_text(encoding="ascii").splitlines()
        table = named[plan.name] = MadeTable(plan.key, MadeEntries(lines))
        table.size = len(lines)
        table.checkpoint()  # a box has its tree already
    tables, floor = [*named.values()], known(house, named)
    before = sum(collector.used_s() for collector in house.collectors)
    begun = time.monotonic()

    refused: Counter[str] = Counter()

    def sent(table: MadeTable) -> float:
        rest_s = FIRST_S
        while True:
            try:
                table.send(floor)
            except (RuntimeError, WitnessSilent) as error:  # as the table's own process does
                refused[str(error)] += 1
                time.sleep(rest_s)
                rest_s = min(2 * rest_s, LATEST_S)
            else:
                return time.monotonic() - begun

    with ThreadPoolExecutor(len(tables)) as senders:
        took = sorted(senders.map(sent, tables))
    used = sum(collector.used_s() for collector in house.collectors) - before
    entries = sum(table.size for table in tables)
    _print_line(
        f"{entries:,} entries of {len(tables)} tables cosigned: the first table after"
        f" {took[0]:.0f} s, the last one after {took[-1]:.0f} s; collectors {used:.0f} s of the"
        f" processor; load {os.getloadavg()[0]:.1f}"
    )
    for words, times in refused.items():
        _print_line(f"  {times} times sent again: {words}")


def derive(house: House, plans: Sequence[PlannedTable]) -> None:
    """Wait until all facts are derived, and tell how long that takes."""
    begun, before = time.monotonic(), house.rows_of(_STORED)[0][1]
    until(
        lambda: not house.rows_of(_BEHIND) or bool(house.rows_of(_HALTED)), "all facts", PATIENCE_S
    )
    used = sum(collector.used_s() for collector in house.collectors)
    rounds = sum(plan.days * plan.rounds for plan in plans)
    _print_line(
        f"facts: of {before:,} entries by then, of all {_since(begun)} later; collectors"
        f" {1e3 * used / rounds:.1f} ms of the processor a round, all in all"
    )


# ---- what people ask -----------------------------------------------------------------------------


def report(house: House, plans: Sequence[PlannedTable], keep: Path) -> list[str]:
    """Make the reports, keep them in the folder, and tell how long each took; what is wrong."""
    first, newest = plans[0].first, plans[0].first + timedelta(plans[0].days - 1)
    days = ("--days", str(first), str(newest))
    expected = ("--expected", str(house.folder / EXPECTED))
    for name, options in (
        ("day.txt", ("--day", str(newest))),
        ("days.txt", days),
        ("days.json", (*days, "--json")),
        ("money.csv", (*days, "--csv", "money")),
        ("draws.csv", (*days, "--csv", "draws")),
        ("notable.csv", (*days, "--csv", "notable")),
        ("shift.txt", ("--shift", "2")),
        ("table.txt", (*days, "--table", plans[0].name)),
    ):
        begun = time.monotonic()
        told = _module_output(
            "floor.main", "report", "--config", str(house.configuration), *options, *expected
        )
        _print_line(f"report {' '.join(options)}: {time.monotonic() - begun:.1f} s")
        (keep / name).write_text(told, encoding="utf-8")
    page = house.start_page()
    for address in (
        "days.json",
        f"report.json?day={newest}",
        f"report.json?day={first}&until={newest}",
        "report.json?shift=2",
        f"facts/rounds.csv?day={newest}&table={plans[0].name}",
        f"tables/{plans[0].name}/{newest}.json",
        f"tables/{plans[0].name}/rounds/{plans[0].rounds // 2}",
    ):
        begun = time.monotonic()
        with urllib.request.urlopen(f"{page}{address}", timeout=PATIENCE_S) as answer:
            size = len(answer.read())
        _print_line(f"page /{address}: {time.monotonic() - begun:.1f} s, {size:,} bytes")
    found: Any = json.loads((keep / "days.json").read_text(encoding="utf-8"))
    return list(_wrong(house, found, plans))


def _wrong(house: House, found: Any, plans: Sequence[PlannedTable]) -> Iterator[str]:
    """What is wrong with the report on all days."""
    tables = found["tables"]
    told = sum(table["rounds"] + table["void"] for table in tables)
    if told != (rounds := sum(plan.days * plan.rounds for plan in plans)):
        yield f"{told} rounds are reported, of {rounds}"
    for table, words in (*house.rows_of(_HALTED), *house.rows_of(_ODD)):
        yield f"{table}: {words}"
    marked = {table["table"] for table in tables for one in table["draws"] if one["found"]}
    planted = {plan.name for plan in plans if plan.planted}
    if marked != planted:
        yield f"found are {sorted(marked)}, planted {sorted(planted)}"
    bands = [
        (table["table"], of["expected"]["outside"])
        for table in tables
        for of in table["documents"]
        if of["expected"]
    ]
    outside = [name for name, is_outside in bands if is_outside]
    _print_line(
        f"too far off for chance: {', '.join(sorted(marked)) or 'none'}; outside the band of main"
        f" wagers: {len(outside)} of {len(bands)} ({', '.join(outside)})"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.benchmarks.floor_days")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--rounds-a-day", type=int, default=ROUNDS, help="of each table")
    parser.add_argument("--seed", type=int, default=SEED, help="for the same cards again")
    parser.add_argument("--planted", type=int, default=PLANTED, help="the number of that table")
    parser.add_argument("--one-in", type=int, default=ONE_IN, help="so many draws of that table")
    parser.add_argument("--collectors", type=int, default=1)
    parser.add_argument("--simulated", type=int, default=SIMULATED, help="rounds a document")
    parser.add_argument(
        "--work", type=Path, help="a folder for journals, which are used again, and reports"
    )
    parser.add_argument("--stay", action="store_true", help="leave it standing until a line comes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
