"""A shift: rounds, faults and deaths, all from one seed; the account of it, or what was broken.

``play_shift(seed)`` gives the same account every time, on any machine, or raises the same
:class:`~proof.torture.virtual.ledger.Violation`.
"""

from __future__ import annotations

import gc
import logging
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from controller.daemon import quiet_moments
from controller.evidence.verify import verify
from controller.journal.reader import JournalReader
from hil_tests.bench.setup import DOCUMENTS, MBS, RWS, setup_for
from proof.torture.virtual.faults import KINDS
from proof.torture.virtual.ledger import Ledger, Violation
from proof.torture.virtual.people import People
from proof.torture.virtual.site import Site
from simulators.lines.line import QUIET

ROUNDS = 200
FAULTS = 20
TABLES = (*DOCUMENTS, MBS, RWS)
"""Tables with a jackpot come twice as often as the others."""
SNAPSHOT_EVERY = 300
"""Entries: starts are what is tried, so most of them begin with a snapshot."""
MEMORY_FOLDER = Path("/dev/shm")


@dataclass(slots=True)
class Account:
    """A shift in figures; ``course`` is a digest of its whole journal, ``broken`` says which rule
    was broken, "" when none."""

    seed: int
    rules: str
    rounds: int = 0
    virtual_s: float = 0.0
    real_s: float = 0.0
    entries: int = 0
    cards: int = 0
    draws: int = 0
    lives: int = 0
    voids: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    course: str = ""
    broken: str = ""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the log, for the daemon says a lot when its devices are torn out, and without the
    collector: a shift is short, and what it leaves is collected at its end."""
    level = logging.root.manager.disable
    logging.disable()
    gc.disable()
    try:
        yield
    finally:
        logging.disable(level)
        gc.enable()
        gc.collect()


def play_shift(seed: int, rounds: int = ROUNDS, faults: int = FAULTS) -> Account:
    """Play one shift; violations are in the account, anything else is raised."""
    source = random.Random(seed)
    rules = source.choice(TABLES)
    account = Account(seed, rules)
    began = time.perf_counter()
    parent = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None
    with (
        undisturbed(),
        tempfile.TemporaryDirectory(prefix="shift-", dir=parent) as folder,
        patch.object(quiet_moments, "EVERY", SNAPSHOT_EVERY),
    ):
        setup = setup_for(rules, seed=seed % 9999, spin_ms=source.choice((0, 400, 4000)))
        tens = "--tens" in setup.options.get("shoe", ())
        site = Site(Path(folder), setup, source, tens=tens)
        try:
            _play(site, source, account, rounds, faults)
        except Violation as violation:
            account.broken = str(violation)
        finally:
            site.life.end_life()
        account.virtual_s, account.lives = site.world.now, site.lives
        _count(account, site.ledger)
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
        account.rounds, account.voids = people.rounds, people.voids
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


def _count(account: Account, ledger: Ledger) -> None:
    account.entries, account.cards = ledger.entries, len(ledger.cards)
    account.draws = len(ledger.draws)
    account.course = ledger.course.hexdigest()
