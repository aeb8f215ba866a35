"""Starts and ends of what keeps a journal: with a copy that is well, hangs or is gone."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.daemon.health.findings import FaultFinding
from controller.daemon.journaling import keeping as keeping_module
from controller.daemon.journaling.keeping import Keeping
from controller.evidence.scrub import STEP
from controller.evidence.tree.growing import GrowingTree
from controller.journal.reader import JournalReader
from controller.upkeep import copier as copying
from controller.upkeep import known_elsewhere
from controller.upkeep.known_elsewhere import JournalBehindCopy, must_not_be_gone
from controller.upkeep.second_copy import JournalCopy
from tests.daemon.journaling.copied import bench, end
from tests.daemon.process import Place
from tests.journal.helpers import WALL, check, entry, opened


def test_without_a_copy_what_was_wrong_with_it_is_over(tmp_path: Path) -> None:
    place = Place(tmp_path)
    told: list[FaultFinding] = []

    with opened(place.state) as journal, closing(asyncio.new_event_loop()) as loop:
        keeping = Keeping(load_configuration(place.configuration), journal, loop)
        stood = {"copy-failing": "gone", "disk-low": "9 days"}
        keeping.start(told.append, stood, GrowingTree(place.state, None))
        keeping.close(time.monotonic() + 10)
    assert told == [FaultFinding("copy-failing", "there is no second copy any more", False)]


def test_a_start_ends_what_stood_from_before(tmp_path: Path) -> None:
    place = Place(tmp_path, copied=True)
    config = load_configuration(place.configuration)

    async def live() -> str:
        over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def tell(found: FaultFinding) -> None:
            if found.fault == "copy-failing":
                over.set_result("there" if found.present else found.detail)

        with opened(place.state) as journal:
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            keeping.start(tell, {"copy-failing": "gone"}, GrowingTree(place.state, None))
            try:
                return await asyncio.wait_for(over, 20)
            finally:
                keeping.close(time.monotonic() + 10)

    assert asyncio.run(live()) == "the copy is level again"


class Hanging:
    """A medium of the copy that hangs until it is let go: opening it does not return."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.go = threading.Event()
        mocker.patch.object(copying, "JournalCopy", self._open)

    def _open(self, place: Path, reader: JournalReader) -> JournalCopy:
        self.go.wait()
        return JournalCopy(place, reader)


def test_a_start_does_not_wait_for_a_copy_that_hangs(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(keeping_module, "COMPARED_S", 0.01)
    hanging = Hanging(mocker)
    config = load_configuration(Place(tmp_path, copied=True).configuration)
    told: list[FaultFinding] = []

    async def live() -> None:
        level = asyncio.Event()

        def tell(found: FaultFinding) -> None:
            if found.fault == "copy-failing":
                told.append(found)
                if not found.present:
                    level.set()

        with opened(config.state_directory) as journal:
            journal.append([entry("open")], 1, WALL)
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            try:
                keeping.start(tell, {}, GrowingTree(config.state_directory, None))
                for _ in range(3):
                    await asyncio.sleep(0)
                assert told == [FaultFinding("copy-failing", "its medium does not answer", True)]
                hanging.go.set()
                await asyncio.wait_for(level.wait(), 20)
            finally:
                hanging.go.set()
                keeping.close(time.monotonic() + 10)

    asyncio.run(live())
    assert told[1:] == [FaultFinding("copy-failing", "the copy is level again", False)]
    assert check(tmp_path / "copy").last_seq == 1


def test_a_start_that_fails_otherwise_leaves_the_copy_alone(tmp_path: Path) -> None:
    config = load_configuration(Place(tmp_path, copied=True).configuration)
    with opened(config.state_directory) as journal, closing(asyncio.new_event_loop()) as loop:
        journal.append([entry("open")], 1, WALL)
        keeping = Keeping(config, journal, loop)
        keeping.close(time.monotonic() + 10)
    assert check(tmp_path / "copy").entries == 0


def test_no_journal_is_made_where_a_copy_hangs(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(known_elsewhere, "COMPARED_S", 0.01)
    config = load_configuration(Place(tmp_path, copied=True).configuration)
    go, size = threading.Event(), known_elsewhere._size

    def sized(path: Path) -> int | None:
        if path.parent == config.copy:
            go.wait()
        return size(path)

    mocker.patch.object(known_elsewhere, "_size", sized)
    with pytest.raises(JournalBehindCopy, match="does not answer"):
        must_not_be_gone(config)
    opened(config.state_directory).close()
    must_not_be_gone(config)  # there is one: the copy is not asked
    go.set()


def test_the_threads_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "POLL_S", 0.001)
    with bench(tmp_path, 5 * STEP) as table:
        table.copier.start()
        table.scrubber.start()
        table.of_copy.start()
        for _ in range(20):
            table.journal.append([entry("open")], table.cards, WALL)
        end(table.scrubber)
        end(table.of_copy)
        end(table.copier, 10)
        assert table.copier.facts["last"] == table.journal.head.seq
    assert [told for told in table.told if told[2]] == []
