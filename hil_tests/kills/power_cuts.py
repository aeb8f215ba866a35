"""A dealer whose machine loses its power while it plays, and what the journal's disk keeps of it.

Half the moments are those of :mod:`hil_tests.kills.at_held_lines`, in which the disk is idle. The
others are within a commit: just before a card leaves, the button is pressed or an entry is sent,
the disk is set to fail at one of its next requests, behind the first one and as far as the last
event of this kind went. A cut that has not come when the event is acknowledged, or the entry
answered, is cancelled.

QEMU is killed, what its disk had not flushed is kept or lost by chance, and the machine starts
under another boot id; the supervisor then checks the table and lets play go on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hil_tests.bench.interface import Json
from hil_tests.benches.vm.disk import INSIDE
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.kills.at_held_lines import HeldLineDealer
from hil_tests.kills.killable_dealer import GONE_S, Account
from hil_tests.kills.rounds import KilledRounds, kill_setup, running
from hil_tests.tables.strategy import DISTURBED

OFTEN: Final = 0.5
SPIN_MS: Final = 400
"""Shorter than the controller waits for a unit that is deaf while it spins."""

BY_THE_DISK: Final = 0.6
"""The number of cuts at a card or a press that are the disk's. None is while the button is being
armed; with those it is about half of all."""
OF_ENTRIES: Final = 0.1
"""The number of entries that meet a cut by the disk."""
WRITE_AND_FLUSH: Final = 2
"""Requests of the shortest commit; one for which the journal's file grows has five, an entry that
waits for the gate two commits, a press three."""

PLANNED: Final = "planned"
CALLED: Final = {"card": "a card", "press": "a press", "entry": "an entry"}


class PowerCutDealer(HeldLineDealer):
    """``cut`` where the others are killed."""

    bench: VmBench

    def __init__(self, bench: VmBench, source: random.Random, chance: float) -> None:
        super().__init__(bench, source, chance)
        self._disk = bench.machine.disk
        self._planned = ""
        self._made: dict[str, int] = {}

    def kill_point(self) -> str:
        """The moment; where the disk made it, how far a commit was."""
        where = self._disk.failed
        return f"the commit of {CALLED[self._planned]}, {where}" if where else super().kill_point()

    def ensure_killed(self) -> None:
        """The machine loses its power."""
        if not self.bench.was_killed():
            self.bench.power_cut()

    def start(self) -> None:
        """It has power again."""
        self.account.in_commit += self._disk.failed in INSIDE
        self._made.clear()  # the log is begun anew: for a time its file does not grow
        self.bench.power_on()

    def restart_controller(self) -> None:
        """Until the table is as it was, and the supervisor has said so."""
        super().restart_controller()
        while (state := self.status)["held"]:
            assert set(state["held"]["faults"]) <= DISTURBED, state["held"]
            self.supervisor("resume", why="cards and wagers lie as they did")
        if state["state"].startswith("deal.") and "done" in state["permitted"]:
            self.bench.control.dealer("done")  # wagers may be taken back: nobody does

    # ---- cuts by the disk ---------------------------------------------------------------------

    def card(self, **marks: bool) -> str:
        """The next card."""
        with self._cut_within("card"):
            return super().card(**marks)

    def press(self) -> int:
        """The press, until the meter is read."""
        with self._cut_within("press"):
            return super().press()

    def enter(self, command: str) -> Json:
        """An entry."""
        with self._cut_within("entry"):
            return super().enter(command)

    @contextmanager
    def _cut_within(self, what: str) -> Iterator[None]:
        """What the disk is told in here is for this event only; what it is asked is counted."""
        before, died = self._disk.requests, self.account.kills
        try:
            yield
        finally:
            if not self._disk.spare():  # it has come behind the event
                assert self.bench.was_killed(GONE_S)
                self.restart_controller()
        if self.account.kills == died:
            self._made[what] = self._disk.requests - before

    def before_action(self, what: str) -> None:
        """Perhaps the disk is told when to fail; then nothing is held back."""
        if not self._is_the_disks(what):
            super().before_action(what)
            return
        if what == "press" and self._way != PLANNED:
            self._at_press.append(self._way)  # its turn comes at the next press
        if what != "entry":
            self._way = PLANNED
        self._planned = what
        most = max(self._made.get(what, 0), WRITE_AND_FLUSH)
        self.bench.power_cut_at(self._random.randint(WRITE_AND_FLUSH, most))

    def after_action(self, what: str) -> None:
        """Kill, where that is not left to the disk."""
        if self._way != PLANNED:
            super().after_action(what)

    def _is_the_disks(self, what: str) -> bool:
        if what == "entry":
            return self._by_chance(OF_ENTRIES)
        return self._way == PLANNED or (self._way != "" and self._by_chance(BY_THE_DISK))


def cut(rules: str, seed: int, cuts: int) -> Account:
    """A fresh table, and at least that number of power cuts."""
    source = random.Random(seed)
    bench = VmBench(kill_setup(rules, seed, SPIN_MS))
    with running(PowerCutDealer(bench, source, OFTEN)) as dealer:
        return KilledRounds(dealer, source).play_until_killed(cuts)
