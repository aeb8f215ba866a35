"""The sequence of a table: each pair of phase and trigger is decided and enforced."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from controller.table.sequence import ARROWS, MACHINE, PULLED, REFUSALS, check, may, pull
from controller.table.state.holds import Hold
from controller.table.state.parts import Phase
from controller.table.state.table import Table
from tests.table.live.driver import Live, dealt

TRIGGERS = {arrow.trigger for arrow in ARROWS}
PAIRS = [(phase, trigger) for phase in Phase for trigger in sorted(TRIGGERS)]
each_pair = pytest.mark.parametrize(("phase", "trigger"), PAIRS)


def standing_in(phase: Phase) -> Table:
    """A table that stands in that phase, held by nothing."""
    if phase in (Phase.PLAYING, Phase.ENDED):
        return dealt("9C 7D 5C" if phase is Phase.PLAYING else "KC 8D 5C 9D").table
    live = Live()
    match phase:
        case Phase.BETTING:
            live.say("open")
        case Phase.CLOSED:
            live.order("close-table")
        case Phase.SERVICE:
            live.order("service on")
    return live.table


@pytest.mark.parametrize("phase", Phase)
def test_a_table_can_stand_in_every_phase(phase: Phase) -> None:
    assert standing_in(phase).phase is phase


@each_pair
def test_every_pair_is_decided(phase: Phase, trigger: str) -> None:
    arrows = [arrow for arrow in ARROWS if (arrow.source, arrow.trigger) == (phase, trigger)]
    table = standing_in(phase)
    if arrows or trigger in PULLED:
        assert trigger in REFUSALS or trigger in PULLED
        return
    with pytest.raises(Refused) as refused:
        check(table, trigger, "hit 1")
    assert "{" not in refused.value.reason
    assert 0 < len(refused.value.short) <= 16


@each_pair
def test_the_machine_takes_what_may_be_and_nothing_else(phase: Phase, trigger: str) -> None:
    table = standing_in(phase)
    if may(table, trigger):
        pull(table, trigger)
        dests = {a.dest or phase for a in ARROWS if (a.source, a.trigger) == (phase, trigger)}
        assert table.phase in dests
        assert isinstance(table.phase, Phase)
    else:
        with pytest.raises(ValueError, match=trigger):
            pull(table, trigger)
        assert table.phase is phase


@pytest.mark.parametrize("trigger", ["open", "wager", "close", "next", "close_table", "step"])
def test_a_hold_forbids_what_goes_on(trigger: str) -> None:
    sources = {arrow.source for arrow in ARROWS if arrow.trigger == trigger}
    for phase in sources:
        table = standing_in(phase)
        assert may(table, trigger)
        table.holds.add(Hold("journal-differs", "it differs"))
        assert not may(table, trigger)
        with pytest.raises(ValueError, match=trigger):
            pull(table, trigger)


def test_a_hold_does_not_forbid_what_ends_or_puts_right() -> None:
    table = standing_in(Phase.PLAYING)
    table.holds.add(Hold("journal-differs", "it differs"))
    assert [trigger for trigger in sorted(TRIGGERS) if may(table, trigger)] == ["put_right", "void"]


def test_tables_share_one_machine_and_leave_nothing_in_it() -> None:
    tables = [standing_in(Phase.BETTING) for _ in range(3)]
    assert MACHINE.models == []
    assert not any(hasattr(table.course, "to_idle") or hasattr(table, "open") for table in tables)
