"""The scrubber, step by step: what it walks over and tells of, and a failure nobody foresaw."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.daemon.journaling.keeping import Keeping
from controller.evidence.scrub import STEP, Walk
from controller.evidence.tree.growing import GrowingTree
from controller.forms.json_values import checked
from controller.journal.errors import DiskFailed
from controller.journal.reader import JournalReader
from controller.upkeep import scrubber as scrubbing
from controller.upkeep.copier import POLL_S
from controller.upkeep.scrubber import PAUSE_S, Stepping
from tests.daemon.journaling.copied import bench, end
from tests.daemon.process import Place
from tests.journal.helpers import WALL, entry, forging, opened


def walks_of(keeping: Keeping) -> int:
    return checked(int, checked(dict[str, object], keeping.facts()["scrub"])["walks"])


def test_a_walk_rests_and_is_begun_again(tmp_path: Path) -> None:
    with bench(tmp_path, 2 * STEP + 3) as table:
        table.copier.step()
        rests = [table.scrubber.step() for _ in range(2)]
        assert all(rests)
        assert table.scrubber.facts == {"walks": 0, "checked": 2 * STEP, "fault": None}
        assert table.scrubber.step() == PAUSE_S
        assert table.told == [("journal-damaged", "every entry was looked at again", False)]
        rests = [table.of_copy.step() for _ in range(3)]
        assert rests[-1] == PAUSE_S
        assert table.told[1:] == [("copy-damaged", "every entry was looked at again", False)]
        assert table.scrubber.facts == {"walks": 1, "checked": 2 * STEP + 3, "fault": None}
        # With damage standing from before it hurries, until it has been over everything once.
        again = table.scrub(hurried=True)
        assert [again.step() for _ in range(3)] == [0.0, 0.0, PAUSE_S]
        assert 0 < again.step() < PAUSE_S
        end(again)


def test_a_walk_that_a_table_waits_for_is_soon_begun_anew(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody speaks to a device until it is over: an error that passes must not cost an hour."""
    passing = [
        DiskFailed("it cannot be opened"),
        sqlite3.OperationalError("disk I/O error"),
        OSError(5, "Input/output error"),
    ]
    then = [passing[0], None, *passing[1:], None, None, passing[1]]
    really = Walk.step

    def step(walk: Walk) -> None:
        if error := then.pop(0):
            raise error
        really(walk)

    mocker.patch.object(Walk, "step", step)
    with bench(tmp_path, STEP + 3) as table:
        hurried = table.scrub(hurried=True)
        wanted = [60.0, 0.0, 60.0, 60.0, 0.0, PAUSE_S]
        assert [hurried.step() for _ in range(6)] == wanted
        assert table.told == [("journal-damaged", "every entry was looked at again", False)]
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 3
        for error, text in zip(passing, said, strict=True):
            assert f"{table.state} could not be looked at whole: {error}. No device" in text
            assert "tried again in 60 s" in text
        assert hurried.step() == PAUSE_S  # nobody waits for this one
        ended = table.scrub(hurried=True)
        ended.stop()
        then.append(sqlite3.OperationalError("interrupted"))
        assert ended.step() == PAUSE_S
        assert len(caplog.records) == 3


def test_damage_is_told_once(tmp_path: Path) -> None:
    with bench(tmp_path, 9) as table:
        table.copier.step()
        for place in (table.state, table.copy):
            with forging(place) as connection:
                connection.execute("UPDATE entry SET body = '{}' WHERE seq = 4")
        scrubbers = table.scrubber, table.of_copy
        assert [one.step() for one in scrubbers * 3] == [PAUSE_S] * 6
        told = "entry 4 was changed, or does not follow from the entry before it"
        assert table.told == [("journal-damaged", told, True), ("copy-damaged", told, True)]
        assert [one.facts["fault"] for one in scrubbers] == [
            f"{table.state}: {told}",
            f"{table.copy}: {told}",
        ]


def test_a_file_exchanged_under_the_running_table_is_found(tmp_path: Path) -> None:
    with bench(tmp_path, 9) as table:
        shutil.copytree(table.state, tmp_path / "older")
        table.play(1)
        other = table.scrub(tmp_path / "older")
        assert other.step() == PAUSE_S
        end(other)
        told = "entry 10, made durable by this process, is not in it"
        assert table.told == [("journal-damaged", told, True)]


def test_a_place_that_is_not_there_yet_is_no_damage(tmp_path: Path) -> None:
    with bench(tmp_path, 1) as table:
        assert table.of_copy.step() == PAUSE_S  # there is no copy so far
        assert table.told == []


def test_a_copy_that_is_written_to_again_meanwhile_is_no_damage(tmp_path: Path) -> None:
    with bench(tmp_path, 3 * STEP) as table:
        table.copier.step()
        end(table.copier)  # its medium was away, and has just come back
        table.of_copy.step()  # a step into the copy, which is at rest
        table.play(3 * STEP)
        assert table.copier.step() == POLL_S
        with forging(table.copy) as connection:  # pages change under the reader's hands
            connection.execute("UPDATE entry SET wall = 'x' WHERE seq > ?", (STEP,))
            connection.execute("PRAGMA wal_checkpoint")
        while table.of_copy.step() != PAUSE_S:
            pass
        assert [told for told in table.told if told[2]] == []


def test_a_copy_that_hangs_does_not_keep_the_journal_from_being_looked_at(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    config = load_configuration(Place(tmp_path, copied=True).configuration)
    mocker.patch.object(scrubbing, "PAUSE_S", 0.001)
    go, asked = threading.Event(), threading.Event()

    def read(place: Path) -> JournalReader:
        if place == config.copy:
            asked.set()
            go.wait()
        return JournalReader(place)

    mocker.patch.object(scrubbing, "JournalReader", read)

    async def live() -> Any:
        walked = asyncio.Event()

        def tell(_: object) -> None:
            if asked.is_set() and walks_of(keeping) > walks:
                walked.set()

        with opened(config.state_directory) as journal:
            journal.append([entry("open")], 1, WALL)
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            try:
                keeping.start(tell, {}, GrowingTree(config.state_directory, None))
                assert await asyncio.to_thread(asked.wait, 20)
                walks = walks_of(keeping)
                await asyncio.wait_for(walked.wait(), 20)
                return keeping.facts()["scrub"]
            finally:
                go.set()
                keeping.close(time.monotonic() + 10)

    assert asyncio.run(live())["fault"] is None


class Failing(Stepping):
    """Fails once, as nobody has foreseen."""

    def __init__(self) -> None:
        super().__init__("failing")
        self.steps = self.rests = 0
        self.went_on = threading.Event()

    def step(self) -> float:
        self.steps += 1
        if self.steps == 1:
            raise KeyError("nobody thought of it")
        self.went_on.set()
        return 60.0

    def _rest(self) -> float:
        self.rests += 1
        return 60.0


def test_it_is_told_and_begun_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scrubbing, "AGAIN_S", 0.0)
    work = Failing()
    work.start()
    assert work.went_on.wait(20)
    work.stop()
    work.join(time.monotonic() + 20)
    assert "failing failed; it is begun again" in caplog.text
    assert work.rests == 2
