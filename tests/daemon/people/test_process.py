"""People by PIN as root gives them and another user uses them: real processes, a real socket. A
slow user database gives one user two names, and never makes him two people."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.cli.output import DONE, NO_CONTROLLER
from controller.control import peers
from controller.control.address import ControlAddress
from controller.control.peers import Credentials, Groups, Peer, identify
from controller.control.serving.door import Bounds
from controller.control.serving.server import ControlServer
from controller.not_done import NOT_PERMITTED, WRONG_USE
from tests.control.support import NOBODY, Line, answering_of, connected, open_to_all
from tests.daemon.draws.generated import offered, press
from tests.daemon.house import House, open_house
from tests.daemon.process import Place, line, running


class Database:
    """Answers the first question as it is, and from then on not in time."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.quick = True

    def identify(self, credentials: Credentials, groups: Groups) -> Peer:
        if not self.quick:
            self.over.wait()
        return replace(identify(credentials, groups), name="daemon")


async def void(line: Line, command: str) -> Any:
    return await line.answer("supervisor", command=command, by="Sue", why="the meter")


def test_nobody_confirms_his_own_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by an attack: he was ``daemon`` first and ``uid 0`` afterwards."""
    database, path = Database(), tmp_path / "s"
    monkeypatch.setattr(peers, "identify", database.identify)

    async def at_the_socket(house: House, *commands: str) -> list[Any]:
        server = ControlServer(
            ControlAddress(path), answering_of(house.handler), NOBODY, Bounds(identify_s=0.05)
        )
        await server.start()
        try:
            told = []
            for command in commands:
                async with connected(path) as line:
                    told.append(await void(line, command))
                database.quick = False
            return told
        finally:
            await server.close()

    async def scenario() -> None:
        async with open_house(tmp_path / "state") as house:
            await house.all_up()
            await press(house, await offered(house))
            asked, confirmed = await at_the_socket(house, "void", "confirm void")
            assert asked["ok"]
            assert "daemon asked for it" in confirmed["error"]["reason"]
            assert confirmed["error"]["code"] == "another-person"
        async with open_house(tmp_path / "state", known=house.links) as again:
            assert again.differences == []
            await again.all_up()
            (confirmed,) = await at_the_socket(again, "confirm void")
            assert "daemon asked for it" in confirmed["error"]["reason"]
            assert again.verified()
            assert [(body["user"], body["uid"]) for body in again.entries("supervisor")] == [
                ("daemon", os.getuid())
            ]
        database.over.set()

    asyncio.run(scenario())


DAEMON = 1
"""A user, and the group of that number: the dealers."""
PIN, OTHER = "271828", "314159"
AS_DAEMON = """
import json, os, socket, sys
os.setgroups([]), os.setgid(1), os.setuid(1)
with socket.socket(socket.AF_UNIX) as s:
    s.connect(sys.argv[1])
    for line in sys.stdin:
        s.sendall(line.encode())
        answer = b""
        while not answer.endswith(b"\\n"):
            answer += s.recv(65536)
        print(answer.decode(), end="")
"""


def tablectl(place: Place, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli.main", "--socket", str(place.socket)]
    return subprocess.run(
        [*command, *arguments], input=given, capture_output=True, text=True, timeout=60, check=False
    )


def as_daemon(place: Place, *requests: dict[str, Any]) -> list[Any]:
    lines = [json.dumps({"v": 1, "id": 1, **one}) for one in requests]
    done = subprocess.run(
        [sys.executable, "-c", AS_DAEMON, str(place.socket)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.needs("root")
def test_from_root_to_a_dealers_console(tmp_path: Path) -> None:
    with open_to_all() as socket:
        place = Place(tmp_path / "table", control=socket)
        text = place.configuration.read_text("utf-8").replace(
            'dealers = "root"', 'dealers = "daemon"'
        )
        place.configuration.write_text(text, "utf-8")
        with line(place.shoe), running(place) as daemon:
            _by_root(place)
            _at_the_console(place)
            _, log = daemon.stop()
    file = place.state / "people.json"
    assert file.stat().st_mode & 0o7777 == 0o600
    for path in (file, *place.state.iterdir()):
        data = path.read_bytes()
        assert PIN.encode() not in data, path
        assert OTHER.encode() not in data, path
    assert PIN not in log
    assert OTHER not in log


def at_a_terminal(place: Place, *arguments: str, keyed: tuple[str, ...]) -> tuple[int, str]:
    """The command at a terminal, where each prompt is answered: status, and the screen."""
    command = [sys.executable, "-m", "controller.cli.main", "--socket", str(place.socket)]
    terminal, its = os.openpty()
    try:
        process = subprocess.Popen(
            [*command, *arguments], stdin=its, stdout=its, stderr=its, start_new_session=True
        )
        os.close(its)
        shown, answers = b"", list(keyed)
        with process, suppress(OSError):  # EIO: it has ended
            while data := os.read(terminal, 4096):
                shown += data
                if answers and shown.endswith((b"digits: ", b"more: ")):
                    os.write(terminal, answers.pop(0).encode() + b"\n")
        return process.returncode, shown.decode()
    finally:
        os.close(terminal)


@pytest.mark.needs("root")
def test_at_a_terminal_a_pin_is_asked_for_and_not_shown(tmp_path: Path) -> None:
    with open_to_all() as socket:
        place = Place(tmp_path / "table", control=socket)
        with line(place.shoe), running(place):
            add = ("people", "add", "Ida", "--role", "dealer")
            status, shown = at_a_terminal(place, *add, keyed=(PIN, OTHER))
            assert (status, "not the same; nothing was changed" in shown) == (WRONG_USE, True)
            assert tablectl(place, "people", "list").stdout.startswith("nobody is known by PIN")
            status, again = at_a_terminal(place, *add, keyed=(PIN, PIN))
            assert (status, "Ida (dealer): done" in again) == (DONE, True)
    assert PIN not in shown + again
    assert OTHER not in shown


def _by_root(place: Place) -> None:
    add = ("people", "add", "Tan", "--role", "technician")
    assert tablectl(place, *add, given="12a4\n").returncode == WRONG_USE
    assert tablectl(place, *add, given="").returncode == WRONG_USE
    added = tablectl(place, *add, given=f"{PIN}\nnot read\n")
    assert (added.returncode, added.stdout) == (DONE, "Tan (technician): done\n"), added.stderr
    again = tablectl(place, *add, given=PIN)
    assert (again.returncode, again.stdout) == (NOT_PERMITTED, "")
    listed = tablectl(place, "--json", "people", "list")
    assert json.loads(listed.stdout) == {"people": [{"name": "Tan", "role": "technician"}]}
    unknown = tablectl(place, "people", "remove", "Ida")
    assert (unknown.returncode, "known are Tan" in unknown.stderr) == (WRONG_USE, True)
    nobody = tablectl(place, "--socket", "/nowhere", "people", "list")
    assert nobody.returncode == NO_CONTROLLER


def _at_the_console(place: Place) -> None:
    counters = {"do": "ready"}
    person = {"person": "Tan", "pin": PIN}
    told = as_daemon(
        place,
        {"do": "people"},
        {"do": "self_test", "device": "shoe"},
        counters,
        {"do": "sign_in", "person": "Tan", "pin": OTHER},
        {"do": "sign_in", **person},
        {"do": "self_test", "device": "shoe"},
        counters,
        {"do": "supervisor", "command": "resume"},
        {"do": "sign_out"},
        {**counters, **person},
        counters,
    )
    kinds = [one.get("error", {}).get("kind", "ok") for one in told]
    assert kinds == [
        *("not_allowed", "not_allowed", "ok"),
        *("not_allowed", "ok", "refused", "ok"),  # the shoe is not there to test itself
        *("not_allowed", "ok", "ok", "ok"),
    ]
    counted = ["counted" in told[number]["result"] for number in (2, 6, 9, 10)]
    assert counted == [False, True, True, False]
    told = as_daemon(place, *[{"do": "sign_in", "person": "Tan", "pin": OTHER}] * 5)
    right = {"do": "sign_in", **person}
    told += as_daemon(place, right, {**right, "person": "Nobody"})
    errors = [one["error"] for one in told]
    assert all(error == errors[0] for error in errors), errors
    with_pin = tablectl(place, "people", "pin", "Tan", given=f"{OTHER}\n")
    assert with_pin.returncode == DONE
    (known,) = as_daemon(place, {**right, "pin": OTHER})
    assert known["ok"]
    assert tablectl(place, "people", "remove", "Tan").returncode == DONE
    (gone,) = as_daemon(place, {**right, "pin": OTHER})
    assert gone["error"] == errors[0]
    exported = tablectl(place, "journal", "export", "--state", os.fspath(place.state)).stdout
    entries = [json.loads(line) for line in exported.splitlines()]
    changes = [entry["body"] for entry in entries if entry["type"] == "person"]
    assert [change["change"] for change in changes] == ["add", "pin", "remove"]
    assert all(change["uid"] == 0 and change["of"] == "Tan" for change in changes)
    readiness = [entry["body"] for entry in entries if entry["type"] == "readiness"]
    assert all((one["person"], one["uid"]) == ("Tan", DAEMON) for one in readiness)
