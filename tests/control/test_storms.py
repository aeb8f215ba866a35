"""Users who connect and close in a loop, or stay: how many one turn accepts, and the dealer is
served, also by a process that has no descriptors left."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from controller.control.address import BACKLOG
from controller.control.handler import OF_ONE_USER
from controller.control.serving.acceptor import AT_ONCE, BURST, PER_S, Acceptor
from controller.control.serving.door import Bounds
from tests.control.support import connected, serving
from tests.control.test_peers import GROUPS, STRANGER

CROWD = 60
SPARE = 12
"""Descriptors that are left to the process, many fewer than there are in the crowd."""

STAND_THERE = """
import socket, sys
sys.stdin.readline()
crowd = [socket.socket(socket.AF_UNIX) for _ in range(int(sys.argv[2]))]
for one in crowd:
    one.setblocking(False)
    try:
        one.connect(sys.argv[1])
    except BlockingIOError:
        pass
print("there", flush=True)
sys.stdin.read()
"""


@contextmanager
def crowd(path: Path) -> Iterator[Callable[[], None]]:
    """Many who connect when they are told, say nothing and stay."""
    process = subprocess.Popen(
        [sys.executable, "-c", STAND_THERE, str(path), str(CROWD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    into, out = process.stdin, process.stdout

    def come() -> None:
        into.write(b"\n")
        into.flush()
        assert out.readline() == b"there\n"

    try:
        yield come
    finally:
        into.close()
        out.close()
        process.wait(10)


@contextmanager
def few_descriptors() -> Iterator[None]:
    """No more than some beyond those that are open."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = {int(name) for name in os.listdir("/proc/self/fd")}  # noqa: PTH208
    free = (number for number in itertools.count() if number not in taken)
    limit = next(itertools.islice(free, SPARE, None))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


async def test_who_is_connected_is_served_and_others_are_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "control.sock"
    async with serving(path, bounds=Bounds(clients=200)) as till, connected(path) as line:
        assert (await line.answer("status"))["ok"]
        with crowd(path) as come:
            with few_descriptors():
                come()
                for _ in range(20):
                    assert (await line.answer("dealer", command="open"))["ok"]
            assert "out of system resource" in caplog.text
        assert till.count == 20
        async with connected(path) as another:
            assert (await another.answer("status"))["ok"]


STORMS = 16
DEALER = STRANGER + 1
DEALERS_GROUP = 1

STORM = """
import os, signal, socket, sys
path, waits, uid, groups = sys.argv[1], sys.argv[2] == "waits", int(sys.argv[3]), sys.argv[4:]
os.setgroups([int(one) for one in groups]), os.setgid(uid), os.setuid(uid)
children = []
for _ in range(STORMS):
    if child := os.fork():
        children.append(child)
        continue
    while True:
        with socket.socket(socket.AF_UNIX) as one:
            one.setblocking(waits)
            try:
                one.connect(path)
            except (BlockingIOError, PermissionError):
                pass
print("there", flush=True)
sys.stdin.read()
for child in children:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
""".replace("STORMS", str(STORMS))

VISIT = """
import os, socket, sys
path, uid, group, count = sys.argv[1], *map(int, sys.argv[2:])
os.setgroups([group]), os.setgid(uid), os.setuid(uid)
for _ in range(count):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(path)
        one.sendall(b'{"v":1,"id":1,"do":"dealer","command":"open"}\\n')
        print(one.makefile().readline(), end="", flush=True)
"""


@contextmanager
def storms(path: Path, *, waits: bool, groups: tuple[int, ...] = ()) -> Iterator[None]:
    """Processes of one user; those that do not wait for their turn try again at once."""
    how = "waits" if waits else "tries"
    process = subprocess.Popen(
        [sys.executable, "-c", STORM, str(path), how, str(STRANGER), *map(str, groups)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        assert process.stdout.readline() == "there\n"
        yield
    finally:
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


async def visits(path: Path, count: int) -> list[bool]:
    """Whether the dealer's commands were done, each over a connection of its own."""
    dealing = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", VISIT, str(path), str(DEALER), str(DEALERS_GROUP), str(count)),
        stdout=subprocess.PIPE,
    )
    told, _ = await dealing.communicate()
    return [json.loads(line)["ok"] for line in told.splitlines()]


VISITS = 30


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    ("waits", "groups"),
    [(True, (DEALERS_GROUP,)), (False, ())],
    ids=["another dealer", "strangers who do not wait"],
)
async def test_a_dealer_is_served_among_storms_and_is_no_attempt(
    path: Path, waits: bool, groups: tuple[int, ...]
) -> None:
    async with serving(path, GROUPS) as till, connected(path) as other:
        with storms(path, waits=waits, groups=groups):
            while not till.attempts:
                assert (await other.answer("status"))["ok"]
            assert await visits(path, VISITS) == [True] * VISITS
            assert till.count == VISITS
    assert {attempt.uid for attempt in till.attempts} == {STRANGER}
    assert len(till.attempts) <= OF_ONE_USER + 1
    assert sum(attempt.count for attempt in till.attempts) > OF_ONE_USER


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


async def test_after_a_burst_they_come_at_the_pace_and_all_of_them(hall: Hall) -> None:
    acceptor = Acceptor(asyncio.get_running_loop(), hall.listening, hall.came)
    acceptor.start()
    for come in range(0, 3 * BURST, BACKLOG):
        hall.connect(BACKLOG)
        while len(hall.accepted) < come + BACKLOG:
            await asyncio.sleep(0.001)
    acceptor.close()
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


async def test_it_can_be_closed_while_it_rests(hall: Hall) -> None:
    loop = asyncio.get_running_loop()
    acceptor = Acceptor(loop, hall.listening, hall.came)
    acceptor.start()
    while acceptor._resting is None:
        hall.connect(1)
        await asyncio.sleep(0)
    acceptor.close()
    acceptor.close()
