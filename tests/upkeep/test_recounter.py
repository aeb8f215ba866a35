"""Counters rebuilt from the journal while the table plays, and compared with those kept."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.daemon.journaling.keeping import Keeping
from controller.evidence.tree.growing import GrowingTree
from controller.faults.catalogue import CATALOGUE
from controller.journal import rows
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.recovery import recover
from controller.upkeep.closure import closing_steps
from controller.upkeep.scrubber import FEW, RECOUNT_S, Recounter
from controller.upkeep.successor import Beginning, Signatory
from tests.daemon.process import Place
from tests.journal.helpers import KEY, heads_of, opened
from tests.replay.test_recovery import play_on

Told = list[tuple[str, str, bool]]


@contextmanager
def recounting(state: Path) -> Iterator[tuple[Recounter, Told]]:
    told: Told = []
    recounter = Recounter(state, lambda fault, what, there: told.append((fault, what, there)))
    try:
        yield recounter, told
    finally:
        recounter.stop()
        recounter.join(time.monotonic() + 10)


def through(recounter: Recounter) -> int:
    """Until it rests; how many steps it took."""
    steps = 1
    while recounter.step() != RECOUNT_S:
        steps += 1
    return steps


def spoiled(state: Path, spoil: Callable[[CountedTable], object]) -> int:
    """A snapshot at the journal's end that has something else than was played; its number."""
    with JournalReader(state) as reader:
        [entry] = reader.iterate(reader.head.seq - 1)
    play = CountedTable.load(entry.body)
    spoil(play)
    return append(state, Draft("snapshot", play.dump()))


def three_presses_more(play: CountedTable) -> None:
    play.counters.kept.total.presses += 3


def append(state: Path, draft: Draft) -> int:
    with opened(state) as journal:
        journal.append([draft], journal.head.seq + 1, "2026-11-21T12:00:00+00:00")
        return journal.head.seq


def test_counters_that_are_as_played_are_no_news(tmp_path: Path) -> None:
    with recounting(tmp_path) as (recounter, told):
        play_on(tmp_path, 3)
        assert through(recounter) == 1  # there is no snapshot yet
        play_on(tmp_path, 3, snapshot=True)
        with JournalReader(tmp_path) as reader:
            entries = reader.head.seq
        assert through(recounter) == -(-entries // FEW)  # all since the beginning, in steps
        assert through(recounter) == 1  # it was compared
        play_on(tmp_path, 1, snapshot=True)
        assert 1 < through(recounter) < entries // FEW  # only what is between the last two
        assert told == []


def test_a_counter_that_is_wrong_is_named_with_the_difference(tmp_path: Path) -> None:
    play_on(tmp_path, 3, snapshot=True)

    seq = spoiled(tmp_path, three_presses_more)
    with recounting(tmp_path) as (recounter, told):
        through(recounter)
        [(fault, what, there)] = told
        assert (fault, there) == ("counters-differ", True)
        assert what.startswith(f"at entry {seq}: total presses: ")
        assert what.endswith(" by the journal, 3 too many")
        through(recounter)
        assert len(told) == 1  # once for each snapshot
        play_on(tmp_path, 1, snapshot=True)
        through(recounter)
        assert len(told) == 1


def test_a_table_that_is_wrong_is_told_as_such(tmp_path: Path) -> None:
    play_on(tmp_path, 3, snapshot=True)

    def spoil(play: CountedTable) -> None:
        play.table.course.round_number += 1

    seq = spoiled(tmp_path, spoil)
    with recounting(tmp_path) as (recounter, told):
        through(recounter)
    [(fault, what, _)] = told
    assert fault == "journal-differs"
    assert what.startswith(f"entry {seq} (snapshot): table.course.round_number is ")


def test_an_entry_that_does_other_things_is_told_as_such(tmp_path: Path) -> None:
    play_on(tmp_path, 3, snapshot=True)
    append(tmp_path, Draft("dealer", {"command": "open", "user": "x", "outcome": {"state": "no"}}))
    play_on(tmp_path, 0, snapshot=True)
    with recounting(tmp_path) as (recounter, told):
        through(recounter)
    [(fault, what, _)] = told
    assert fault == "journal-differs"
    assert "(dealer): " in what


@pytest.mark.parametrize("change", [{"engine": "0.1"}, {"format": 99}, {"table": {"no": 1}}])
def test_a_snapshot_that_is_not_ours_is_not_compared(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    play_on(tmp_path, 2, snapshot=True)
    with JournalReader(tmp_path) as reader:
        [entry] = reader.iterate(reader.head.seq - 1)
    append(tmp_path, Draft("snapshot", {**entry.body, **change}))
    with recounting(tmp_path) as (recounter, told):
        through(recounter)
        play_on(tmp_path, 1, snapshot=True)
        through(recounter)  # from one that is not ours
        assert told == []


def test_what_an_archived_journal_has_counted_is_not_missing_in_the_next(tmp_path: Path) -> None:
    state = tmp_path / "state"
    play_on(state, 3)
    with opened(state) as journal:
        play = recover(journal, journal.iterate).counted
    moment = Beginning("boot-1", 1, "2026-11-21T12:00:00+00:00")
    deque(closing_steps(state, play.dump(), moment, Signatory("P12", heads_of(state), KEY)), 0)
    with recounting(state) as (recounter, told):
        assert through(recounter) == 1
        play_on(state, 2, snapshot=True)
        assert through(recounter) > 1  # the next one is compared
        assert told == []


def test_a_disk_that_fails_while_it_is_replayed_is_asked_again(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    play_on(tmp_path, 3, snapshot=True)
    spoiled(tmp_path, three_presses_more)
    with recounting(tmp_path) as (recounter, told):
        failing = mocker.patch.object(rows, "pages", side_effect=sqlite3.OperationalError("I/O"))
        assert recounter.step() == RECOUNT_S
        mocker.stop(failing)
        through(recounter)
    assert [fault for fault, _, _ in told] == ["counters-differ"]


def test_a_journal_that_cannot_be_read_is_the_scrubbers(tmp_path: Path) -> None:
    with recounting(tmp_path / "nowhere") as (recounter, told):
        assert recounter.step() == RECOUNT_S
        assert told == []


def test_it_is_told_to_the_table_by_a_thread_of_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path)
    play_on(place.state, 3, snapshot=True)

    def spoil(play: CountedTable) -> None:
        play.counters.kept.total.cards -= 1

    spoiled(place.state, spoil)

    async def live() -> str:
        loop = asyncio.get_running_loop()
        told: asyncio.Future[str] = loop.create_future()

        def tell(found: Any) -> None:
            if found.fault == "counters-differ" and found.present:
                told.set_result(found.detail)

        with opened(place.state) as journal:
            keeping = Keeping(load_configuration(place.configuration), journal, loop)
            try:
                keeping.start(tell, {}, GrowingTree(place.state, None))
                return await asyncio.wait_for(told, 20)
            finally:
                keeping.close(time.monotonic() + 10)

    assert asyncio.run(live()).endswith(", 1 too few")


def test_what_differs_holds_the_next_round_until_somebody_says_why() -> None:
    fault = CATALOGUE["counters-differ"]
    assert (fault.severity.name, fault.clears.name) == ("BETWEEN", "NAMED")
