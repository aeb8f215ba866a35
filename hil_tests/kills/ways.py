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
import signal
import time
from contextlib import closing
from typing import Final

from hil_tests.bench.controller_process import DidNotStart
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.kills.at_held_lines import HeldLineDealer
from hil_tests.kills.killable_dealer import Account, KillableDealer
from hil_tests.kills.killed_daemon import EFFECT, Moment, Plan, moments_about
from hil_tests.kills.rounds import KilledRounds, kill_setup, running
from hil_tests.people.playing import basic
from hil_tests.tables.strategy import CARDS

SOON_US: Final = 2_000
"""Within this time a card is stored, acknowledged, and the next command has left."""

AFTER: Final = {"card": "a card", "press": "a press", "entry": "an entry"}

STARTS_S: Final = 0.5
"""About how long a start takes."""


class RandomMomentDealer(KillableDealer):
    """A dealer whose controller is killed from outside, a random number of microseconds after
    something was done, or during a start. ``chance`` is that of a kill after anything that is done,
    and half of that during a start."""

    bench: VirtualBench

    def __init__(self, bench: VirtualBench, source: random.Random, chance: float) -> None:
        super().__init__(bench, source)
        self.chance = chance
        self._moment = ""

    def after_action(self, what: str) -> None:
        """Kill, perhaps, in a moment."""
        if self._random.random() >= self.chance:
            return
        spin_us = self.bench.setup.spin_ms * 1000 if what == "press" else 0
        until_ns = time.perf_counter_ns() + self._random.randrange(SOON_US + spin_us) * 1000
        while time.perf_counter_ns() < until_ns:
            pass  # a sleep would last until the next tick of some clock
        self._moment = f"at any instruction after {AFTER[what]}"
        self.bench.controller.kill()

    def start(self) -> None:
        """Start the controller; perhaps not to the end."""
        within_s = self._random.uniform(0, STARTS_S)
        if self._random.random() < self.chance / 2:
            self._moment = "at any instruction of a start"
            try:
                self.bench.start_controller(within_s)
            except DidNotStart as error:
                if error.status is not None:
                    raise
                raise DidNotStart(-signal.SIGKILL, str(error)) from error  # as it was to be
        else:
            super().start()

    def kill_point(self) -> str:
        """After what, or during what."""
        return self._moment


class CommitDealer(KillableDealer):
    """The controller is killed where ``plan`` says; make one with :meth:`at_bench`.

    Each start of the controller takes one moment of ``at_starts``, while there are any.
    """

    bench: VirtualBench

    def __init__(self, bench: VirtualBench, source: random.Random, plan: Plan) -> None:
        super().__init__(bench, source)
        self.plan = plan
        self.at_starts: list[Moment] = []

    @classmethod
    def at_bench(cls, bench: VirtualBench, source: random.Random) -> CommitDealer:
        """A dealer at a bench whose controller is not yet started."""
        path = bench.folder / "plan"
        bench.controller.program = ("hil_tests.kills.killed_daemon", str(path))
        return cls(bench, source, Plan(path))

    def start(self) -> None:
        """Start the controller, which may be killed at one of its first commits."""
        if self.at_starts:
            self.plan.arm(self.at_starts.pop())
        super().start()

    def kill_point(self) -> str:
        """What was being committed, and how far that was."""
        return self.plan.killed_at


SPIN_MS: Final = 100
OFTEN: Final = 0.5
SELDOM: Final = 0.3
COMMITS_OF_A_START: Final = 6
"""The start record and what the devices tell, at most."""


def at_held_lines(rules: str, seed: int, kills: int, in_doubt: int = 0, spins: int = 0) -> Account:
    """The least numbers of kills: in all, in doubt, and while the meter spins."""
    source = random.Random(seed)
    with running(HeldLineDealer(_bench(rules, seed), source, OFTEN)) as dealer:
        return KilledRounds(dealer, source).play_until_killed(kills, in_doubt, spins)


def at_random(rules: str, seed: int, kills: int) -> Account:
    """At least ``kills`` kills at any instruction."""
    source = random.Random(seed)
    with running(RandomMomentDealer(_bench(rules, seed), source, SELDOM)) as dealer:
        return KilledRounds(dealer, source).play_until_killed(kills)


def at_commits(
    rules: str, seed: int, kills: int | None = None, part: int = 0, parts: int = 1
) -> Account:
    """At every commit, or ``kills`` of them by chance; of ``parts`` of the list only ``part``."""
    source = random.Random(seed)
    dealer = CommitDealer.at_bench(_bench(rules, seed), source)
    account = dealer.account
    with closing(dealer.plan) as plan, running(dealer):
        rounds = KilledRounds(dealer, source)
        before = plan.commits
        rounds.play(CARDS, basic)
        moments = moments_about(plan.commits - before)[part::parts]
        dealer.at_starts = moments_about(COMMITS_OF_A_START)[part::parts]
        if kills is not None:
            moments = source.sample(moments, min(kills, len(moments)))
        for moment in moments:
            if kills is not None and account.kills >= kills:
                break
            plan.arm(moment)
            before_kills = account.kills
            rounds.play(CARDS, basic)
            if moment.where != EFFECT and account.kills == before_kills:
                account.unreached += 1
            plan.disarm()
        return rounds.finish()


def _bench(rules: str, seed: int) -> VirtualBench:
    return VirtualBench(kill_setup(rules, seed, SPIN_MS))
