"""A bench that is kept from scenario to scenario, as long as each leaves its table idle.

A table that a strategy can bring to a named state need not be set up again for every scenario: on a
slow bench that is most of the time. After a scenario that fails, the bench is closed and the next
scenario gets a new one. When a bench is closed, its journal is verified: every event of its devices
is there once, every press has its one draw. Nothing of it may be left behind on this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from hil_tests.bench.interface import Bench
from hil_tests.bench.processes import tablectl
from hil_tests.leftovers import leaving_nothing
from hil_tests.tables.journal import draw_errors, exported_entries, numbering_errors
from hil_tests.tables.strategy import TableStrategy


class ReusedBench:
    """Opens a bench when one is wanted."""

    def __init__(
        self,
        open_bench: Callable[[], Bench],
        strategy: Callable[[Bench], TableStrategy] = TableStrategy,
    ) -> None:
        self._open_bench = open_bench
        self._make_strategy = strategy
        self._undo = ExitStack()
        self._strategy: TableStrategy | None = None

    def strategy(self) -> TableStrategy:
        """Somebody at a table that is idle."""
        if self._strategy is None:
            self._undo.enter_context(leaving_nothing())
            bench = self._undo.enter_context(self._open_bench())
            self._strategy = self._make_strategy(bench)
            self._strategy.dealer.wait_for_devices()
        assert self._strategy.phase == "idle", self._strategy.phase
        return self._strategy

    def rest(self) -> None:
        """Nobody is at the table for a while, which may be longer than a connection lasts.

        Raises:
            AssertionError: the controller has logged what it must not, during the scenario that
                ends here; the bench is closed.
        """
        assert self._strategy
        if self._strategy.bench.complaints():
            self.give_up()
        else:
            self._strategy.bench.hang_up()

    def give_up(self) -> None:
        """A scenario has failed."""
        self._strategy = None
        self._undo.close()

    def close(self) -> None:
        """The journal of the last table is well."""
        strategy, self._strategy = self._strategy, None
        with self._undo:
            if strategy is None:
                return
            vkey = strategy.bench.tablectl("journal", "checkpoint", "--vkey").stdout.strip()
            assert strategy.bench.stop_controller() == 0
            state = strategy.bench.state_directory
            by_key = ("--key", vkey)  # no file of keys is on this machine
            verified = tablectl("journal", "verify", "--state", str(state), *by_key)
            assert verified.returncode == 0, verified.stdout + verified.stderr
            entries = exported_entries(state)
            assert not (wrong := [*numbering_errors(entries), *draw_errors(entries)]), wrong
