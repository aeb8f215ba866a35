"""A bench and a table, kept from test to test, whose journals are checked at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.setup import Setup, setup_for
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.leftovers import leaving_nothing
from hil_tests.people.dealer import Dealer
from hil_tests.tables.comparison import (
    draw_errors,
    exported_entries,
    numbering_errors,
    stop_and_verify,
    unsound,
)
from hil_tests.tables.strategy import TableStrategy


class ReusedBench:
    """A bench that is kept from scenario to scenario, as long as each leaves its table idle: on a
    slow bench setting it up is most of the time. After a scenario that fails the next one gets a
    new bench. When one is closed, its journal is verified, and nothing of it may be left behind."""

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
            entries = exported_entries(stop_and_verify(strategy.bench))
            assert not (wrong := [*numbering_errors(entries), *draw_errors(entries)]), wrong


LIMITS: dict[str, Any] = {"min": 1, "max": 100_000, "increment": 0.01}
"""Limits of a script that names none."""


People = TypeVar("People", bound=Dealer)


def setup_with(rules: str, limits: dict[str, Any]) -> Setup:
    """The table for scripts of a document and these limits; its meter takes no time."""
    bounds = (limits["min"], limits["max"])
    increment = limits["increment"]
    # A script without box_max knows none, a table of RWS Pontoon Plus has its maximum then.
    box_limits = {"box_max": 3 * limits["max"]}
    box_limits |= {name: limits[name] for name in ("box_max", "player_max") if name in limits}
    return setup_for(
        rules,
        limits=bounds,
        box_limits=box_limits,
        side_limits=bounds,
        increment=increment,
        spin_ms=0,
    )


class ReusedTable(Generic[People]):
    """A table that is kept from round to round; a context manager. When it is closed, its journal
    must be well (:meth:`check_journal`)."""

    def __init__(self, setup: Setup, people: type[People]) -> None:
        self._people = people
        self._setup = setup
        self._start()

    def _start(self) -> None:
        self.settled: list[Json] = []
        self._bench = VirtualBench(self._setup)
        self._bench.set_up()
        self._dealer = self._people(self._bench)
        self._dealer.wait_for_devices()
        assert self._dealer.state == "idle"  # the connection is made here, not within a test

    def clear(self, state: Json) -> None:
        """A round has come to this; the table is cleared for the next one."""
        self.settled.append(state)
        self._dealer.next()

    @contextmanager
    def round(self) -> Iterator[People]:
        """The dealer for one round; after one that goes wrong the next gets a new table."""
        try:
            yield self._dealer
        except BaseException:
            self._bench.close()
            self._start()
            raise

    def close(self) -> None:
        """Put the table away; its journal must be well."""
        try:
            shoe = self._dealer.shoe.look()
            assert self._bench.stop_controller() == 0
            complaints = self._bench.complaints()
            assert not complaints, complaints
            self.check_journal(self._bench.state_directory, shoe)
        finally:
            self._bench.close()

    def check_journal(self, state: Path, _: Json) -> None:
        """The journal of the stopped table, and how its shoe looked in the end."""
        assert not (wrong := list(unsound(self.settled, state))), wrong

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self._bench.close()
