"""Three ways to kill a controller in play, each at a fresh table, each with its account.

- ``held``: at moments that are made to last, most of them between an event and its acknowledgement
  or a press and its readback (:mod:`hil_tests.killing`);
- ``planned``: about every commit of a round in which the button is pressed, and of a start: before
  it begins, between its rows and its end, when it is on the disk and nothing has left, and after
  each of its first effects (:mod:`hil_tests.dying`);
- ``anywhere``: at any instruction of play and of a start.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final, TypeVar

from hil_tests.dying import EFFECT, moments_about
from hil_tests.kill_account import Account
from hil_tests.killed_rounds import SAME_DEAL, KilledRounds, kill_setup, some_deal
from hil_tests.killing import KilledTable
from hil_tests.killing_anywhere import AnywhereTable, PlannedTable
from hil_tests.mortal_table import MortalTable
from hil_tests.players import Anything, basic
from hil_tests.virtual.bench import VirtualBench

_T = TypeVar("_T", bound=MortalTable)

SPIN_MS: Final = 100
OFTEN: Final = 0.5
SELDOM: Final = 0.3
COMMITS_OF_A_START: Final = 6
"""The start record and what the devices tell, in as many commits as it comes to."""

WITHOUT_A_KILL: Final = 20
"""Rounds after which something is wrong with whoever kills."""


def held(rules: str, seed: int, kills: int, in_doubt: int = 0, spins: int = 0) -> Account:
    """At moments that are made to last; so many of them at least in doubt, and while the meter
    spins."""
    source = random.Random(seed)
    with _at(KilledTable(_bench(rules, seed), source, OFTEN)) as table:
        return _until(table, source, kills, in_doubt, spins)


def anywhere(rules: str, seed: int, kills: int) -> Account:
    """At any instruction."""
    source = random.Random(seed)
    with _at(AnywhereTable(_bench(rules, seed), source, SELDOM)) as table:
        return _until(table, source, kills)


def planned(
    rules: str, seed: int, kills: int | None = None, part: int = 0, parts: int = 1
) -> Account:
    """About every commit; with ``kills`` about so many of them, of ``parts`` only ``part``."""
    source = random.Random(seed)
    table = PlannedTable.at(_bench(rules, seed), source)
    with closing(table.plan) as plan, _at(table):
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
            died = table.account.kills
            rounds.play(SAME_DEAL, basic)
            if moment.where != EFFECT and table.account.kills == died:
                table.account.unreached += 1
            plan.disarm()
        return rounds.finish()


def _bench(rules: str, seed: int) -> VirtualBench:
    return VirtualBench(kill_setup(rules, seed, SPIN_MS))


@contextmanager
def _at(table: _T) -> Iterator[_T]:
    """The table with everything plugged in."""
    with table.bench:
        table.dealer.wait_for_devices()
        yield table


def _until(
    table: MortalTable, source: random.Random, kills: int, in_doubt: int = 0, spins: int = 0
) -> Account:
    rounds, account = KilledRounds(table, source), table.account
    while account.kills < kills or account.in_doubt < in_doubt or account.spins < spins:
        rounds.play(some_deal(source), Anything(source))
        assert account.rounds < WITHOUT_A_KILL + kills, f"nobody kills where it counts: {account}"
    return rounds.finish()
