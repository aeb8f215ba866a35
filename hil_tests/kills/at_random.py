"""A table whose controller is killed at any instruction.

It is killed from outside, a random number of microseconds after something was done: anywhere
between the first byte and the last effect, in a system call or in one of its own instructions; or
some time after it was started, while it is still recovering.
"""

from __future__ import annotations

import random
import signal
import time
from typing import Final

from hil_tests.bench.controller_process import DidNotStart
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.kills.killable_table import KillableTable

SOON_US: Final = 2_000
"""Within this time a card is stored, acknowledged, and the next command has left."""

AFTER: Final = {"card": "a card", "press": "a press", "entry": "an entry"}

STARTS_S: Final = 0.5
"""About how long a start takes."""


class RandomMomentTable(KillableTable):
    """``chance`` is that of a kill after anything that is done, and half of that during a start."""

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
