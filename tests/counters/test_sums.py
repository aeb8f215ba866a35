"""Whatever happens at a table: all shifts, and all days, add up to what the counters have in all.

Anything may happen, as in :mod:`tests.table.live.test_anything`; shifts change, and the clock on
the wall goes on, stands, and steps back.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from controller.files.rules import rule_files
from controller.game.round.refusal import Refused
from tests.counters.kept import Kept
from tests.table.live.test_anything import AnyTable


class AnyShift(AnyTable):
    """A table to which anything may happen, with a ledger."""

    def __init__(self, rules: str) -> None:
        super().__init__(rules)
        self.kept = Kept()

    def teardown(self) -> None:
        """The sums."""
        self.kept.follow(self.table)
        self.kept.check_sums()

    @rule(minutes=st.integers(-3000, 3000))
    def the_clock_shows(self, minutes: int) -> None:
        """Any time, behind what has happened so far."""
        self.kept.follow(self.table)
        self.kept.at += timedelta(minutes=minutes)
        self.kept.ran_s += abs(minutes) * 60

    @rule()
    def the_shift_changes(self) -> None:
        """Where it may."""
        with contextlib.suppress(Refused):
            self.table.say("next")
        with contextlib.suppress(Refused):
            self.table.order("shift", by="Ida")


@pytest.mark.parametrize("rules", rule_files())
def test_all_shifts_and_all_days_are_all_that_was_counted(rules: str) -> None:
    many = examples(max_examples=max(1, examples().max_examples // 10), stateful_step_count=30)
    machine = partial(AnyShift, rules)  # as good as a class of its own
    run_state_machine_as_test(machine, settings=many)  # type: ignore[arg-type]
