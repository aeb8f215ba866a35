"""A clock that was ahead and was put right: a supervisor accepts it, once and for all."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control.handler import RequestRefused
from controller.control.protocol import Request
from controller.daemon.health.clock import EARLIEST
from controller.game.round.refusal import Refused
from controller.game.round.steps.step import Malformed
from controller.journal.reader import JournalReader
from tests.daemon.house import DEALER
from tests.daemon.journaling.aged import NOW, awake, outside
from tests.daemon.process import Place
from tests.table.live.driver import Live

AHEAD = NOW + timedelta(days=300)
ACCEPT = Request(1, "supervisor", "resume", "Sue", "the clock was a year ahead until this morning")


def start(
    place: Place, mocker: MockerFixture, *, ahead: bool, accept: bool = False
) -> dict[str, Any]:
    """The conditions after a start with that clock, and after the acceptance where one is given."""
    wall = AHEAD if ahead else NOW
    mocker.patch("controller.daemon.commits.committer.datetime").now.return_value = wall
    world = replace(outside(wall), synchronised=lambda: not ahead)

    async def live() -> dict[str, Any]:
        async with awake(place, world) as runtime:
            if accept:
                await runtime.handler.command(ACCEPT, DEALER)
            return dict((await runtime.handler.status())["conditions"])

    return asyncio.run(live())


def test_it_is_told_until_it_is_accepted_and_not_at_the_next_start(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    place = Place(tmp_path)
    assert start(place, mocker, ahead=False) == {}
    assert "nothing keeps it right" in start(place, mocker, ahead=True)["clock-ahead"]
    for _ in range(2):
        told = start(place, mocker, ahead=False)
        assert "the journal has an entry of 2027-12-26" in told["clock-unset"]
    assert start(place, mocker, ahead=False, accept=True) == {}
    assert start(place, mocker, ahead=False) == {}
    with JournalReader(place.state) as reader:
        entries = list(reader.iterate())
    [accepted] = [one for one in entries if one.type == "supervisor"]
    assert accepted.body["by"] == "Sue"
    assert accepted.body["after"] == {
        "state": "idle",
        "ended": ["clock-unset"],
        "notes": [f"supervisor: resume by Sue: {ACCEPT.why}"],
        "answered": [{"entry": 1}],
    }
    assert "clock-ahead" in start(place, mocker, ahead=True), "and looked at from then on"


def unset(live: Live) -> None:
    body = {"fault": "clock-unset", "present": True, "detail": "it shows 1970"}
    live.apply("condition", body)


def test_it_takes_a_name_a_reason_and_a_table_between_rounds() -> None:
    live = Live()
    with pytest.raises(Refused, match="not held"):
        live.order("resume", by="Sue", why="seen")
    unset(live)
    with pytest.raises(Malformed, match="needs who and why"):
        live.order("resume", by=None, why=None)
    live.say("open", "wager 1 main 50", "close")
    live.deal("9C")
    with pytest.raises(Refused, match="not held"):
        live.order("resume", by="Sue", why="seen")


def test_a_clock_that_was_never_set_is_not_accepted_and_no_entry_says_so(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    place, wall = Place(tmp_path), EARLIEST - timedelta(days=1)
    mocker.patch("controller.daemon.commits.committer.datetime").now.return_value = wall

    async def live() -> None:
        async with awake(place, outside(wall)) as runtime:
            with pytest.raises(RequestRefused, match="not held"):
                await runtime.handler.command(ACCEPT, DEALER)

    asyncio.run(live())
    with JournalReader(place.state) as reader:
        assert not any("'ended'" in str(entry.body["after"]) for entry in reader.iterate())
