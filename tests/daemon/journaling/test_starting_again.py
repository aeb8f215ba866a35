"""When the daemon starts itself again to close its journal, and when it does not."""

from __future__ import annotations

import asyncio
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.control.client import ControlClient
from controller.daemon.outside import Outside
from controller.daemon.quiet_moments import AGAIN_S, LOOK_S, TRIED, Closing
from controller.daemon.service_manager import AGAIN_US
from controller.journal.reader import closed_files
from tests.daemon.journaling.aged import LONG_AGO, NOW, awake, outside, play_at, well, with_archive
from tests.daemon.process import Place, running

WATCHED = {"WATCHDOG_USEC": "10000000"}
HURRIED = "tests.daemon.journaling.hurried"


def test_a_quiet_table_starts_itself_again_and_the_journal_is_closed(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """The same process, ready twice: its manager sees no stop."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(datetime.now(UTC) - timedelta(days=40), mocker, place, "open")
    with running(place, WATCHED, HURRIED, anew=True) as daemon:
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
    file.with_name(f"{file.name[:40]}.sqlite3").write_bytes(file.read_bytes())  # by somebody's hand
    assert closed_files(place.state, bytes.fromhex(file.name[8:40])) == [file]
    assert well(file.parent, file.name) < well(place.state)


def test_a_stop_counts_while_it_starts_itself_again(tmp_path: Path, mocker: MockerFixture) -> None:
    """The service manager would wait for its end, and then kill it."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(datetime.now(UTC) - timedelta(days=40), mocker, place, "open")
    with running(place, WATCHED, HURRIED, anew=True) as daemon:
        with ControlClient(place.socket) as client:
            client.dealer("undo")
        daemon.until(f"WATCHDOG_USEC={AGAIN_US}")  # it is ending, to start again
        status, _ = daemon.stop()
    assert status in (0, -signal.SIGTERM)


async def test_a_new_journal_is_due_without_another_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that runs for months has no starts."""
    monkeypatch.setenv(TRIED, "")  # which it sets
    place, again = Place(tmp_path), []
    with_archive(place, after_days=30)
    config = load_configuration(place.configuration)
    loop, wall = asyncio.get_running_loop(), [LONG_AGO]
    told = replace(outside(LONG_AGO), wall=lambda: wall[0])
    async with awake(place, told) as runtime:
        looking = Closing(config, runtime.owner, told, loop, None, lambda: again.append(1))
        looking._stored_at -= 1000.0
        for wall[0] in (LONG_AGO + timedelta(days=29), NOW):
            assert not again
            looking._look_whether_due()
        looking.close()
    assert again == [1]


@pytest.mark.parametrize("fault", ["copy-failing", "heads-failing"])
async def test_nothing_is_started_again_while_a_medium_fails(old: Place, fault: str) -> None:
    """A thread that hangs in it would keep the program from being started again."""
    loop = asyncio.get_running_loop()
    async with awake(old, outside(NOW)) as runtime:
        runtime.owner.condition(fault, "its medium does not answer")
        await runtime.owner.settled()
        config = load_configuration(old.configuration)
        looking = Closing(config, runtime.owner, outside(NOW), loop, LONG_AGO, pytest.fail)
        looking._stored_at -= 1000.0
        looking._look_whether_due()
        looking.close()


def test_where_that_closed_nothing_it_is_not_tried_again_for_hours(
    old: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def waits() -> float:
        loop = asyncio.get_running_loop()
        async with awake(old, outside(NOW)) as runtime:
            config = load_configuration(old.configuration)
            looking = Closing(config, runtime.owner, Outside(), loop, LONG_AGO, pytest.fail)
            looking.start()
            assert looking._timer is not None
            after_s = looking._timer.when() - loop.time()
            looking.close()
        return after_s

    assert asyncio.run(waits()) < LOOK_S + 1
    monkeypatch.setenv(TRIED, str(time.monotonic() - 60))
    assert AGAIN_S - 70 < asyncio.run(waits()) < AGAIN_S
    monkeypatch.setenv(TRIED, "noon")
    assert asyncio.run(waits()) < LOOK_S + 1
