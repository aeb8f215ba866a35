"""A table whose box loses its power in play, and what its journal's disk has kept of it.

The moments are those of :mod:`hil_tests.killing`: they are made to last, and most of them are
between an event and its acknowledgement or a press and its readback. Here the machine is killed,
what its disk had not flushed is kept or lost by chance, and the box comes back under another boot
id; the supervisor then looks at the table and lets play go on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hil_tests.kill_account import Account
from hil_tests.killed_rounds import KilledRounds, kill_setup, some_deal
from hil_tests.killing import KilledTable
from hil_tests.players import Anything
from hil_tests.vm.bench import VmBench

OFTEN: Final = 0.5
SPIN_MS: Final = 400
"""Shorter than the controller waits for a unit that is deaf while it spins."""
WITHOUT_A_CUT: Final = 20
"""Rounds after which something is wrong with whoever cuts."""


class CutTable(KilledTable):
    """``cut`` where the others are killed."""

    bench: VmBench

    def end(self) -> None:
        """The box loses its power."""
        if not self.bench.was_killed():
            self.bench.power_cut()

    def start(self) -> None:
        """It has power again."""
        self.bench.power_on()

    def come_back(self) -> None:
        """Until the table is as it was, and the supervisor has said so."""
        super().come_back()
        while (state := self.status)["held"]:
            self.dealer.supervisor("resume", why="cards and wagers lie as they did")
        if state["state"].startswith("deal.") and "done" in state["permitted"]:
            self.bench.control.dealer("done")  # wagers may be taken back: nobody does


def cut(rules: str, seed: int, cuts: int) -> Account:
    """A fresh table, and so many power cuts at least."""
    source = random.Random(seed)
    with _at(CutTable(VmBench(kill_setup(rules, seed, SPIN_MS)), source, OFTEN)) as table:
        rounds = KilledRounds(table, source)
        while table.account.kills < cuts:
            rounds.play(some_deal(source), Anything(source))
            assert table.account.rounds < WITHOUT_A_CUT + cuts, "nobody cuts"
        return rounds.finish()


@contextmanager
def _at(table: CutTable) -> Iterator[CutTable]:
    with table.bench:
        table.dealer.wait_for_devices()
        yield table
