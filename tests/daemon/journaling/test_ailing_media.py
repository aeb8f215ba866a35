"""The data medium is slow, full or read-only, under a process and at its start."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control.client import ControlClient, NoController
from controller.files.media import FreeRoom
from controller.journal.errors import DiskFailed, StateInUse
from controller.upkeep.reserve import BYTES, MORE, NAME, _keep_reserve, keep_room
from tests.daemon.journaling.test_copy_of_a_process import play_until_it_ends, small_disk, stands
from tests.daemon.process import Daemon, Place, refused, running
from tests.journal.helpers import opened

WATCHED = {"WATCHDOG_USEC": "10000000"}
SOURCE = Path(__file__).with_name("slow_sync.c")


@pytest.mark.needs("cc")
def test_a_slow_sync_is_waited_for_and_said(tmp_path: Path) -> None:
    """Nobody is told what is not stored; everybody is told why he waits."""
    library, says = tmp_path / "slow_sync.so", tmp_path / "milliseconds"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    says.write_text("0")
    place = Place(tmp_path)
    slow = {"LD_PRELOAD": str(library), "SLOW_SYNC": str(says), **WATCHED}
    with running(place, slow) as daemon, ThreadPoolExecutor(1) as dealer:
        with ControlClient(place.socket) as table, ControlClient(place.socket) as client:
            says.write_text("8000")
            answer = dealer.submit(table.dealer, "open")
            daemon.until("STATUS=the journal's disk has not stored for")
            says.write_text("0")
            daemon.told.clear()
            with pytest.raises(NoController, match="nothing is lost, and nothing is shown before"):
                client.status()
            assert answer.result()["state"] == "betting"
        with ControlClient(place.socket) as client:
            assert client.status()["state"] == "betting"
        daemon.until("STATUS=table T1")
        status, log = daemon.stop()
    assert status == 0
    assert " s what was entered: nothing is lost, everything waits for it" in log
    assert "the journal's disk has stored it, after" in log


@pytest.mark.needs("root", "mount")
def test_room_that_is_kept_lets_the_next_start_be_stored(tmp_path: Path) -> None:
    """Without it nothing could be: the table would be dark, and not held."""
    with small_disk(tmp_path / "disk", 80 << 10) as disk:
        place = Place(tmp_path, state=disk / "state")
        place.state.mkdir()
        with running(place) as daemon:
            assert (place.state / NAME).stat().st_blocks * 512 >= BYTES
            with (disk / "other").open("wb") as other:
                other.write(bytes(shutil.disk_usage(disk).free - 50_000))
            acknowledged, status, log = play_until_it_ends(place, daemon)
        assert (status, "its disk is full: 'df -h" in log) == (1, True)
        with running(place), ControlClient(place.socket) as client:
            assert not (place.state / NAME).exists()
            held: Any = client.status()["held"]
            assert held["faults"] == ["disk-full-soon"]
        assert stands(place) == acknowledged
        (disk / "other").unlink()
        with running(place), ControlClient(place.socket) as client:
            assert (place.state / NAME).exists()
            client.dealer("wager 2 main 10")


@pytest.mark.needs("root", "mount")
def test_a_start_on_a_read_only_disk_says_so_and_is_tried_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8 << 10) as disk:
        place = Place(tmp_path, state=disk / "state")
        with running(place):
            pass
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        status, log = refused(place)
        assert (status, log.count("its file system is read-only")) == (1, 1)
        assert "Traceback" not in log
        daemon = Daemon(place, WATCHED)  # it rests, so that its manager does not give it up
        daemon.until("STATUS=it waits: ")
        assert [line for line in daemon.told if line.startswith("EXTEND_TIMEOUT_USEC=3")]
        assert daemon.stop()[0] == 1
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        with running(place):
            pass
        place = Place(tmp_path, state=disk / "another")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert refused(place)[0] == 1


def test_a_process_that_was_killed_and_waits_for_its_disk_has_the_lock(tmp_path: Path) -> None:
    """It ends when the disk answers: the next start is tried again, and says what it waits for."""
    ended = subprocess.Popen(["true"])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # dead, and still there
    for pid, error in ((ended.pid, DiskFailed), (os.getpid(), StateInUse)):
        with (tmp_path / "lock").open("w") as lock:
            lock.write(f"{pid}\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pytest.raises(error, match=f"in use by process {pid}"):
                opened(tmp_path)
    ended.wait()


def test_no_room_is_kept_where_there_is_no_directory(tmp_path: Path) -> None:
    keep_room(tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_room_that_could_not_be_kept_whole_is_kept_at_the_next_start(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    mocker.patch("controller.upkeep.reserve.read_room", return_value=FreeRoom(1 << 40))
    allocate = mocker.patch("os.posix_fallocate", side_effect=OSError(5, "Input/output error"))
    keep_room(tmp_path)
    assert "no room is kept in" in caplog.text
    assert not list(tmp_path.iterdir())
    allocate.side_effect = KeyboardInterrupt  # and one that is cut off
    with pytest.raises(KeyboardInterrupt):
        _keep_reserve(tmp_path)
    mocker.stopall()
    mocker.patch("controller.upkeep.reserve.read_room", return_value=FreeRoom(1 << 40))
    keep_room(tmp_path)
    kept = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert kept == {NAME: BYTES, **dict.fromkeys(MORE, 0)}


@pytest.mark.needs("root", "mount")
def test_inodes_that_are_kept_let_the_next_start_make_its_files(tmp_path: Path) -> None:
    """Somebody's many small files take them all; there is room for gigabytes."""
    with small_disk(tmp_path / "disk", 200 << 10, inodes=60) as disk:
        place = Place(tmp_path, state=disk / "state")
        place.state.mkdir()
        with running(place) as daemon, ControlClient(place.socket) as client:
            assert (place.state / MORE[-1]).exists()
            conditions: Any = client.status()["conditions"]
            assert "more files can be made there; 'df -i" in conditions["disk-low"]
            daemon.stop()
        for number in range(os.statvfs(disk).f_favail):
            (disk / f"other-{number}").touch()
        with running(place) as daemon, ControlClient(place.socket) as client:
            assert not (place.state / NAME).exists()
            held: Any = client.status()["held"]
            assert held["faults"] == ["disk-full-soon"]
            assert "more files can be made there; 'df -i" in held["reason"]
            _, log = daemon.stop()
        assert "takes no more files: 4 MiB and 3 files that were kept" in log
        for number in range(os.statvfs(disk).f_favail):
            (disk / f"more-{number}").touch()
        status, log = refused(place)
        assert (status, "though it has room (no inode is free): 'df -i" in log) == (1, True)
        step = log.partition("'sudo du ")[2].partition("'")[0]
        told = subprocess.check_output(f"du {step}", shell=True, text=True)
        assert str(disk) in told, "it looks where the files are"
