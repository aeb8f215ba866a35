"""A table whose controller is killed at a planned commit."""

from __future__ import annotations

import random

from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.kills.commit_plan import Moment, Plan
from hil_tests.kills.killable_table import KillableTable


class CommitTable(KillableTable):
    """The controller is killed where ``plan`` says; make one with :meth:`at_bench`.

    Each start of the controller takes one moment of ``at_starts``, while there are any.
    """

    bench: VirtualBench

    def __init__(self, bench: VirtualBench, source: random.Random, plan: Plan) -> None:
        super().__init__(bench, source)
        self.plan = plan
        self.at_starts: list[Moment] = []

    @classmethod
    def at_bench(cls, bench: VirtualBench, source: random.Random) -> CommitTable:
        """A table at a bench whose controller is not yet started."""
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
