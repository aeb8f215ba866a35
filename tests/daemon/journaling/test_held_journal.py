"""Another program has the journal's file: it is waited for, and named."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.control.client import ControlClient, NoController
from controller.journal.errors import DiskFailed
from controller.journal.schema import FILE_NAME
from tests.daemon.process import Daemon, Place, running
from tests.journal.helpers import WALL, card, opened, sample

WATCHED = {"WATCHDOG_USEC": "3000000"}
HOLDS = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
for command in sys.argv[2:]:
    held.execute(command).fetchall()
print("holds", flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(file: Path, *commands: str) -> Iterator[subprocess.Popen[str]]:
    """Another process, which gave these commands and has not ended yet."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, file, *commands],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holds\n"
        yield process
        process.communicate("")


def test_a_round_goes_on_when_the_other_program_has_ended(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with running(place, WATCHED) as daemon, ThreadPoolExecutor(1) as dealer:
        with ControlClient(place.socket) as table, ControlClient(place.socket) as client:
            with holding(place.state / FILE_NAME, "BEGIN IMMEDIATE") as other:
                answer = dealer.submit(table.dealer, "open")
                stop = f"stop that one: 'sudo kill {other.pid}'"
                daemon.until("STATUS=the journal's disk has not stored for")
                with pytest.raises(NoController, match=stop):
                    client.status()
                daemon.until("WATCHDOG=1", sum(line == "WATCHDOG=1" for line in daemon.told) + 2)
            assert answer.result()["state"] == "betting"
        daemon.until("STATUS=table T1")
        with ControlClient(place.socket) as client:
            assert client.status()["conditions"] == {}, "the disk was not slow"
        status, log = daemon.stop()
    assert (status, log.count(stop)) == (0, 1)
    assert f"process {other.pid} (python" in log


def test_a_stop_names_the_program_that_keeps_it_from_the_file(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon, holding(place.state / FILE_NAME, "BEGIN IMMEDIATE") as other:
        status, log = daemon.stop()
    assert status == 1
    assert f"not stored in the time that a stop has: process {other.pid}" in log


def test_a_start_that_waits_for_another_program_names_it(tmp_path: Path) -> None:
    """It can read the file, and cannot write that it has started."""
    place = Place(tmp_path)
    with running(place):
        pass
    with holding(place.state / FILE_NAME, "BEGIN IMMEDIATE") as other:
        daemon = Daemon(place)
        daemon.until("STATUS=the journal's disk has not stored for", 3)
        assert "READY=1" not in daemon.told
        assert any(f"'sudo kill {other.pid}'" in line for line in daemon.told)
    daemon.until("READY=1")
    status, log = daemon.stop()
    assert (status, log.count(f"'sudo kill {other.pid}'")) == (0, 1)


def test_a_start_names_the_program_that_keeps_the_file(tmp_path: Path) -> None:
    sample(tmp_path)
    exclusive = ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE")
    with holding(tmp_path / FILE_NAME, *exclusive) as other:
        with pytest.raises(DiskFailed) as raised:
            opened(tmp_path)
        said = str(raised.value)
        assert f"process {other.pid} (python" in said
        assert f"stop that one: 'sudo kill {other.pid}'; the controller goes on by itself" in said
    with opened(tmp_path) as journal:
        journal.append([card(900)], 1, "2026-11-20T18:16:58+00:00")


def test_its_manager_is_told_what_such_a_start_waits_for(tmp_path: Path) -> None:
    place = Place(tmp_path)
    sample(place.state)
    exclusive = ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE")
    with holding(place.state / FILE_NAME, *exclusive) as other:
        daemon = Daemon(place, WATCHED)
        daemon.until("STATUS=it waits: ")
        status, _ = daemon.stop()
    said = next(line for line in daemon.told if line.startswith("STATUS=it waits: "))
    assert (status, f"process {other.pid} (python" in said) == (1, True)


def test_what_the_other_has_not_committed_yet_is_not_cut_off(tmp_path: Path) -> None:
    """It lies in the log as what a power cut has torn does, and the first commit cuts that off."""
    sample(tmp_path)
    with (
        opened(tmp_path) as journal,
        ThreadPoolExecutor(1) as commits,
        closing(sqlite3.connect(journal.path, isolation_level=None)) as other,
    ):
        for command in (
            "PRAGMA cache_size = 5",
            "BEGIN IMMEDIATE",
            "CREATE TABLE large (bytes)",
            "INSERT INTO large VALUES (zeroblob(100000))",
        ):
            other.execute(command)
        written = journal.wal_bytes
        appended = commits.submit(journal.append, [card(900)], 1, WALL)
        while not journal.held and not appended.done():
            wait([appended], 0.1)
        assert journal.wal_bytes == written > 50_000
        other.execute("COMMIT")
        assert [entry.seq for entry in appended.result()] == [11]
        assert other.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
