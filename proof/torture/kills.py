"""The real process killed in play over real links, thousands of times, or its machine's power cut.

Three ways (:mod:`hil_tests.kills.ways`), each at tables of every Pandemonium document and one
without: about every commit of a round and of a start, all of them once (where there are kills
enough); then, for what is left of ``--kills``, at moments that are made to last and at any
instruction. A table is used for some hundred kills, then it is stopped and its journal compared
with what its devices and clients saw; the next one begins afresh, with the next seed. ``--way``,
``--rules`` and ``--seed`` of a table that went wrong begin with that table again.

A fourth one, ``--way power``, runs only when it is named: each table is a machine of its own
(:mod:`hil_tests.benches.vm`), a system installed in a virtual machine, with a disk under its
journal that loses what was not flushed, block by block, by chance. It needs what ``make bench-vm``
needs.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from figures.workers import spread
from hil_tests.bench.setup import MBS, PLUS, RWS
from hil_tests.benches.vm.base import base
from hil_tests.kills.killable_dealer import Account
from hil_tests.kills.power_cuts import cut
from hil_tests.kills.ways import at_commits, at_held_lines, at_random

KILLS: Final = 2_000
SEED: Final = 20_261_121
RULES: Final = (MBS, RWS, PLUS)
POWER_RULES: Final = (MBS, RWS)
WAYS: Final = ("planned", "held", "anywhere")
POWER: Final = "power"
PARTS: Final = 2
"""Tables that share the commits of one document between them."""

A_TABLE: Final = {"held": 250, "anywhere": 250, POWER: 10}
"""Kills at one table: enough entries that it starts from a snapshot, too. After a power cut, its
log grows at the beginning, where a commit has the most requests to fall into."""

ALL_COMMITS: Final = 600
"""With fewer ``--kills`` than these, not every commit has its turn: a third of the kills are
planned, at commits by chance."""

HELD_SHARE: Final = 0.75
"""Of the kills that are not planned: more than half of all are to be in doubt."""

BY_WAY: Final[dict[str, Callable[[str, int, int], Account]]] = {
    "held": at_held_lines,
    "anywhere": at_random,
    POWER: cut,
}


class Job(NamedTuple):
    """One table. ``kills`` None: every planned moment of a ``part``."""

    way: str
    rules: str
    seed: int
    kills: int | None
    part: int = 0

    def __str__(self) -> str:
        return f"--way {self.way} --rules {self.rules} --seed {self.seed}"


def run_job(job: Job) -> tuple[Job, Account]:
    """Torture one table; what goes wrong stands in its account."""
    try:
        if job.way == "planned":
            parts = PARTS if job.kills is None else 1
            account = at_commits(job.rules, job.seed, job.kills, job.part, parts)
        else:
            assert job.kills is not None
            account = BY_WAY[job.way](job.rules, job.seed, job.kills)
    except Exception:  # play stood still, a device never came back, the controller gave up
        account = Account(wrong=[traceback.format_exc()])
    account.wrong = [f"{job}: {what}" for what in account.wrong]
    return job, account


def about_commits(rules: Sequence[str], seed: int, kills: int) -> Iterator[Job]:
    """Every planned moment of these documents, if ``kills`` suffice for them."""
    if kills < ALL_COMMITS:
        for number, name in enumerate(rules):
            yield Job("planned", name, seed + number, -(-kills // (3 * len(rules))))
        return
    for name in rules:
        for part in range(PARTS):
            yield Job("planned", name, seed + part, None, part)


def the_rest(rules: Sequence[str], ways: Sequence[str], seed: int, kills: int) -> Iterator[Job]:
    """So many kills at least, in turn at every document."""
    wanted = dict.fromkeys(ways, kills)
    if {"held", "anywhere"} <= wanted.keys():
        wanted["held"] = round(kills * HELD_SHARE)
        wanted["anywhere"] = kills - wanted["held"]
    for way, count in wanted.items():
        most = A_TABLE[way]
        for number in range(-(-count // most)):
            size = min(most, count - number * most)
            yield Job(way, rules[number % len(rules)], seed + number, size)


def add_options(parser: argparse.ArgumentParser) -> None:
    """How many, where and how."""
    parser.add_argument("--kills", type=int, default=KILLS, help="least number in all")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first table")
    parser.add_argument("--rules", action="append", help="of the tables; may be given again")
    parser.add_argument("--way", action="append", choices=(*WAYS, POWER), help="as --rules")
    parser.add_argument("--jobs", type=int, help="tables at a time; 2, and 1 machine")


def run_torture(given: argparse.Namespace) -> int:
    """Kill, print the account, return 1 when anything was lost, came twice or was wrong."""
    ways = tuple(given.way or WAYS)
    rules = tuple(given.rules or (POWER_RULES if POWER in ways else RULES))
    began = time.monotonic()
    total = Account()
    by_way: dict[str, Account] = {}
    if POWER in ways:
        base()  # made once, before two want it
    if "planned" in ways and given.kills >= ALL_COMMITS:
        print(
            "first about every commit, each once, whatever --kills says: some 400 kills, about 6 "
            "minutes on two cores; a line comes when a table is done",
            flush=True,
        )
    jobs = given.jobs or (1 if POWER in ways else 2)

    def torture(listed: Iterator[Job]) -> None:
        for job, account in spread(jobs, run_job, listed):
            by_way.setdefault(job.way, Account()).add(account)
            total.add(account)
            print(f"{job}: {account.kills} kills, {account.in_doubt} in doubt", flush=True)
            print(*(f"  wrong: {what}\n" for what in account.wrong), sep="", end="", flush=True)

    if "planned" in ways:
        torture(about_commits(rules, given.seed, given.kills))
    others = [way for way in ways if way != "planned"]
    if others and given.kills > total.kills:
        torture(the_rest(rules, others, given.seed, given.kills - total.kills))
    for way, account in by_way.items():
        print(f"\n{way}:", *account.lines(), sep="\n")
    print(
        f"\nall, seed {given.seed}, {time.monotonic() - began:.0f} s:", *total.summary(), sep="\n"
    )
    return int(bool(total.wrong or total.lost or total.twice))
