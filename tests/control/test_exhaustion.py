"""A process that has no descriptors left goes on with those it has, and recovers."""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.control.serving.door import Bounds
from tests.control.support import connected, serving

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
