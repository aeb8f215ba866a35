"""How many connections one turn of the loop accepts, and one second."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.control.address import BACKLOG
from controller.control.serving.acceptor import AT_ONCE, BURST, PER_S, Acceptor


class Hall:
    """A listening socket, those who connect to it, and those who were accepted."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._path = str(path)
        self._stack = stack
        self.listening = stack.enter_context(socket.socket(socket.AF_UNIX))
        self.listening.bind(self._path)
        self.listening.listen(BACKLOG)
        self.listening.setblocking(False)
        self.accepted: list[float] = []

    def connect(self, count: int) -> None:
        for _ in range(count):
            self._stack.enter_context(socket.socket(socket.AF_UNIX)).connect(self._path)

    def came(self, connection: socket.socket) -> None:
        connection.close()
        self.accepted.append(asyncio.get_running_loop().time())


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as stack:
        yield Hall(tmp_path / "s", stack)


def test_a_turn_of_the_loop_accepts_so_many_and_no_more(hall: Hall) -> None:
    async def turns() -> list[int]:
        acceptor = Acceptor(asyncio.get_running_loop(), hall.listening, hall.came)
        acceptor.start()
        hall.connect(BACKLOG)
        found, before = [], 0
        while before < BACKLOG:
            await asyncio.sleep(0)
            found.append(len(hall.accepted) - before)
            before += found[-1]
        acceptor.close()
        return found

    found = [count for count in asyncio.run(turns()) if count]
    assert found == [AT_ONCE] * (BACKLOG // AT_ONCE)


LATE = 4
"""So many more may seem to come at once: a hundredth of a second's."""


def test_after_a_burst_they_come_at_the_pace_and_all_of_them(hall: Hall) -> None:
    async def storm() -> None:
        acceptor = Acceptor(asyncio.get_running_loop(), hall.listening, hall.came)
        acceptor.start()
        for come in range(0, 3 * BURST, BACKLOG):
            hall.connect(BACKLOG)
            while len(hall.accepted) < come + BACKLOG:
                await asyncio.sleep(0.001)
        acceptor.close()

    asyncio.run(storm())
    assert len(hall.accepted) == 3 * BURST
    for first, since in enumerate(hall.accepted):
        for last in range(first, len(hall.accepted)):
            span = hall.accepted[last] - since
            # What came first may have been written down late, on a busy machine.
            assert last - first + 1 <= BURST + span * PER_S + LATE


def test_a_failure_of_the_socket_is_not_passed_over(hall: Hall) -> None:
    """A socket that cannot be accepted from at all is no lack of descriptors."""

    async def fail() -> list[object]:
        loop, found = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda _, context: found.append(context["exception"]))
        with socket.socket(socket.AF_UNIX) as other:
            acceptor = Acceptor(loop, other, hall.came)
            acceptor.start()
            while not found:
                await asyncio.sleep(0)
            acceptor.close()
        return found

    assert {type(error) for error in asyncio.run(fail())} == {OSError}


def test_it_can_be_closed_while_it_rests(hall: Hall) -> None:
    async def rest() -> None:
        loop = asyncio.get_running_loop()
        acceptor = Acceptor(loop, hall.listening, hall.came)
        acceptor.start()
        while acceptor._resting is None:
            hall.connect(1)
            await asyncio.sleep(0)
        acceptor.close()
        acceptor.close()

    asyncio.run(rest())
