"""Two more ways to die: at a planned commit, and at any instruction.

The first is exact: the daemon kills itself (:mod:`hil_tests.dying`). The second is not: the rig
does something and kills from outside a random number of microseconds later, so that the controller
may be anywhere between the first byte and the last effect, in a system call or in the middle of one
of its own instructions; or some time after it was started, when it is still recovering.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Final

from hil_tests.dying import Moment, Plan
from hil_tests.mortal_table import MortalTable
from hil_tests.virtual.bench import VirtualBench

SOON_US: Final = 2_000
"""In so many microseconds a card is stored, acknowledged, and the next command has left."""

AFTER: Final = {"card": "a card", "press": "a press", "entry": "an entry"}

STARTS_S: Final = 0.5
"""A start takes about so long."""


class PlannedTable(MortalTable):
    """Dies where its ``plan`` says; begin with :meth:`at`, which makes the bench follow one.

    Of ``at_starts`` each start takes one, as long as there are any.
    """

    bench: VirtualBench

    def __init__(self, bench: VirtualBench, source: random.Random, plan: Plan) -> None:
        super().__init__(bench, source)
        self.plan = plan
        self.at_starts: list[Moment] = []

    @classmethod
    def at(cls, bench: VirtualBench, source: random.Random) -> PlannedTable:
        """A table at a bench whose controller is not yet started."""
        path: Path = bench.folder / "plan"
        bench.controller.plan = path
        return cls(bench, source, Plan(path))

    def start(self) -> None:
        """Start the controller, which may die over its first commits."""
        if self.at_starts:
            self.plan.arm(self.at_starts.pop())
        super().start()

    def where(self) -> str:
        """What was being committed, and how far that was."""
        return self.plan.told


class AnywhereTable(MortalTable):
    """``chance`` is that of a kill after anything that is done, half of it that during a start."""

    bench: VirtualBench

    def __init__(self, bench: VirtualBench, source: random.Random, chance: float) -> None:
        super().__init__(bench, source)
        self.chance = chance
        self._moment = ""

    def stimulated(self, what: str) -> None:
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
            self.bench.start_controller(within_s)
        else:
            super().start()

    def where(self) -> str:
        """After what, or during what."""
        return self._moment
