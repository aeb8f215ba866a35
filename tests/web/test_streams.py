"""A state that is followed: whole after connecting, then what changes; the newest for whoever is
slow, no queue."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.served import PATIENCE_S, EventClient, get, served
from web import streams
from web.latest import NOTHING, LatestState
from web.streams import StateStreams


def _parts(number: int, size: int = 0) -> dict[str, object]:
    return {"number": number, "filling": f"{number}" + "x" * size}


async def _number(client: EventClient) -> int:
    return int((await client.state())["number"])


@asynccontextmanager
async def followed(latest: LatestState) -> AsyncIterator[EventClient]:
    async with (
        served(StateStreams(latest, 4), latest.end_updates) as port,
        EventClient.following(port, "/") as client,
    ):
        yield client


async def test_the_whole_state_comes_after_connecting_and_on_each_change() -> None:
    latest = LatestState(_parts(1))
    async with served(StateStreams(latest, 4), latest.end_updates) as port:
        for _ in range(2):  # whoever comes again gets it anew
            async with EventClient.following(port, "/") as client:
                assert client.headers["content-type"].startswith("text/event-stream")
                assert client.headers["x-accel-buffering"] == "no"
                begun = latest.number
                assert await _number(client) == begun + 1
                latest.put_parts(_parts(latest.number + 2))
                assert await _number(client) == begun + 2


async def test_between_states_it_says_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "ALIVE_S", 0.01)
    latest = LatestState(_parts(1))
    async with followed(latest) as client:
        before = time.monotonic_ns() // 1_000_000
        told = [await client.event() for _ in range(30)]
        assert before <= client.made_ms <= time.monotonic_ns() // 1_000_000
    assert [name for name, _ in told] == ["state"] + ["alive"] * 29


async def test_only_what_has_changed_is_sent() -> None:
    latest = LatestState({"a": 1, "b": [2], "c": "three"})
    async with followed(latest) as client:
        told = [json.loads((await client.event())[1])]
        latest.put_parts({"a": 1, "b": [2], "c": "three"})
        latest.put_parts({"a": 1, "b": [3], "d": None})
        while len(told) < 2:
            name, data = await client.event()
            told += [json.loads(data)] if name == "state" else []
    assert told == [
        {"after": None, "number": 0, "parts": {"a": 1, "b": [2], "c": "three"}, "gone": []},
        {"after": 0, "number": 1, "parts": {"b": [3], "d": None}, "gone": ["c"]},
    ]


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)), min_size=1), st.data())
def test_whoever_has_seen_any_state_is_told_the_newest(
    states: list[dict[str, int]], data: st.DataObject
) -> None:
    latest = LatestState(states[0])
    seen: list[tuple[int, dict[str, int]]] = [(NOTHING, {}), (0, states[0])]
    for state in states[1:]:
        latest.put_parts(state)
        seen.append((latest.number, state))
    number, state = data.draw(st.sampled_from(seen))
    told = json.loads(latest.since(number))
    kept = {name: value for name, value in state.items() if name not in told["gone"]}
    assert {**kept, **told["parts"]} == states[-1]
    assert told["after"] == (None if number == NOTHING else number)


def test_the_pauses_let_a_page_doubt_within_a_second() -> None:
    assert 2 * streams.ALIVE_S < 1


async def test_a_slow_browser_gets_the_newest_state_and_no_queue() -> None:
    changes, size = 400, 100_000
    latest = LatestState(_parts(1, size))
    async with (
        served(StateStreams(latest, 4), latest.end_updates) as port,
        EventClient.following(port, "/", receives=4096) as slow,
        EventClient.following(port, "/") as quick,
    ):
        for number in range(2, changes + 1):
            latest.put_parts(_parts(number, size))
            assert await _number(quick) <= number
        got = [await _number(slow)]
        while got[-1] < changes:
            got.append(await _number(slow))
    assert got == sorted(got)
    assert len(got) < changes / 4  # what lay in the buffers of two sockets, and the newest


async def test_who_finds_no_place_is_told_to_come_again() -> None:
    latest = LatestState(_parts(1))
    async with served(StateStreams(latest, 1), latest.end_updates) as port:
        async with EventClient.following(port, "/") as first:
            assert await _number(first) == 1
            refused = await get(port, "/")
            assert (refused.status, refused.headers["retry-after"]) == (503, streams.AGAIN_S)
            assert b"too many pages" in refused.body
        async with asyncio.timeout(PATIENCE_S):  # its place is free again
            while True:
                async with EventClient.following(port, "/") as next_one:
                    if next_one.status == 200:
                        assert await _number(next_one) == 1
                        return


async def test_streams_end_with_the_program() -> None:
    latest = LatestState(_parts(1))
    async with followed(latest) as client:
        assert await _number(client) == 1
        latest.put_parts(_parts(2))
        assert await _number(client) == 2
        ending = time.monotonic()
    assert time.monotonic() - ending < 5


async def test_the_kernel_lets_go_of_who_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.TAKEN_MS", 300)
    latest = LatestState(_parts(1, 4_000_000))
    streams_of_one = StateStreams(latest, 1)
    async with served(streams_of_one, latest.end_updates) as port:
        stuck = socket.create_connection(("127.0.0.1", port))
        with stuck:
            stuck.sendall(b"GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            async with asyncio.timeout(PATIENCE_S):
                while (await get(port, "/none")).status == 200:
                    await asyncio.sleep(0.05)  # until it has the place
                await _until_free(port)


async def _until_free(port: int) -> None:
    while True:
        async with EventClient.following(port, "/") as client:
            if client.status == 200:
                return
        await asyncio.sleep(0.05)
