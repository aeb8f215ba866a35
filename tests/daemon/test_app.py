"""The daemon's life as its service manager sees it: exit status, reasons, notifications."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.control.client import ControlClient, NoController, RefusedByController
from controller.daemon import app, service_manager
from controller.daemon.devices.fleet import Fleet
from controller.daemon.journaling import sealing
from controller.daemon.journaling.keeping import Keeping
from controller.daemon.service_manager import Notifier
from controller.daemon.table_handler import TableHandler
from controller.evidence.heads import SignedHead, append_head
from controller.evidence.scrub import Walk
from controller.evidence.verify import verify
from controller.journal.errors import CommitFailed
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.upkeep.second_copy import JournalCopy
from tests.daemon.house import locked
from tests.daemon.process import Daemon, Place, line, refused, running
from tests.daemon.sealed import journal_at

TAKEN_S = 10.0


def entries(place: Place) -> list[str]:
    with JournalReader(place.state) as reader:
        assert not verify(reader).findings
        return [entry.type for entry in reader.iterate()]


def give_up(place: Place) -> threading.Thread:
    """A dealer who opens bets and whose answer never comes."""
    client = ControlClient(place.socket)

    def ask() -> None:
        with client, pytest.raises(NoController):
            client.dealer("open")

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def waits(place: Place, daemon: Daemon) -> None:
    """Until the daemon has taken the dealer's command: from then on no status is told before its
    commit. One that is told was asked for before that."""

    def ask_on() -> None:
        deadline = time.monotonic() + TAKEN_S
        while client.status():
            daemon.hear()
            assert time.monotonic() < deadline, "the entry is not taken"

    with ControlClient(place.socket, answer_s=0.2) as client, pytest.raises(NoController):
        ask_on()
    assert not daemon.process.has_ended(0)


def test_it_says_when_it_is_ready_and_when_it_stops(place: Place) -> None:
    with running(place) as daemon:
        with ControlClient(place.socket) as client:
            assert client.status()["round"] == 1
            with pytest.raises(RefusedByController, match="has no round yet"):
                client.round(None)
        status, _ = daemon.stop()
    assert status == 0
    assert daemon.told[0] == "READY=1"
    assert daemon.told[-1] == "STOPPING=1"
    assert not any(state.startswith("WATCHDOG") for state in daemon.told)
    assert entries(place)[0] == "start"
    assert entries(place)[-1] == "stop"
    assert not place.socket.exists()


def test_a_stop_while_the_disk_hangs_gives_up_what_was_not_promised(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon:
        with locked(place.state):
            dealer = give_up(place)
            waits(place, daemon)
            status, log = daemon.stop()
        dealer.join()
    assert status == 1
    assert f"not stored in the time that a stop has: process {os.getpid()} (" in log
    assert "dealer" not in entries(place)


def test_a_long_recovery_asks_for_time(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    class Told(Notifier):
        said: ClassVar[list[str]] = []

        def send(self, *states: str) -> bool:
            self.said.extend(states)
            return True

    monkeypatch.setattr(service_manager, "TELL_EVERY", 2)
    with journal_at(place) as journal:
        count = journal.head.seq
        assert len(list(service_manager.patiently(journal.iterate(), Told()))) == count
    asked = [state for state in Told.said if state.startswith("EXTEND_TIMEOUT_USEC=")]
    assert len(asked) == count // 2


def test_ready_is_said_until_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Busy(Notifier):
        def send(self, *states: str) -> bool:
            said.append(states[0])
            taken = said.count("READY=1") == 3
            if taken and states[0] == "READY=1":
                os.kill(os.getpid(), signal.SIGTERM)
            return taken

    monkeypatch.setattr(app, "Notifier", Busy)
    monkeypatch.setattr(service_manager, "READY_AGAIN_S", 0.001)
    config = load_configuration(Place(tmp_path).configuration)
    assert asyncio.run(asyncio.wait_for(app.serve(config), 20)) == 0
    assert said == [*["READY=1"] * 3, "STOPPING=1"]


@pytest.mark.parametrize(
    ("was", "is_now", "words"),
    [
        ("decks = 8", "decks = 99", "decks"),
        ("[devices.shoe]", '[devices.shoe]\ndriver = "nobodys"', "nobodys"),
        ("", "", "cannot be read"),
    ],
    ids=["a value", "a driver", "no file"],
)
def test_a_configuration_that_cannot_be_used(
    tmp_path: Path, was: str, is_now: str, words: str
) -> None:
    place = Place(tmp_path)
    text = place.configuration.read_text(encoding="utf-8")
    place.configuration.write_text(text.replace(was, is_now, 1), encoding="utf-8")
    if not was:
        place.configuration.unlink()
    status, log = refused(place)
    assert (status, str(place.configuration) in log, words in log) == (2, True, True)
    assert "Traceback" not in log
    assert not place.state.exists()


def test_a_port_that_another_process_holds(tmp_path: Path) -> None:
    first = Place(tmp_path / "first")
    with line(first.shoe), running(first) as daemon:
        status, log = refused(Place(tmp_path / "second", shoe=first.shoe))
    assert (status, "devices.shoe" in log, str(daemon.process.pid) in log) == (2, True, True)


async def test_a_start_that_cannot_be_stored_ends(tmp_path: Path, mocker: MockerFixture) -> None:
    place = Place(tmp_path)
    mocker.patch.object(Journal, "append", side_effect=CommitFailed("disk I/O error"))
    with pytest.raises(app.DiskEnded, match="disk I/O error"):
        await asyncio.wait_for(app.serve(load_configuration(place.configuration)), 10)
    assert not place.socket.exists()


def test_a_stop_is_through_in_time_whatever_hangs(tmp_path: Path, mocker: MockerFixture) -> None:
    """A client that waits, a port that does not close, a slow disk, and two dead media."""
    place = Place(tmp_path, copied=True)
    go, stop_ns, before = threading.Event(), [], set(threading.enumerate())

    async def counters(_: TableHandler) -> dict[str, int]:
        stop_ns.append(time.monotonic_ns())
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()
        return {}

    async def close(_: Fleet) -> None:
        await asyncio.Event().wait()

    append = Journal.append

    def slowly(journal: Journal, drafts: list[Draft], *rest: Any) -> Any:
        if drafts[-1].type == "stop":
            go.wait(0.3)
        return append(journal, drafts, *rest)

    mocker.patch.object(app, "CLIENTS_S", 0.2)  # each is used whole, and this machine is busy
    mocker.patch.object(app, "PORTS_S", 0.1)
    mocker.patch.object(TableHandler, "counters", counters)
    mocker.patch.object(Fleet, "close", close)
    mocker.patch.object(Journal, "append", slowly)

    def hangs(*_: object) -> int:
        go.wait()
        return 0

    def first_alone(path: Path, head: SignedHead) -> None:
        hangs() if path.exists() else append_head(path, head)

    mocker.patch.object(sealing, "append_head", first_alone)
    mocker.patch.object(JournalCopy, "copy_next", hangs)
    mocker.patch.object(Walk, "step", hangs)
    kept: list[Keeping] = []

    def keep(*of: Any) -> Keeping:
        kept.append(Keeping(*of))
        return kept[-1]

    mocker.patch.object(app, "Keeping", keep)

    def ask() -> None:
        with ControlClient(place.socket) as client, pytest.raises(NoController):
            client.request("counters")

    async def run() -> int:
        serving = asyncio.ensure_future(app.serve(load_configuration(place.configuration)))
        while not place.socket.exists():
            await asyncio.sleep(0)
        asking.start()
        return await serving

    asking = threading.Thread(target=ask)
    try:
        assert asyncio.run(run()) == 0
        assert app.STOP_S < 2.0
        assert (time.monotonic_ns() - stop_ns[0]) / 1e9 < app.STOP_S + 0.5  # this machine is busy
    finally:
        go.set()
        for thread in set(threading.enumerate()) - before:
            thread.join()
        kept[0].close(time.monotonic())  # what a process that ends leaves to the kernel
    assert entries(place)[-1] == "stop"


@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGSEGV, "Segmentation fault"), (signal.SIGABRT, "Aborted")]
)
def test_the_log_says_where_a_library_died_or_the_watchdog_aborted(
    number: signal.Signals, words: str, tmp_path: Path
) -> None:
    """And it walks the stack of that thread alone: the others go on running meanwhile, and the walk
    along a stack that changes is a crash of its own."""
    with running(Place(tmp_path)) as daemon:
        daemon.process.send_signal(number)
        status, log = daemon.ended()
    assert status == -number
    assert f"Fatal Python error: {words}" in log
    assert "controller/daemon/main.py" in log
    assert log.count("(most recent call first):") == 1


def test_whose_socket_was_removed_is_told(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon:
        place.socket.unlink()
        says = rf"process {daemon.process.pid} .*runs, and somebody has removed its socket"
        with pytest.raises(NoController, match=says):
            ControlClient(place.socket)
    with pytest.raises(NoController, match="is it running"):
        ControlClient(place.socket)
