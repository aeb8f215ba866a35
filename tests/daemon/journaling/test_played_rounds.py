"""Rounds out of a journal beside play: one search at a time, that rests, ends, and is ended."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.control.handler import BadCommand, RequestRefused, Unavailable
from controller.daemon.journaling import played_rounds
from controller.daemon.journaling.played_rounds import REST, PlayedRounds
from controller.forms.json_values import WrongForm
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.course.steps import told_round
from controller.replay.finding import FoundRound, find_course
from controller.sheets.dispute_page import dispute_page
from tests.replay.course.played import eventful, write
from tests.replay.test_recovery import play_on


@asynccontextmanager
async def book_of(state: Path, within_s: float = 60.0) -> AsyncIterator[PlayedRounds]:
    book = PlayedRounds(state)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played_rounds, "WITHIN_S", within_s)
        patch.setattr(played_rounds, "SHIFT_WITHIN_S", within_s)
        yield book
    book.stop()
    book.join(time.monotonic() + 10)


@pytest.fixture
def book(tmp_path: Path) -> AbstractAsyncContextManager[PlayedRounds]:
    return book_of(tmp_path)


async def test_rounds_are_told_by_number_from_the_snapshot_before_them(
    book: PlayedRounds, tmp_path: Path
) -> None:
    play_on(tmp_path, 3, snapshot=True)
    play_on(tmp_path, 2, snapshot=True)
    told = [(await book.round(number))["round"] for number in ("1", "4", "5", "last")]
    assert told == [1, 4, 5, 5]


@pytest.mark.parametrize("number", ["0", "6", "six", "-1", "1.5", "٣"])
async def test_a_round_that_is_not_there_is_no_request(
    book: PlayedRounds, tmp_path: Path, number: str
) -> None:
    play_on(tmp_path, 5)
    with pytest.raises(BadCommand, match=r"no round"):
        await book.round(number)
    assert (await book.round("5"))["round"] == 5  # and the next is answered


async def test_a_journal_that_cannot_be_read_is_refused(book: PlayedRounds) -> None:
    with pytest.raises(RequestRefused, match="holds no journal"):
        await book.round("1")
    for ask in (book.round, book.course, book.shift):  # which is no use to ask again later
        with pytest.raises(BadCommand):
            await ask("abc")


async def test_a_search_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    play_on(tmp_path, 1)

    async with book_of(tmp_path, within_s=0.0) as book:
        with pytest.raises(RequestRefused, match="takes too long: 'tablectl round show --state"):
            await book.round("1")


async def test_a_shift_is_told_by_number_or_day(book: PlayedRounds, tmp_path: Path) -> None:
    play_on(tmp_path, 3, snapshot=True)
    told = [(await book.shift(which))["rounds"] for which in ("present", "0", "2026-11-21")]
    assert told == [3, 3, 3]
    for which in ("1", "2026-11-23", "today"):
        with pytest.raises(BadCommand, match=r"no shift|nothing of the day"):
            await book.shift(which)


async def test_a_shift_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    play_on(tmp_path, 1)

    async with book_of(tmp_path, within_s=0.0) as book:
        with pytest.raises(RequestRefused, match="takes too long: 'tablectl shift report --state"):
            await book.shift("present")


class Gate:
    """A disk that hangs until ``open`` is set."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.open, self.asked = threading.Event(), threading.Event()
        self.readers = 0
        iterate = JournalReader.iterate

        def waits(
            reader: JournalReader, after: int = 0, upto: int | None = None
        ) -> Iterator[Entry]:
            self.readers += 1
            self.asked.set()
            assert self.open.wait(20)
            return iterate(reader, after, upto)

        mocker.patch.object(JournalReader, "iterate", waits)


async def test_one_is_looked_for_after_the_other(
    book: PlayedRounds, tmp_path: Path, mocker: MockerFixture
) -> None:
    play_on(tmp_path, 2)
    gate = Gate(mocker)
    first, second = (asyncio.ensure_future(book.round(number)) for number in ("1", "2"))
    assert await asyncio.to_thread(gate.asked.wait, 20)
    assert gate.readers == 1
    gate.open.set()
    assert [(await one)["round"] for one in (first, second)] == [1, 2]
    assert gate.readers == 2


async def test_a_disk_that_hangs_keeps_nobody_waiting(
    tmp_path: Path, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_on(tmp_path, 1)
    gate = Gate(mocker)
    monkeypatch.setattr(played_rounds, "LATE_S", 0.01)

    async with book_of(tmp_path, within_s=0.01) as book:
        for _ in range(2):
            with pytest.raises(RequestRefused, match="another round is still looked for"):
                await book.round("1")
        assert gate.readers == 1
        gate.open.set()


async def test_a_stop_ends_the_search(
    book: PlayedRounds, tmp_path: Path, mocker: MockerFixture
) -> None:
    play_on(tmp_path, 1)
    gate = Gate(mocker)
    asked = asyncio.ensure_future(book.round("1"))
    assert await asyncio.to_thread(gate.asked.wait, 20)
    book.stop()
    gate.open.set()
    with pytest.raises(RequestRefused, match="the controller stops"):
        await asked


async def test_no_room_for_a_thread_is_refused_and_the_next_one_is_served(
    book: PlayedRounds, tmp_path: Path, mocker: MockerFixture
) -> None:
    play_on(tmp_path, 1)
    full = mocker.patch.object(threading.Thread, "start", side_effect=RuntimeError("no room"))
    with pytest.raises(RequestRefused, match="no room"):
        await book.round("1")
    mocker.stop(full)
    assert (await book.round("1"))["round"] == 1


def test_it_rests_longer_than_it_works(mocker: MockerFixture) -> None:
    clock = mocker.patch.object(played_rounds, "time")
    clock.monotonic.side_effect = [0.0, 0.001, 0.003, 0.015]
    ended = mocker.Mock(is_set=lambda: False)
    pace = played_rounds._Paced(ended, until=1.0, command="round show")
    assert list(pace(iter([mocker.Mock(), mocker.Mock()])))
    ended.wait.assert_called_once_with(pytest.approx(REST * 0.003))


async def test_a_course_is_told_so_that_another_program_has_the_same(tmp_path: Path) -> None:
    write(eventful(), tmp_path)
    with JournalReader(tmp_path) as reader:
        found = find_course(reader, 1, list, told=True)
    assert isinstance(found, FoundRound)

    async with book_of(tmp_path) as book:
        told = told_round(json.loads(json.dumps(await book.course("1"))))
        with pytest.raises(BadCommand, match="no round 9"):
            await book.course("9")

    assert told[0]["settlements"] == found.result["settlements"]
    assert found.facts is not None
    ours = dispute_page(found.result, found.steps, found.facts)
    assert dispute_page(*told) == ours
    assert "correction" in ours.lower()


async def test_what_is_not_signed_is_not_proven(book: PlayedRounds, tmp_path: Path) -> None:
    play_on(tmp_path, 2)
    with pytest.raises(Unavailable, match="signs no journal"):
        await book.proof("1")
    book = PlayedRounds(tmp_path, heads=(tmp_path / "heads.jsonl", ()))
    with pytest.raises(RequestRefused, match=r"heads\.jsonl") as refused:
        await book.proof("1")
    assert refused.value.code == "cannot-be-proven"
    book.stop()
    book.join(time.monotonic() + 10)


def test_an_answer_of_another_form_is_told_apart() -> None:
    with pytest.raises(WrongForm, match="round"):
        told_round({"round": 1})
