"""When the daemon closes its journal: at a start, and by starting itself again in a quiet time."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.model import ArchiveSettings
from controller.configuration.reading import load_configuration
from controller.control.client import ControlClient
from controller.daemon.journaling.closing import (
    AGAIN_S,
    LOOK_S,
    TRIED,
    Closing,
    close_if_due,
    due,
    first_written,
)
from controller.daemon.outside import Outside
from controller.daemon.service_manager import AGAIN_US
from controller.journal.checks.verify import verify
from controller.journal.copies.closing import ARCHIVE, closed_files
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from tests.daemon.process import Place, running
from tests.daemon.sealed import at_once, play, runtime_at

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=40)


def outside(wall: datetime, boot_id: str = "boot-1") -> Outside:
    return Outside(
        boot_id=lambda: boot_id, wall=lambda: wall, aside=at_once, room=lambda _: 1 << 40
    )


def play_at(wall: datetime, mocker: MockerFixture, place: Place, *commands: str) -> None:
    """Play with the clock of then."""
    clock = mocker.patch("controller.daemon.journaling.committer.datetime")
    clock.now.return_value = wall
    play(place, *commands, outside=outside(wall))
    mocker.stop(clock)


def with_archive(place: Place, **keys: int) -> None:
    lines = "".join(f"{key} = {value}\n" for key, value in keys.items())
    with place.configuration.open("a", encoding="utf-8") as file:
        file.write(f"[archive]\n{lines}")


def well(directory: Path, name: str = FILE_NAME) -> int:
    with JournalReader(directory, name) as reader:
        report = verify(reader)
        assert report.well, report.findings
        return report.last_seq


@pytest.fixture
def old(tmp_path: Path, mocker: MockerFixture) -> Place:
    """A table that was played at forty days ago, and closes its journal after thirty."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(LONG_AGO, mocker, place)
    return place


def closes(place: Place, wall: datetime = NOW) -> list[Path]:
    close_if_due(load_configuration(place.configuration), outside(wall))
    return closed_files(place.state)


@pytest.mark.parametrize(
    ("settings", "bytes_", "first", "why"),
    [
        (ArchiveSettings(), 1 << 40, LONG_AGO, ""),
        (ArchiveSettings(after_days=30), 0, LONG_AGO, "its first entry is 40 days old"),
        (ArchiveSettings(after_days=40), 0, LONG_AGO, ""),
        (ArchiveSettings(after_days=30), 0, None, ""),
        (ArchiveSettings(after_days=30), 0, NOW + timedelta(days=90), ""),
        (ArchiveSettings(after_bytes=5 << 20), (5 << 20) + 1, LONG_AGO, "it has 5 MiB"),
        (ArchiveSettings(after_bytes=5 << 20), 5 << 20, LONG_AGO, ""),
    ],
)
def test_it_is_due_by_age_or_size(
    settings: ArchiveSettings, bytes_: int, first: datetime | None, why: str
) -> None:
    assert due(settings, bytes_, first, NOW) == why


def test_a_start_closes_what_is_due(old: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    before = well(old.state)
    (file,) = closes(old)
    assert "for its first entry is 40 days old" in caplog.text
    assert well(file.parent, file.name) == before
    with JournalReader(old.state) as reader:
        assert first_written(reader) == NOW
    told = play(old, "open", "wager 1 main 10", outside=outside(NOW))
    assert told["held"] is None
    assert closes(old, NOW + timedelta(days=29)) == [file]
    assert well(old.state) > before


def test_nothing_is_closed_in_mid_round_and_what_is_open_goes_on(
    old: Place, mocker: MockerFixture
) -> None:
    play_at(LONG_AGO, mocker, old, "open", "wager 1 main 10")
    assert closes(old) == []
    told = play(old, outside=outside(NOW))
    assert (told["state"], told["boxes"]["1"]["wagers"]["a"]) == ("betting", {"main": "10.00"})


def test_without_the_section_nothing_is_closed(tmp_path: Path, mocker: MockerFixture) -> None:
    place = Place(tmp_path)
    play_at(LONG_AGO, mocker, place)
    assert closes(place) == []


def test_a_journal_without_a_head_is_left_and_the_table_opened(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    (old.state / "heads.jsonl").write_text("")
    assert closes(old) == []
    assert "and is not: no signed head of this journal stands" in caplog.text


def test_a_journal_is_left_while_its_second_copy_is_behind(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """A closed one is copied no more: what the copy has not would be in one place."""

    async def fails() -> None:
        with Journal(old.state, boot_id="boot-1") as journal:
            runtime = runtime_at(old, journal, outside(LONG_AGO))
            runtime.committer.start()
            runtime.owner.condition("copy-failing", "its medium does not answer")
            await runtime.owner.settled()
            await runtime.close()
            runtime.committer.close()

    asyncio.run(fails())
    config = load_configuration(old.configuration)
    close_if_due(replace(config, copy=old.folder / "copy"), outside(NOW))
    assert closed_files(old.state) == []
    assert "and is not: its second copy in" in caplog.text
    assert len(closes(old)) == 1, "there is no second copy any more"


def test_a_directory_that_another_process_owns_is_left(old: Place) -> None:
    with running(old):
        assert closes(old) == []


def test_a_cut_off_closing_is_tidied_up_behind(old: Place) -> None:
    archive = old.state / ARCHIVE
    archive.mkdir()
    os.link(old.state / FILE_NAME, archive / f"journal-00-{1:012d}-{2:012d}.sqlite3")
    closes(old, LONG_AGO)
    assert list(archive.iterdir()) == []


WATCHED = {"WATCHDOG_USEC": "10000000"}
HURRIED = "tests.daemon.journaling.hurried"


def test_a_quiet_table_starts_itself_again_and_the_journal_is_closed(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """The same process, ready twice: its manager sees no stop."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(datetime.now(UTC) - timedelta(days=40), mocker, place, "open")
    with running(place, WATCHED, HURRIED) as daemon:
        pid = daemon.process.pid
        assert closed_files(place.state) == []
        with ControlClient(place.socket) as client:
            client.dealer("undo")
        daemon.until(f"WATCHDOG_USEC={AGAIN_US}")
        daemon.until("READY=1", 2)
        assert daemon.told[-1] == "WATCHDOG_USEC=10000000", "it is watched as before"
        with ControlClient(place.socket) as client:
            assert client.status()["state"] == "idle"
        assert daemon.process.pid == pid
        assert not any(line.startswith("STOPPING") for line in daemon.told)
        status, log = daemon.stop()
    assert status == 0
    assert log.count("the controller starts again") == 1
    (file,) = closed_files(place.state)
    assert well(file.parent, file.name) < well(place.state)


def test_a_stop_counts_while_it_starts_itself_again(tmp_path: Path, mocker: MockerFixture) -> None:
    """The service manager would wait for its end, and then kill it."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(datetime.now(UTC) - timedelta(days=40), mocker, place, "open")
    with running(place, WATCHED, HURRIED) as daemon:
        with ControlClient(place.socket) as client:
            client.dealer("undo")
        daemon.until(f"WATCHDOG_USEC={AGAIN_US}")  # it is ending, to start again
        status, _ = daemon.stop()
    assert status in (0, -signal.SIGTERM)


def test_a_new_journal_is_due_without_another_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that runs for months has no starts."""
    monkeypatch.setenv(TRIED, "")  # which it sets
    place, again = Place(tmp_path), []
    with_archive(place, after_days=30)
    config = load_configuration(place.configuration)

    async def waits() -> None:
        loop, wall = asyncio.get_running_loop(), [LONG_AGO]
        with Journal(place.state, boot_id="boot-1") as journal:
            told = replace(outside(LONG_AGO), wall=lambda: wall[0])
            runtime = runtime_at(place, journal, told)
            first = first_written(journal)
            looking = Closing(config, runtime.owner, told, loop, first, lambda: again.append(1))
            runtime.committer.start()
            await runtime.begin()
            looking._stored_at -= 1000.0
            for wall[0] in (LONG_AGO + timedelta(days=29), NOW):
                assert not again
                looking._look()
            looking.close()
            await runtime.close()
            runtime.committer.close()

    asyncio.run(waits())
    assert again == [1]


def test_where_that_closed_nothing_it_is_not_tried_again_for_hours(
    old: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waits() -> float:
        loop = asyncio.get_running_loop()
        with Journal(old.state, boot_id="boot-1") as journal:
            runtime = runtime_at(old, journal, outside(NOW))
            config = load_configuration(old.configuration)
            looking = Closing(config, runtime.owner, Outside(), loop, LONG_AGO, pytest.fail)
            looking.begin()
            assert looking._timer is not None
            after_s = looking._timer.when() - loop.time()
            looking.close()
        return after_s

    assert asyncio.run(waits()) < LOOK_S + 1
    monkeypatch.setenv(TRIED, str(time.monotonic() - 60))
    assert AGAIN_S - 70 < asyncio.run(waits()) < AGAIN_S
    monkeypatch.setenv(TRIED, "noon")
    assert asyncio.run(waits()) < LOOK_S + 1
