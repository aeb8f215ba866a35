"""Benches for scenarios, and what holds for every test: nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from hil_tests.bench import Setup
from hil_tests.dealer import Dealer
from hil_tests.pty_bench import PtyBench
from tests.conftest import _nothing_left_behind

__all__ = ["_nothing_left_behind"]

MakeDealer = Callable[..., Dealer]


@pytest.fixture
def bench() -> Iterator[PtyBench]:
    """A fresh table with everything plugged in."""
    with PtyBench() as made:
        yield made


@pytest.fixture
def dealer(bench: PtyBench) -> Dealer:
    """The dealer at a fresh table, once every device is there."""
    dealer = Dealer(bench)
    dealer.wait_for_devices()
    return dealer


@pytest.fixture
def table() -> Iterator[MakeDealer]:
    """Makes dealers at fresh tables that are set up otherwise: ``table(rules=RWS)``, or by a whole
    set-up."""
    with ExitStack() as undo:

        def make(whole: Setup | None = None, **setup: Any) -> Dealer:
            dealer = Dealer(undo.enter_context(PtyBench(whole or Setup(**setup))))
            dealer.wait_for_devices()
            return dealer

        yield make
