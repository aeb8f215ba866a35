"""Ways to kill a controller while it plays, each at a fresh table, each with its account.

- :func:`at_held_lines`: while a device's line is held back, mostly between an event and its
  acknowledgement or a press and its readback;
- :func:`at_commits`: at every commit of a round in which the button is pressed, and of a start:
  before it begins, between its rows and its end, when it is on the disk and nothing has been sent,
  and after each of its first effects;
- :func:`at_random`: at any instruction of a round and of a start.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final, TypeVar

from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.kills.account import Account
from hil_tests.kills.at_commits import CommitTable
from hil_tests.kills.at_held_lines import HeldLineTable
from hil_tests.kills.at_random import RandomMomentTable
from hil_tests.kills.commit_plan import EFFECT, moments_about
from hil_tests.kills.killable_table import KillableTable
from hil_tests.kills.rounds import SAME_DEAL, KilledRounds, kill_setup, some_deal
from hil_tests.people.players import RandomPlayer, basic

_T = TypeVar("_T", bound=KillableTable)

SPIN_MS: Final = 100
OFTEN: Final = 0.5
SELDOM: Final = 0.3
COMMITS_OF_A_START: Final = 6
"""The start record and what the devices tell, at most."""

WITHOUT_A_KILL: Final = 20
"""Rounds after which something is wrong with the way to kill."""


def at_held_lines(rules: str, seed: int, kills: int, in_doubt: int = 0, spins: int = 0) -> Account:
    """The least numbers of kills: in all, in doubt, and while the meter spins."""
    source = random.Random(seed)
    with _running_table(HeldLineTable(_bench(rules, seed), source, OFTEN)) as table:
        return _until(table, source, kills, in_doubt, spins)


def at_random(rules: str, seed: int, kills: int) -> Account:
    """At least ``kills`` kills at any instruction."""
    source = random.Random(seed)
    with _running_table(RandomMomentTable(_bench(rules, seed), source, SELDOM)) as table:
        return _until(table, source, kills)


def at_commits(
    rules: str, seed: int, kills: int | None = None, part: int = 0, parts: int = 1
) -> Account:
    """At every commit, or ``kills`` of them by chance; of ``parts`` of the list only ``part``."""
    source = random.Random(seed)
    table = CommitTable.at_bench(_bench(rules, seed), source)
    with closing(table.plan) as plan, _running_table(table):
        rounds = KilledRounds(table, source)
        before = plan.commits
        rounds.play(SAME_DEAL, basic)
        moments = moments_about(plan.commits - before)[part::parts]
        table.at_starts = moments_about(COMMITS_OF_A_START)[part::parts]
        if kills is not None:
            moments = source.sample(moments, min(kills, len(moments)))
        for moment in moments:
            if kills is not None and table.account.kills >= kills:
                break
            plan.arm(moment)
            before_kills = table.account.kills
            rounds.play(SAME_DEAL, basic)
            if moment.where != EFFECT and table.account.kills == before_kills:
                table.account.unreached += 1
            plan.disarm()
        return rounds.finish()


def _bench(rules: str, seed: int) -> VirtualBench:
    return VirtualBench(kill_setup(rules, seed, SPIN_MS))


@contextmanager
def _running_table(table: _T) -> Iterator[_T]:
    """The table with everything plugged in, and the report before opening made."""
    with table.bench:
        table.dealer.wait_for_devices()
        table.dealer.ask_ready()
        yield table


def _until(
    table: KillableTable, source: random.Random, kills: int, in_doubt: int = 0, spins: int = 0
) -> Account:
    rounds, account = KilledRounds(table, source), table.account
    while account.kills < kills or account.in_doubt < in_doubt or account.spins < spins:
        rounds.play(some_deal(source), RandomPlayer(source))
        assert account.rounds < WITHOUT_A_KILL + kills, f"no kill of the wanted kind: {account}"
    return rounds.finish()
