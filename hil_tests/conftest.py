"""Tables for scenarios, and what holds for every test: nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup
from hil_tests.leftovers import _nothing_left_behind
from hil_tests.people.dealer import Dealer
from hil_tests.rig.opening import MakeBench, MakeDealer, met, open_bench
from hil_tests.rig.plugin import BENCH
from hil_tests.rig.report import wanted

__all__ = ["_nothing_left_behind"]


@pytest.fixture
def make_bench(pytestconfig: pytest.Config) -> MakeBench:
    """A table so set up on the bench that was chosen, not yet opened."""
    captured = wanted(pytestconfig)
    return lambda setup: open_bench(pytestconfig.stash[BENCH], setup, captured=captured)


@pytest.fixture
def bench(make_bench: MakeBench) -> Iterator[Bench]:
    """A fresh table with everything plugged in."""
    with make_bench(Setup()) as made:
        yield made


@pytest.fixture
def dealer(bench: Bench, pytestconfig: pytest.Config) -> Dealer:
    """The dealer at a fresh table, once every device is there."""
    dealer = Dealer(bench)
    dealer.wait_for_devices()
    met(pytestconfig, bench)
    return dealer


@pytest.fixture
def table(make_bench: MakeBench, pytestconfig: pytest.Config) -> Iterator[MakeDealer]:
    """Makes dealers at fresh tables that are set up otherwise: ``table(rules=RWS)``, or by a whole
    set-up."""
    with ExitStack() as undo:

        def make_dealer(whole: Setup | None = None, **setup: Any) -> Dealer:
            dealer = Dealer(undo.enter_context(make_bench(whole or Setup(**setup))))
            dealer.wait_for_devices()
            met(pytestconfig, dealer.bench)
            return dealer

        yield make_dealer
