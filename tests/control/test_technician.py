"""Self-tests, captures and played rounds over the control socket: whose they are, how they end."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.control.address import ControlAddress
from controller.control.answers import Portion
from controller.control.client import ControlClient
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.control.serving.door import Bounds
from controller.control.serving.rights import Session
from controller.control.serving.server import ControlServer
from tests.control.support import NOBODY, Till, answering_of, controller, serving, talking
from tests.control.technicians import HEAD, WELL, Bench
from tests.control.technicians import line as seen


class Book:
    """Tells which round it was asked for."""

    async def round(self, number: str) -> Mapping[str, Any]:
        return {"round": number}

    async def course(self, number: str) -> Mapping[str, Any]:
        return {"course": number}

    async def proof(self, number: str) -> Mapping[str, Any]:
        return {"proof": number}

    async def shift(self, which: str) -> Mapping[str, Any]:
        return {"shift": which}


ROUND, SHIFT = Request(1, "round", number="118"), Request(1, "shift", which="2026-11-26")


async def answered(path: Path, book: Book | None, *roles: Any, to: Request) -> tuple[Any, Till]:
    """What somebody with those roles is answered, and what is kept of it."""
    till = Till()
    server = ControlServer(ControlAddress(path), answering_of(till, rounds=book), NOBODY)
    await server.start()
    try:
        session = Session(Peer(1, 1, 1, "ida", frozenset(roles)), time.monotonic)
        return json.loads(await asyncio.create_task(server.answer(to, session))), till
    finally:
        await server.close()


@pytest.mark.parametrize(
    ("to", "result", "what", "kept"),
    [
        (ROUND, {"round": "118"}, "the rounds of the journal", "round: 118"),
        (SHIFT, {"shift": "2026-11-26"}, "the reports on shifts", "shift: 2026-11-26"),
        (Request(1, "counters"), {"total": {"rounds": 0}}, "the counters", "counters: "),
    ],
    ids=["round", "shift", "counters"],
)
async def test_a_supervisor_is_told_and_that_another_asked_is_kept(
    tmp_path: Path, to: Request, result: object, what: str, kept: str
) -> None:
    told, till = await answered(tmp_path / "s", Book(), "dealer", "supervisor", to=to)
    assert told == {"v": 1, "id": 1, "ok": True, "result": result}
    assert till.attempts == []
    for roles in ((), ("dealer",)):
        told, till = await answered(tmp_path / "s", Book(), *roles, to=to)
        assert told["error"]["kind"] == "not_allowed"
        why = f"ida may not see {what}: he is not in the group no-such-group-s"
        assert told["error"]["reason"] == why
        assert [attempt.what for attempt in till.attempts] == [kept]


async def test_a_controller_without_a_journal_says_so(tmp_path: Path) -> None:
    for to in (ROUND, SHIFT):
        told, _ = await answered(tmp_path / "s", None, "supervisor", to=to)
        assert told["error"]["kind"] == "unavailable"


def test_the_client_asks_for_one_or_the_last(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with controller(path, rounds=Book()), ControlClient(path) as client:
        assert client.round(7) == {"round": "7"}
        assert client.round(None) == {"round": "last"}
        assert client.request("shift", which="present") == {"shift": "present"}
        assert client.request("counters") == {"total": {"rounds": 0}}


QUICK = Bounds(watch_interval_s=0.001, capture_s=0.01)


async def test_a_self_test_is_answered_and_what_may_not_be_is_refused(path: Path) -> None:
    bench = Bench()

    async with talking(path, QUICK, bench) as line:
        assert (await line.answer("self_test", device="shoe"))["result"] == WELL
        unknown = await line.answer("self_test", device="roulette")
        assert unknown["error"]["kind"] == "malformed"
        bench.refusal = "self-tests are for the time between rounds"
        refused = await line.answer("self_test", device="shoe")
        assert refused["error"]["kind"] == "refused"
        assert bench.asked == ["shoe", "roulette", "shoe"]
        assert line.till.given == []  # nothing of it is a command to the table


async def test_traffic_comes_in_portions_in_order_with_what_is_missing(path: Path) -> None:
    portions: list[Portion] = [{"lines": [seen(1), seen(2)]}, {"lines": [seen(3)], "dropped": 7}]

    async with talking(path, QUICK, Bench(portions=portions)) as line:
        first = await line.answer("capture", device="shoe")
        assert first["result"]["head"] == HEAD
        assert first["result"]["more"]
        second = await line.read()
        assert second["id"] == first["id"]
        lines = first["result"]["lines"] + second["result"]["lines"]
        assert [told["id"] for told in lines] == [1, 2, 3]
        assert second["result"]["dropped"] == 7
        # A quiet line is told too, so that who waits can stop waiting.
        assert (await line.read())["result"]["lines"] == []


ROLES = [frozenset[Any](), frozenset({"dealer"})]
"""Of who only looks, and of a dealer."""


@pytest.fixture
def somebody(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who connects has the roles that the test is given, and may look."""
    peer = Peer(1, 1234, 1234, "ida", request.param, views=True)
    monkeypatch.setattr("controller.control.peers.identify", lambda *_: peer)


@pytest.mark.parametrize("somebody", ROLES, indirect=True)
@pytest.mark.usefixtures("somebody")
async def test_the_counters_of_links_are_for_whoever_may_look(path: Path) -> None:
    async with talking(path, QUICK, Bench(minute={"retries": 1})) as line:
        assert (await line.answer("links"))["result"] == {"shoe": {"retries": 3}}
        lately = (await line.answer("links_lately"))["result"]
        assert lately["minute"] == {"seconds": 64, "links": {"shoe": {"retries": 1}}}
        assert line.till.attempts == []


async def test_a_capture_ends_with_its_connection(path: Path) -> None:
    bench = Bench()

    async with talking(path, QUICK, bench) as line:
        await line.answer("capture", device="shoe")
        assert (await line.answer("watch"))["ok"] in (True, False)
    assert bench.closed == 1


async def test_one_stream_a_connection(path: Path) -> None:
    async with talking(path, QUICK, Bench()) as line:
        await line.answer("watch")
        line.ask("capture", device="shoe")
        while (told := await line.read())["ok"]:
            pass
        assert "watches already" in told["error"]["reason"]


@pytest.mark.parametrize("do", ["capture", "try"])
async def test_who_asks_for_traffic_and_has_ended_by_then_keeps_nothing(
    path: Path, do: str
) -> None:
    """Found in review: a device so tried was left to nobody for ever."""
    bench = Bench()
    async with serving(path, bounds=QUICK, technician=bench):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(json.dumps({"v": 1, "id": 1, "do": do, "device": "shoe"}).encode())
            client.sendall(b"\n")
            client.shutdown(socket.SHUT_WR)
            while not bench.asked:
                await asyncio.sleep(0)
            for _ in range(10):
                await asyncio.sleep(0)
            assert bench.closed == 1


async def test_what_cannot_be_captured_is_told_and_the_conversation_goes_on(path: Path) -> None:
    async with talking(path, QUICK, Bench(refusal="its driver cannot show it")) as line:
        refused = await line.answer("capture", device="shoe")
        assert refused["error"]["reason"] == "its driver cannot show it"
        assert (await line.answer("status"))["ok"]


async def test_without_devices_none_of_it_can_be(path: Path) -> None:
    async with talking(path, QUICK) as line:
        for do, more in (
            ("self_test", {"device": "shoe"}),
            ("capture", {"device": "shoe"}),
            ("links", {}),
            ("links_lately", {}),
        ):
            told = await line.answer(do, **more)
            assert told["error"]["kind"] == "unavailable"


@pytest.mark.parametrize("do", ["self_test", "capture"])
@pytest.mark.parametrize("somebody", ROLES, indirect=True)
@pytest.mark.usefixtures("somebody")
async def test_both_are_the_supervisors_and_an_attempt_is_kept(path: Path, do: str) -> None:
    bench = Bench()

    async with talking(path, QUICK, bench) as line:
        told = await line.answer(do, device="shoe")
        assert told["error"]["kind"] == "not_allowed"
        assert [attempt.what for attempt in line.till.attempts] == [f"{do}: shoe"]
    assert bench.asked == []
