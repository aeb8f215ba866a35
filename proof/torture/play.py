"""Play at a table, as long as it is asked for: shifts, days and nights, or entries.

--shifts N: shifts in virtual time, faults and crashes included, from seeds. --seed N --shifts 1
plays one again; what a seed breaks, it breaks every time. A shift that broke a rule prints its
seed, its table and the rule; the exit status is then 1. This is played when nothing is asked for.

--days N: a life of so many days of --rounds rounds, each followed by its night.

--entries N ...: a life that is measured at each of these sizes (10,000, 100,000 and a million). Ten
million are a year of a busy table: 3.5 GB. With --real N only so many entries are of rounds, those
behind them change nothing: ten million are there in a quarter of an hour.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from controller.evidence.verify import verify
from controller.journal.reader import JournalReader
from figures.workers import spread
from hil_tests.bench.setup import DOCUMENTS, MBS, RWS, setup_for
from proof.torture.long_play import play_days, play_entries
from proof.torture.virtual.faults import KINDS
from proof.torture.virtual.ledger import Violation
from proof.torture.virtual.people import People
from proof.torture.virtual.site import MEMORY_FOLDER, Site, folder_in_memory, site_in
from simulators.lines.line import QUIET

SHIFTS: Final = 20
FAULTS: Final = 20
TABLES = (*DOCUMENTS, MBS, RWS)
"""Tables with a jackpot come twice as often as the others."""
SNAPSHOT_EVERY: Final = 300
"""Entries: starts are what is tried, so most of them begin with a snapshot."""
SHIFT_ROUNDS: Final = 200
DAY_ROUNDS: Final = 100
SIZES: Final = (10_000, 100_000, 1_000_000)
TELL_EVERY: Final = 50
"""Shifts after which a line says how far it has come."""
PLAY_S: Final = 75.0
"""What a round takes at a real table: to say how much faster this is."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """How long, and how."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--shifts", type=int, default=SHIFTS, help=f"{SHIFTS}")
    length.add_argument("--minutes", type=float, help="of shifts, as many as they are")
    length.add_argument("--days", type=int, help="a year has 365")
    length.add_argument("--entries", type=int, nargs="*", metavar="N", help="sizes")
    parser.add_argument("--seed", type=int, help="of the first shift; the next ones count on")
    parser.add_argument("--rounds", type=int, help="of a shift, 200, or of a day, 100")
    parser.add_argument("--faults", type=int, default=FAULTS, help="in a shift")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="shifts at a time")
    parser.add_argument("--real", type=int, metavar="N", help="entries of rounds; all")
    parser.add_argument("--close-mb", type=int, default=50, help="a journal of days is closed")
    parser.add_argument("--folder", type=Path, help="where a life is; else in the system's")
    parser.add_argument("--medium", type=Path, default=MEMORY_FOLDER, help="of closed journals")


def run_torture(given: argparse.Namespace) -> int:
    """Play; 1 where something is not as it has to be."""
    if given.days is None and given.entries is None:
        first = int(time.time()) if given.seed is None else given.seed
        given.rounds = given.rounds or SHIFT_ROUNDS
        print(f"shifts from seed {first}: {given.rounds} rounds, {given.faults} faults each")
        return _report(_shifts(first, given))
    with (
        tempfile.TemporaryDirectory(prefix="play-", dir=given.folder) as folder,
        tempfile.TemporaryDirectory(prefix="play-", dir=given.medium) as other,
    ):
        if given.days is None:
            return play_entries(Path(folder), given.entries or SIZES, given.real)
        rounds = given.rounds or DAY_ROUNDS
        medium = Path(other) / "medium"
        return play_days(Path(folder), medium, given.days, rounds, given.close_mb)


def _shifts(first: int, given: argparse.Namespace) -> Iterable[Account]:
    """The accounts of all shifts, in any order, as they are done."""
    until = None if given.minutes is None else time.monotonic() + given.minutes * 60
    play = partial(play_shift, rounds=given.rounds, faults=given.faults)
    seeds = range(first, first + (1 << 30 if until else given.shifts))
    for account in spread(given.jobs, play, seeds):
        yield account
        if until and time.monotonic() > until:
            return


def _report(accounts: Iterable[Account]) -> int:
    """Print each broken shift as it comes, and the sums."""
    begun = time.monotonic()
    shifts = broken = 0
    virtual_s = real_s = 0.0
    sums, faults = Counter[str](), Counter[str]()
    for account in accounts:
        shifts += 1
        sums.update(account.sums)
        faults += account.faults
        virtual_s, real_s = virtual_s + account.virtual_s, real_s + account.real_s
        if account.broken:
            broken += 1
            place = f"{account.rules}, round {account.sums['rounds'] + 1}"
            print(f"BROKEN seed {account.seed} ({place}): {account.broken}", flush=True)
        if shifts % TELL_EVERY == 0:
            print(f"  {shifts} shifts, {time.monotonic() - begun:.0f} s", flush=True)
    if not shifts:
        print("no shift was played", file=sys.stderr)
        return 1
    rounds = sums["rounds"]
    print(
        f"{shifts} shifts, {faults.total()} faults of {len(faults)} kinds, "
        f"{', '.join(f'{count} {name}' for name, count in sums.items())}; {broken} broken"
    )
    print(
        f"{time.monotonic() - begun:.0f} s ({real_s / max(rounds, 1) * 1000:.1f} ms a round and "
        f"process: {rounds * PLAY_S / max(real_s, 1e-9):,.0f} times as fast as play); "
        f"{virtual_s / 3600:.1f} hours in virtual time"
    )
    for kind, count in sorted(faults.items()):
        print(f"  {count:6} {kind}")
    return 1 if broken else 0


# ---- a shift ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Account:
    """A shift in figures; ``sums`` counts by name what was played, ``course`` is a digest of its
    whole journal, ``broken`` says which rule was broken, "" when none."""

    seed: int
    rules: str
    virtual_s: float = 0.0
    real_s: float = 0.0
    sums: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    course: str = ""
    broken: str = ""


def play_shift(seed: int, rounds: int, faults: int) -> Account:
    """Play one shift; violations are in the account, anything else is raised."""
    source = random.Random(seed)
    rules = source.choice(TABLES)
    account = Account(seed, rules)
    began = time.perf_counter()
    with folder_in_memory("shift-") as folder:
        setup = setup_for(rules, seed=seed % 9999, spin_ms=source.choice((0, 400, 4000)))
        with site_in(Path(folder), setup, source, snapshots=SNAPSHOT_EVERY) as site:
            try:
                _play(site, source, account, rounds, faults)
            except Violation as violation:
                account.broken = str(violation)
        ledger = site.ledger
        account.sums.update(starts=site.lives, entries=ledger.entries)
        account.sums.update(cards=len(ledger.cards), draws=len(ledger.draws))
        account.virtual_s, account.course = site.world.now, ledger.course.hexdigest()
    account.real_s = time.perf_counter() - began
    return account


def _play(site: Site, source: random.Random, account: Account, rounds: int, faults: int) -> None:
    """The rounds, with the faults spread over them at random looks."""
    plan = sorted((source.uniform(0, rounds), source.choice(sorted(KINDS))) for _ in range(faults))
    people: People

    def before_look() -> None:
        while plan and plan[0][0] <= people.rounds + source.random():
            _, kind = plan.pop(0)
            account.faults[kind] += 1
            KINDS[kind](site, source)

    people = People(site, source, before_look)
    try:
        while people.rounds < rounds:
            people.play_round()
    finally:
        account.sums.update({"rounds": people.rounds, "rounds void": people.voids})
        for line in [device.line for device in site.devices.values()]:
            line.noise = QUIET
    people.come_to_rest()
    if missing := list(site.ledger.missing()):
        raise Violation("; ".join(missing[:5]))
    site.life.stop()
    _verify(site)


def _verify(site: Site) -> None:
    """The journal as an inspector would check it."""
    with JournalReader(site.config.state_directory) as reader:
        report = verify(reader)
    if not report.well:
        raise Violation(f"the journal does not verify: {report.findings[0]}")
    if report.entries != site.ledger.entries:
        raise Violation(f"{site.ledger.entries} entries were stored, {report.entries} are there")
