"""Who begins uploads and never ends them: in bounds of number and memory, and in nobody's way."""

from __future__ import annotations

import asyncio
import gzip
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.types import Message

from floor.collector.bodies import RequestBody
from floor.collector.entries import ALL, OF_ONE_LOG, OWN, SHARED, STALLED_S, UploadPlaces
from floor.protocol.answers import Refusal
from floor.protocol.uploads import MOST_PACKAGE
from tests.floor.collectors import Collecting
from tests.floor.uploads import head_of
from tests.witness.stock import PATIENCE_S, until

needs_postgresql = pytest.mark.needs("postgresql")


class Sender:
    """A client whose body is read, and what of it has come."""

    def __init__(self) -> None:
        self._sent: asyncio.Queue[Message] = asyncio.Queue()
        self.body = RequestBody(Request({"type": "http", "headers": []}, self._sent.get))
        self._read = asyncio.create_task(self.body.content(1 << 30))

    async def ended(self) -> None:
        """Until nothing more of it is read."""
        async with asyncio.timeout(PATIENCE_S):
            assert await self._read == b""


async def senders(count: int) -> list[Sender]:
    made = [Sender() for _ in range(count)]
    while not all(one.body.waits for one in made):
        await asyncio.sleep(0)
    return made


async def test_who_comes_late_takes_the_place_of_the_oldest_that_brought_nothing() -> None:
    now = [0.0]
    places = UploadPlaces(lambda: now[0])
    with ExitStack() as going:
        clients = await senders(OF_ONE_LOG + 2)
        taken = []
        for client in clients:
            now[0] += 1
            taken.append(going.enter_context(places.place("a", client.body)))
            if client is clients[0]:
                places.stored(taken[0])
        assert [one.ended for one in taken] == [False, True, True, False, False, False]
        now[0] = STALLED_S
        await clients[1].ended()
        for one in taken[3:]:
            places.stored(one)
        now[0] += STALLED_S - 0.5
        places.stored(taken[3])
        now[0] += 0.5
        late = await senders(3)
        for client in late:
            places.stored(going.enter_context(places.place("a", client.body)))
        assert [one.ended for one in taken] == [True, True, True, False, True, True]
        with pytest.raises(Refusal, match="too many"):
            going.enter_context(places.place("a", clients[0].body))
        going.enter_context(places.place("b", clients[0].body))
        for client in (*clients, *late):
            client.body.cut()
            await client.ended()


async def test_all_logs_share_places_and_memory() -> None:
    now = [0.0]
    places = UploadPlaces(lambda: now[0])
    with ExitStack() as going:
        clients = await senders(ALL + 1)
        taken = []
        for number, client in enumerate(clients):
            now[0] += 1
            taken.append(going.enter_context(places.place(f"{number}", client.body)))
        assert [one.ended for one in taken] == [True, *[False] * ALL]
        assert all(places.hold(one, OWN) for one in taken[1:]), "each has that for itself"
        each = SHARED // 4
        assert all(places.hold(one, OWN + each) for one in taken[1:5])
        assert places.hold(taken[9], OWN + 1)
        assert [one.ended for one in taken[1:]] == [True, *[False] * (ALL - 1)]
        for one in taken[2:]:
            places.stored(one)
        assert not places.hold(taken[10], OWN + each), "all others go on"
        assert places.hold(taken[11], OWN)
        for client in clients:
            client.body.cut()
            await client.ended()


def most_memory(collector: Collecting) -> int:
    text = Path(f"/proc/{collector.program.pid}/status").read_text(encoding="ascii")
    return int(text.split("VmHWM:")[1].split()[0]) << 10


@needs_postgresql
def test_packages_that_are_never_whole_take_little_memory(collector: Collecting) -> None:
    """Nobody needs a key to begin an upload. Some bytes of gzip stand for 16 MiB."""
    logs = [collector.logs.pop() for _ in range(ALL // OF_ONE_LOG)]
    until(lambda: collector.submit(logs[0], 0, 600).status == 200, "it answers")
    before = most_memory(collector)
    for log in logs[1:]:
        assert collector.submit(log, 0, 600).status == 200
    with ExitStack() as going:
        for log in logs:
            most = head_of(log.origin, 0, 600) + b"\xff\xff" * (MOST_PACKAGE // 2 - 4096)
            body = gzip.compress(most, 1)
            for _ in range(OF_ONE_LOG):
                sent = collector.begun(body, len(body) + 1, "Content-Encoding: gzip")
                going.enter_context(sent)
        quick = collector.logs.pop()
        assert collector.submit(quick, 0, 600).status == 200
        assert collector.is_mirrored(collector.upload(quick, 0, 600), quick, 600)
        until(lambda: b'status="503"' in collector.get("/metrics").body, "some are ended")
    assert most_memory(collector) - before < 256 << 20


@needs_postgresql
def test_a_body_is_not_read_behind_a_log_that_nobody_knows(collector: Collecting) -> None:
    for origin in ("another", "x" * 1025):
        assert collector.add_entries(head_of(origin, 0, 600)[: len(origin) + 2]).status == 404
    assert collector.add_entries(head_of("x" * 1025, 0, 600)[:9]).status == 404
