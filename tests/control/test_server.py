"""The control socket over a real Unix socket: answers, watchers, and clients that misbehave."""

from __future__ import annotations

import asyncio
import os
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

import pytest

from controller.control.protocol import MAX_LINE_BYTES
from controller.control.serving.door import Bounds
from tests.control.support import Line, connected, error_of, serving, talking


@pytest.fixture
def line(path: Path) -> AbstractAsyncContextManager[Line]:
    return talking(path)


async def test_status_and_commands_are_answered(line: Line) -> None:
    assert (await line.answer("status"))["result"] == {"table": "P12", "count": 0}
    assert await line.answer("dealer", command="open") == {
        "v": 1,
        "id": 2,
        "ok": True,
        "result": {"prompt": "next"},
    }
    # What was answered is to be seen at once, however fresh the last look is.
    assert (await line.answer("status"))["result"]["count"] == 1
    await line.answer("supervisor", command="void", by="Ida", why="misdeal")
    assert line.till.given == [("open", os.getuid()), ("void", "Ida", "misdeal", os.getuid())]


async def test_refusals_carry_reason_clause_and_what_is_permitted(line: Line) -> None:
    assert error_of(await line.answer("dealer", command="stand 1")) == {
        "kind": "refused",
        "code": "not-in-turn",
        "reason": "box 1 has no hand in turn",
        "clause": "3.27",
        "permitted": ["hit 2"],
        "actions": [{"text": "hit 2"}],
    }
    error = error_of(await line.answer("dealer", command="gibberish"))
    assert (error["kind"], error["code"]) == ("malformed", "unreadable-command")


async def test_an_unforeseen_failure_costs_one_answer(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with talking(path) as line:
        error = error_of(await line.answer("dealer", command="crash"))
        assert (error["kind"], error["code"]) == ("unavailable", "failed")
        assert "may have been done" in error["reason"]
        assert (await line.answer("status"))["ok"]
    assert "unforeseen" in caplog.text


async def test_pipelined_requests_are_answered_in_order(line: Line) -> None:
    for n in range(40):
        line.ask("dealer", command=f"wager {n}")
    assert [(await line.read())["id"] for _ in range(40)] == list(range(1, 41))
    assert [command for command, _ in line.till.given] == [f"wager {n}" for n in range(40)]


async def test_requests_may_arrive_byte_by_byte(line: Line) -> None:
    for byte in b'{"v":1,"id":5,"do":"status"}\n':
        line.send(bytes([byte]))
        await line.writer.drain()
    assert (await line.read())["id"] == 5


async def test_garbage_is_answered_until_it_is_too_much(path: Path) -> None:
    async with talking(path, Bounds(malformed=3)) as line:
        line.send(b"hello\n" * 3)
        errors = [error_of(await line.read()) for _ in range(4)]
        assert [error["kind"] for error in errors] == ["malformed"] * 3 + ["unavailable"]
        codes = [error["code"] for error in errors]
        assert codes == ["unreadable-request"] * 3 + ["too-many-unreadable"]
        assert await line.read() is None
        assert [a.what for a in line.till.attempts] == ["3 malformed requests"]


async def test_a_line_without_end_is_dropped(line: Line) -> None:
    line.send(b"x" * (MAX_LINE_BYTES + 1))
    assert "at most" in error_of(await line.read())["reason"]
    assert error_of(await line.read())["kind"] == "unavailable"
    assert await line.read() is None
    assert line.till.given == []
    assert [a.what for a in line.till.attempts] == ["a line too long"]


async def test_who_stops_sending_still_gets_his_answers(line: Line) -> None:
    line.ask("dealer", command="open")
    line.ask("status")
    line.send(b'{"v":1,"id":9,"do":"dealer","command":"half a line')
    line.writer.write_eof()
    assert (await line.read())["id"] == 1
    assert (await line.read())["result"]["count"] == 1
    assert await line.read() is None
    assert [command for command, _ in line.till.given] == ["open"]


async def test_a_command_in_hand_is_finished_when_its_client_is_gone(
    line: Line, path: Path
) -> None:
    async with connected(path) as other:
        other.ask("dealer", command="wait")
        while not line.till.given:
            await line.answer("status")
    line.till.go.set()
    while line.till.count == 0:
        await line.answer("status")


async def test_a_watcher_sees_now_and_every_last_change(line: Line) -> None:
    line.ask("watch")
    assert (await line.read())["result"]["count"] == 0
    for _ in range(100):
        line.till.commit()
    assert (await line.read())["result"]["count"] == 100
    error = error_of(await line.answer("watch"))
    assert "watches already" in error["reason"]


async def test_a_slow_watcher_gets_the_latest_and_holds_nobody_up(path: Path) -> None:
    async with talking(path, Bounds(watch_interval_s=0)) as line:
        async with connected(path) as slow:
            slow.reader._limit = 10  # type: ignore[attr-defined]  # reads nothing but its socket's
            slow.ask("watch")
            for _ in range(2000):
                line.till.commit()
                await asyncio.sleep(0)
            assert (await line.answer("status"))["result"]["count"] == 2000
        assert line.till.asked <= 2000


async def test_who_does_not_take_his_answers_is_dropped(path: Path) -> None:
    async with talking(path, Bounds(slow_s=0.05, requests_per_s=1e6, malformed=3)) as line:
        async with connected(path) as deaf:
            deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
            deaf.send(b'{"v":1,"id":1,"do":"status"}\n' * 200_000)
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                await asyncio.wait_for(deaf.writer.drain(), 20)
        assert (await line.answer("status"))["ok"]


async def test_a_silent_client_loses_its_place(path: Path) -> None:
    async with talking(path, Bounds(idle_s=0.02)) as line:
        assert "no request for" in error_of(await line.read())["reason"]
        assert await line.read() is None


async def test_places_are_limited(path: Path) -> None:
    async with talking(path, Bounds(clients=2)) as line:
        await line.answer("status")
        async with connected(path) as other:
            await other.answer("status")
            async with connected(path) as third:
                assert "places are taken" in error_of(await third.read())["reason"]
                assert await third.read() is None
        assert [a.what for a in line.till.attempts] == ["one more connection"]
        while True:  # a place that was left is free again
            async with connected(path) as fourth:
                with suppress(BrokenPipeError):  # turned away before he has asked
                    if (await fourth.answer("status"))["ok"]:
                        break


async def test_a_flood_waits_its_turn(path: Path) -> None:
    async with talking(path, Bounds(burst=2, requests_per_s=100)) as line:
        begun = asyncio.get_running_loop().time()
        for _ in range(3):  # some requests too many at once are no flood
            await line.answer("status")
        assert line.till.attempts == []
        for _ in range(9):
            await line.answer("status")
        assert asyncio.get_running_loop().time() - begun >= 0.09
        assert [a.what for a in line.till.attempts] == ["a flood of requests"]


async def test_the_end_is_told_and_what_is_in_hand_is_answered(path: Path) -> None:
    server = serving(path)
    till = await server.__aenter__()
    async with connected(path) as line:
        line.ask("dealer", command="wait")
        while not till.given:
            await asyncio.sleep(0)
        till.go.set()
        await server.__aexit__(None, None, None)
        assert (await line.read())["ok"] is True
        assert "stops" in error_of(await line.read())["reason"]
        assert await line.read() is None
    assert not path.exists()


async def test_a_command_that_hangs_does_not_hold_up_the_end(path: Path) -> None:
    server = serving(path)
    till = await server.__aenter__()
    async with connected(path) as line:
        line.ask("dealer", command="wait")
        while not till.given:
            await asyncio.sleep(0)
        await server.__aexit__(None, None, None)
        assert error_of(await line.read())["kind"] == "unavailable"
