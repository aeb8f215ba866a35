"""An exporter at a controller: one that plays, is held, is killed, stands still, lets nobody in."""

from __future__ import annotations

import asyncio
import fcntl
import grp
import json
import os
import signal
import socket
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from controller.control import peers
from controller.control.peers import Groups
from controller.control.protocol import Role, encode, encode_error, encode_result
from controller.forms.json_values import JsonObject, checked
from exporter.catalogue import all_metrics
from tests.control.support import Till, controller, open_to_all, serving
from tests.control.technicians import Bench
from tests.daemon.process import Place, line, running
from tests.daemon.sealed import play
from tests.exporter.support import NIGHT, PREFIX, Told, exporter, night, without
from tests.exporter.test_status import STATUS

ALWAYS = ("exporter_", "nightly_report_readable")
"""What is told when there is no controller."""


def questions(now: Told) -> dict[str, float]:
    return {
        name.removeprefix("exporter_questions_total{outcome=").rstrip("}"): value
        for name, value in now.items()
        if name.startswith("exporter_questions_total") and value
    }


def test_a_controller_that_is_killed_is_down_and_comes_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = Place(tmp_path)
    with line(place.shoe) as port, exporter(place.socket) as one:
        assert without(one.scrape(), *ALWAYS) == {"up": 0}
        assert "and is this its socket?" in caplog.text, "what to do is not cut off"
        with running(place) as daemon:
            now = one.later()
            assert now["up"] == 1
            assert now["device_up{device=shoe,kind=shoe}"] == 0
            assert now["journal_head_entry"] >= 1
            assert now["state{state=idle}"] == 1
            daemon.process.send_signal(signal.SIGKILL)
            daemon.ended()
        fcntl.ioctl(port, termios.TIOCNXCL)  # a real line forgets it with its last user
        assert without(one.later(), *ALWAYS) == {"up": 0}
        with running(place):
            now = one.later()
            assert now["up"] == 1
        # Started anew while nobody has looked.
        with running(place):
            now = one.later()
            assert now["up"] == 1
        assert now["exporter_connections_total"] == 3
        assert questions(now) == {"answered": 3, "unreachable": 2}


def test_one_that_stands_still_costs_one_connection_and_nobody_waits(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with line(place.shoe), running(place) as daemon, exporter(place.socket, wait_s=0.2) as one:
        one.until("up", 1)
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(50):
                assert without(one.later(), *ALWAYS) == {"up": 0}
        finally:
            daemon.process.send_signal(signal.SIGCONT)
        now = one.until("up", 1)
        assert now["exporter_connections_total"] == 1
        assert questions(now)["late"] >= 1


def test_one_whose_disk_hangs_is_not_called_started_again(tmp_path: Path) -> None:
    """It answers that it cannot tell its state: over the connection that there is."""
    with controller(tmp_path / "s") as have, exporter(tmp_path / "s") as one:
        assert one.scrape()["up"] == 1
        have(lambda till: till.hang(True))
        for _ in range(10):
            assert without(one.later(), *ALWAYS) == {"up": 0}
        have(lambda till: till.hang(False))
        now = one.later()
    assert (now["up"], now["exporter_connections_total"]) == (1, 1)
    assert questions(now) == {"answered": 2, "silent": 10}


def test_a_held_table_says_so(tmp_path: Path) -> None:
    place = Place(tmp_path)
    play(place, "open", "wager 1 main 10", "close")
    with line(place.shoe), running(place), exporter(place.socket) as one:
        now = one.scrape()
    assert now["held"] == 1
    assert now["held_info{fault=power-failure}"] == 1
    assert now["state{state=deal}"] == 1


def test_a_mad_monitor_costs_the_controller_one_question(tmp_path: Path) -> None:
    asked: list[int] = []
    with controller(tmp_path / "s") as have, exporter(tmp_path / "s") as one:
        for _ in range(300):
            assert one.scrape()["up"] == 1
        told = threading.Event()

        def look(till: Till) -> None:
            asked.append(till.asked)
            told.set()

        have(look)
        assert told.wait(10)
    assert asked == [1]


@pytest.fixture
def root_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who runs the tests has the rights of his groups, and no others."""

    def nothing(uid: int) -> frozenset[Role]:
        return frozenset()

    monkeypatch.setattr(peers, "_all_or_nothing", nothing)
    monkeypatch.setattr(os, "getuid", lambda: -1)


OWN = grp.getgrgid(os.getgid()).gr_name


@pytest.mark.usefixtures("root_is_nobody")
async def test_who_may_look_is_told_all_and_refused_nothing() -> None:
    with open_to_all() as path, exporter(path) as one:
        async with serving(path, Groups("no-d", "no-s", OWN), technician=Bench()) as till:
            till.more = {"devices": {"shoe": {"kind": "shoe", "link": "up"}}}
            for _ in range(3):
                now = await asyncio.to_thread(one.later)
                assert now["up"] == 1
                assert now["link_trouble_total{device=shoe,kind=shoe,trouble=retries}"] == 3
        assert till.attempts == []
        assert questions(now) == {"answered": 3}


@pytest.mark.usefixtures("root_is_nobody")
async def test_every_metric_of_the_catalogue_has_a_sample(tmp_path: Path) -> None:
    waiting = {"bytes": 9, "closed": NIGHT["began"], "well": True, "taken": None}
    verified = NIGHT["journal"] | {"whole_at": NIGHT["ended"]}
    report = night(tmp_path, journal=verified, closed=[waiting])
    with open_to_all() as path, exporter(path, report) as one:
        async with serving(path, Groups("no-d", "no-s", OWN), technician=Bench()) as till:
            till.more = STATUS
            now = await asyncio.to_thread(one.later)
            till.more = {"devices": {"shoe": {"link": 1}}}
            till.commit()
            now |= await asyncio.to_thread(one.later)
    sampled = {PREFIX + name.split("{")[0] for name in now}
    assert {name for metric in all_metrics() for name in metric.series} == sampled


class LinksUntold:
    """A controller that tells its status, and cannot tell the counters of links."""

    def __init__(self, path: Path) -> None:
        self.asked: list[str] = []
        self._connections: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(os.fspath(path))
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        for one in (self._listening, *self._connections):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self._connections.append(connection)
                with connection, connection.makefile("rwb", buffering=0) as lines:
                    for line in lines:
                        lines.write(self._answer(json.loads(line)))

    def _answer(self, request: JsonObject) -> bytes:
        self.asked.append(str(request["do"]))
        number = checked(int, request["id"])
        if request["do"] == "status":
            return encode_result(number, encode({"round": 3}))
        return encode_error(number, "unavailable", "the disk hangs", code="no-answer")


@contextmanager
def links_untold(path: Path) -> Iterator[LinksUntold]:
    one = LinksUntold(path)
    try:
        yield one
    finally:
        one.close()
        path.unlink()


def test_one_that_cannot_tell_the_links_now_is_asked_again(tmp_path: Path) -> None:
    with exporter(tmp_path / "s") as one, links_untold(tmp_path / "s") as there:
        for _ in range(3):
            assert one.later()["up"] == 1
    assert there.asked.count("links") == 3


@pytest.mark.usefixtures("root_is_nobody")
async def test_who_is_not_let_in_does_not_fill_the_journal() -> None:
    with open_to_all() as path, exporter(path) as one:
        async with serving(path, Groups("no-d", "no-s")) as till:
            for _ in range(70):  # each a minute later
                now = await asyncio.to_thread(one.later)
                assert now["up"] == 0
        assert len(till.attempts) == 2
        assert questions(now) == {"refused": 2}


@contextmanager
def answering(path: Path, *answers: bytes) -> Iterator[None]:
    """A controller that answers so to each connection in turn, and hangs up."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.fspath(path))
        listening.listen()

        def serve() -> None:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            thread.join(10)
    path.unlink()


def status(result: object) -> bytes:
    return json.dumps({"v": 1, "id": 1, "ok": True, "result": result}).encode() + b"\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{",
        b"null\n",
        b"\xff\n",
        b"[" * 100_000 + b"\n",
        status({})[:20],
        status(None),
        status([1]),
        b'{"v":1,"id":77,"ok":true,"result":{}}\n',
        b'{"v":1,"id":1,"ok":false,"error":{}}\n',
        b'{"v":1,"id":1,"ok":false,"error":null}\n',
        b'{"v":1,"id":1,"ok":false,"error":{"kind":"refused","permitted":[1]}}\n',
        b'{"v":1,"id":1,"ok":true,"result":{"round":' + b"9" * 5000 + b"}}\n",
    ],
)
def test_no_answer_is_too_strange(answer: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with exporter(path) as one:
        with answering(path, answer):
            assert without(one.scrape(), *ALWAYS) == {"up": 0}
        with links_untold(path):
            one.clock.now += 10_000
            assert one.scrape()["round_number"] == 3
