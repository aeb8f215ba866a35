"""A journal that others have touched: another program has its file, which is waited for and named;
it was rewritten with SQLite's own tool, or has lost its end, of which the devices know."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.control.client import ControlClient, NoController
from controller.journal.errors import DamagedJournal, DiskFailed
from controller.journal.schema import FILE_NAME
from tests.daemon.house import open_house
from tests.daemon.process import Daemon, Place, running
from tests.daemon.sealed import play
from tests.journal.helpers import WALL, card, opened, sample

SAID = "rewritten by hand (VACUUM with auto_vacuum)"


def judged(place: Place, capsys: pytest.CaptureFixture[str], verb: str) -> tuple[int, str]:
    """What a person is told by that command: exit status and words."""
    capsys.readouterr()
    status = main(["journal", verb, "--state", str(place.state)])
    return status, capsys.readouterr().out


@pytest.mark.parametrize("mode", [1, 2])
def test_a_vacuum_that_harmed_nothing_is_a_remark_and_the_table_starts(
    place: Place, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    with closing(sqlite3.connect(place.state / "journal.sqlite3", isolation_level=None)) as file:
        file.execute(f"PRAGMA auto_vacuum = {mode}")
        file.execute("VACUUM")
    for verb in ("verify", "recover"):
        status, told = judged(place, capsys, verb)
        assert (status, SAID in told, "well" in told) == (0, True, True), told
    with caplog.at_level(logging.WARNING):
        assert play(place, "undo")["held"] is None
    assert SAID in caplog.text
    assert judged(place, capsys, "verify")[0] == 0, "and goes on being well when it was played on"
    play(place)


@pytest.mark.parametrize("what", ["free pages", "the header alone"])
def test_what_a_commit_would_write_over_is_damage_for_all_three(
    place: Place, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    path = place.state / "journal.sqlite3"
    if what == "free pages":
        with closing(sqlite3.connect(path)) as file:
            file.execute("CREATE TABLE mine (x)")
            file.execute("INSERT INTO mine VALUES (zeroblob(5000))")
            file.commit()
            file.execute("DROP TABLE mine")
            file.commit()
    else:
        content = bytearray(path.read_bytes())
        content[55] = 3  # the largest root page, which only a file that shrinks has
        path.write_bytes(content)
    for verb in ("verify", "recover"):
        assert judged(place, capsys, verb)[0] == 1, verb
    with pytest.raises(DamagedJournal, match=r"freelist_count|auto_vacuum"):
        play(place)


STEPS = ("open", "wager 1 main 10", "close")


@pytest.mark.parametrize("cards", [1, 3])
@pytest.mark.parametrize("mid_round", [False, True])
async def test_events_that_a_device_was_told_are_stored_hold_the_table(
    tmp_path: Path, cards: int, mid_round: bool
) -> None:
    async with open_house(tmp_path / "state") as house:
        await house.all_up()
        unit = house.links["jackpot"]
        unit.event("COVER", open=0)
        await house.quiet()
        if mid_round:
            await house.dealer(*STEPS)
        shutil.copytree(tmp_path / "state", tmp_path / "left")  # and then the end is lost
        for number in range(cards):
            unit.event("COVER", open=number % 2)
            await house.quiet()
    async with open_house(tmp_path / "left", known=house.links) as again:
        assert not again.differences
        unit = again.links["jackpot"]
        for name, link in again.links.items():
            if name != "jackpot":
                link.up()
        assert (await again.handler.status())["held"] is None
        # Its answer to HELLO: nothing is left to send, and its last event is beyond ours.
        unit.up(new_session=True)
        await again.quiet()
        held = (await again.handler.status())["held"]
        assert held is not None
        assert held["fault"] == "journal-cut"
        which = "event 2" if cards == 1 else f"events 2 to {1 + cards}"
        assert f"jackpot unit: {which} of its session" in held["reason"]
        # What it reports from now on is taken and acknowledged.
        number = unit.event("COVER", open=1)
        await again.quiet()
        assert again.acknowledged("jackpot")[-1] == number == 2 + cards
    assert again.verified()


async def test_a_session_that_the_journal_does_not_know_has_lost_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        house.links["shoe"].session = 5
        house.links["shoe"].last_event = 40
        house.links["shoe"].up(new_session=True)
        await house.quiet()
        assert (await house.handler.status())["held"] is None


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
