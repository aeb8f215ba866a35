"""The table that a strategy brings to a named state, kept from scenario to scenario."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from hil_tests.bench.setup import Setup
from hil_tests.leftovers import leaving_no_tasks, leaving_nothing
from hil_tests.rig.opening import met, open_bench
from hil_tests.rig.plugin import BENCH
from hil_tests.rig.report import wanted
from hil_tests.tables.reused_table import ReusedBench
from hil_tests.tables.strategy import DealtStrategy, TableStrategy


@pytest.fixture(autouse=True)
def _nothing_left_behind(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A scenario at a table of its own leaves nothing; one that lasts is looked at when it is put
    away (:mod:`hil_tests.tables.reused_table`)."""
    lasts = "rig" in request.fixturenames
    with leaving_no_tasks(monkeypatch), nullcontext() if lasts else leaving_nothing():
        yield


@pytest.fixture(scope="session")
def lasting(pytestconfig: pytest.Config) -> Iterator[ReusedBench]:
    """The table that lasts; opened by the first scenario that wants it."""
    bench = pytestconfig.stash[BENCH]
    setup, captured = Setup(spin_ms=bench.spin_ms), wanted(pytestconfig)
    strategy = DealtStrategy if "stacked" in bench.cannot else TableStrategy
    kept = ReusedBench(lambda: open_bench(bench, setup, captured=captured), strategy)
    yield kept
    kept.close()


@pytest.fixture
def rig(lasting: ReusedBench, request: pytest.FixtureRequest) -> Iterator[TableStrategy]:
    """Somebody who brings an idle table to a named phase, and plays the round out."""
    strategy = lasting.strategy()
    met(request.config, strategy.bench)
    failed = request.session.testsfailed
    yield strategy
    if request.session.testsfailed > failed or strategy.phase != "idle":
        lasting.give_up()
    else:
        lasting.rest()
