"""To which gaming day a round belongs: the hour, restarts, what is taken back, wrong clocks."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from functools import partial

import pytest
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from controller.counters.belonging import ByDay, Moment
from controller.counters.figures import Money
from controller.files.rules import rule_files
from controller.game.round.refusal import Refused
from controller.table.events.reading import read_event
from tests.counters.kept import ZONE, Kept
from tests.table.live.driver import Live, settings
from tests.table.live.test_anything import AnyTable


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """A time in November, on the wall."""
    return datetime(2026, 11, day, hour, minute, tzinfo=ZONE)


def bet(table: Live, wager: str = "10") -> None:
    table.say("open", f"wager 1 main {wager}", "close")


def lose(table: Live) -> None:
    """Box 1 draws to 24."""
    table.deal("KC 8D 5C 9D")
    assert table.state == "settled"


def begun(when: datetime, **more: str) -> tuple[Live, Kept]:
    table, kept = Live(**more), Kept(when)
    kept.follow(table)
    return table, kept


def restart(table: Live, boot: str, **more: str) -> None:
    """The controller starts, and every device answers."""
    table.restart(boot, settings(**more))
    table.shoe((1, 384))
    while table.table.hold is not None:
        table.order("continue" if table.table.holds.irregular else "resume")


def a_round(table: Live, kept: Kept, when: datetime) -> None:
    kept.at = when
    bet(table)
    lose(table)
    table.say("next")
    kept.follow(table)


def test_a_round_belongs_to_the_day_in_which_it_was_opened() -> None:
    """Opened at 5:59 of the 26th, which is the 25th's night; settled at 6:10, and cleared at 6:20.
    What comes then is the 26th's."""
    table, kept = begun(at(26, 5, 50))
    kept.at = at(26, 5, 59)
    bet(table)
    kept.follow(table)
    kept.at = at(26, 6, 10)
    lose(table)
    kept.follow(table)
    kept.at = at(26, 6, 20)
    table.say("next")
    kept.follow(table)
    assert kept.rounds() == {25: 1, 26: 0}
    night = kept.day(25)
    assert night is not None
    assert (night.figures.cards, night.shoes) == (4, 1)
    assert night.until == "2026-11-25T20:20:00.000+00:00"
    a_round(table, kept, at(26, 6, 30))
    assert kept.rounds() == {25: 1, 26: 1}
    kept.check_sums()


def test_a_round_that_is_cleared_with_the_next_open_belongs_likewise() -> None:
    table, kept = begun(at(26, 5, 50))
    bet(table)
    lose(table)
    kept.follow(table)
    kept.at = at(26, 6, 1)
    bet(table)
    lose(table)
    kept.follow(table)
    assert kept.rounds() == {25: 1, 26: 1}
    kept.check_sums()


def test_an_open_that_was_taken_back_opens_nothing() -> None:
    """Over 6:00 the next round is opened, taken back, and the one before is corrected: 9D was a 4,
    so box 1 has 19. It stands, and wins with 19 against 18. All that is of the 25th."""
    table, kept = begun(at(26, 5, 50))
    bet(table)
    lose(table)
    kept.follow(table)
    kept.at = at(26, 6, 1)
    table.say("open", "wager 1 main 20", "undo", "undo")
    kept.follow(table)
    table.play("sue: correct 4 4D", "sue: done", "stand 1", "KH")
    kept.follow(table)
    kept.at = at(26, 6, 5)
    bet(table, "30")
    kept.follow(table)
    assert kept.rounds() == {25: 1, 26: 0}
    day = kept.day(25)
    assert day is not None
    assert day.figures.money == {"main": Money(1, 0, 1000, 2000)}
    assert day.figures.corrections == {"Sue": 1}
    lose(table)
    kept.follow(table)
    assert kept.rounds() == {25: 1, 26: 1}
    kept.check_sums()


def test_a_correction_that_brings_a_round_back_is_that_rounds_day() -> None:
    table, kept = begun(at(26, 5, 50))
    bet(table)
    lose(table)
    table.say("next")
    kept.follow(table)
    kept.at = at(26, 9)
    table.play("sue: correct 3 6C", "sue: done", "next")
    kept.follow(table)
    a_round(table, kept, at(26, 9, 5))
    first, second = kept.day(25), kept.day(26)
    assert first is not None
    assert second is not None
    assert (first.figures.corrections, second.figures.corrections) == ({"Sue": 1}, {})
    assert kept.rounds() == {25: 1, 26: 1}
    kept.check_sums()


def test_a_restart_leaves_the_round_in_its_day() -> None:
    """The power fails at 5:58 in mid-round; the table goes on at 6:30."""
    table, kept = begun(at(26, 5, 50))
    bet(table)
    kept.follow(table)
    kept.at, kept.boot, kept.ran_s = at(26, 6, 30), 2, 1.0
    restart(table, "boot-2")
    table.say("done")  # nobody takes his wager back
    lose(table)
    table.say("next")
    kept.follow(table)
    assert kept.rounds() == {25: 1, 26: 0}
    kept.check_sums()


@pytest.mark.parametrize(
    ("begins", "expected"),
    [("06:00", {25: 1, 26: 1}), ("00:00", {26: 2}), ("18:30", {25: 2})],
)
def test_the_hour_at_which_the_day_begins(begins: str, expected: dict[int, int]) -> None:
    table, kept = begun(at(26, 5, 55), day_begins=begins)
    a_round(table, kept, at(26, 5, 55))
    a_round(table, kept, at(26, 6, 5))
    assert {day: rounds for day, rounds in kept.rounds().items() if rounds} == expected


def test_the_hour_in_force_counts_by_value() -> None:
    """From 06:00 to 04:00 between two rounds at five o'clock."""
    table, kept = begun(at(26, 5))
    a_round(table, kept, at(26, 5, 10))
    restart(table, "boot-1", day_begins="04:00")
    kept.follow(table)
    a_round(table, kept, at(26, 5, 20))
    assert kept.rounds() == {25: 1, 26: 1}
    kept.check_sums()


def test_a_clock_that_steps_back_over_the_beginning_reopens_nothing() -> None:
    """6:10, then 5:40 and 5:50 again: the day before is over."""
    table, kept = begun(at(26, 5, 30))
    a_round(table, kept, at(26, 5, 40))
    a_round(table, kept, at(26, 6, 10))
    a_round(table, kept, at(26, 5, 40))
    a_round(table, kept, at(26, 6, 20))
    assert kept.rounds() == {25: 1, 26: 3}
    kept.check_sums()


def test_a_clock_that_is_wrong_by_days_is_taken_at_its_word() -> None:
    """After a power cut it is the 1st, until the clock is set: no round is lost or counted twice,
    and the 26th goes on."""
    table, kept = begun(at(26, 7))
    a_round(table, kept, at(26, 8))
    a_round(table, kept, at(1, 10))
    a_round(table, kept, at(26, 9))
    assert kept.rounds() == {26: 2, 1: 1}
    kept.check_sums()


def test_the_time_between_two_entries_is_shared_at_the_days_beginning() -> None:
    """Idle from four o'clock to ten: two hours are the 25th's, four the 26th's."""
    table, kept = begun(at(26, 4))
    kept.wait(6 * 3600)
    table.say("open")
    kept.follow(table)
    before, day = kept.day(25), kept.day(26)
    assert before is not None
    assert day is not None
    assert before.ran_ns == 2 * 3600 * 1_000_000_000
    assert day.ran_ns == 4 * 3600 * 1_000_000_000


def test_what_is_no_time_changes_no_day() -> None:
    belonging = ByDay()
    table = Live()
    moment = Moment(1, 0, "2026-11-26T02:00:00+00:00", at(26, 12))
    event = read_event("stop", {})
    assert belonging.span_of(event, moment, table.table) == at(26, 12).date()
    assert belonging.span_of(event, Moment(1, 5, "never", None), table.table) == at(26, 12).date()


# Whatever happens at a table ---------------------------------------------------------------------


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
