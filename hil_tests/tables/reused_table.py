"""A live table that is kept from round to round, and whose journal is checked at the end.

After a round that goes wrong the next one gets a new table. When a table is closed, its journal is
verified and replayed: every round in it must be as the table settled it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from controller.journal.reader import JournalReader
from controller.replay.replay import rounds_from
from hil_tests.bench.interface import Json
from hil_tests.bench.processes import tablectl
from hil_tests.bench.setup import Setup, setup_for
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer

LIMITS: dict[str, Any] = {"min": 1, "max": 100_000, "increment": 0.01}
"""Limits of a script that names none."""


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


def assert_journal_is_well(state: Path, settled: list[Json]) -> None:
    """The journal of a stopped table is well, and has its rounds as they were settled."""
    with JournalReader(state) as reader:
        played = list(rounds_from(reader.iterate()))
    for one, shown in zip(settled, played, strict=True):
        assert shown["round"] == one["round"]
        assert shown["settlements"] == one["settlements"]
        assert shown["dealer"] == one["dealer"]
    verified = tablectl("journal", "verify", "--state", str(state))
    assert verified.returncode == 0, verified.stdout + verified.stderr


class ReusedTable:
    """A table of one document and limits; a context manager."""

    def __init__(self, rules: str, limits: dict[str, Any], people: type[Dealer] = Dealer) -> None:
        self._people = people
        self._setup = setup_with(rules, limits)
        self._settled: list[Json] = []
        self._start()

    def _start(self) -> None:
        self._bench = VirtualBench(self._setup)
        self._bench.set_up()
        self._dealer = self._people(self._bench)
        self._dealer.wait_for_devices()
        assert self._dealer.state == "idle"  # the connection is made here, not within a test

    def settled(self, state: Json) -> None:
        """A round has come to this; the table is cleared for the next one."""
        self._settled.append(state)
        self._dealer.next()

    @contextmanager
    def round(self) -> Iterator[Dealer]:
        """The dealer for one round."""
        try:
            yield self._dealer
        except BaseException:
            self._bench.close()
            self._settled.clear()
            self._start()
            raise

    def close(self) -> None:
        """Put the table away; its journal must be well."""
        try:
            self._bench.stop_controller()
            complaints = self._bench.complaints()
            assert not complaints, complaints
            assert_journal_is_well(self._bench.state_directory, self._settled)
        finally:
            self._bench.close()

    def __enter__(self) -> ReusedTable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
