"""Whoever watches a simulator and does not read: it waits for nobody, and nobody misses the end."""

from __future__ import annotations

import json
import os
import selectors
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from simulators.server import HandsServer

STATES = 2000


class Watched:
    """A server with one channel; ``theirs`` is a socket of somebody who watches it."""

    def __init__(self, *, one_descriptor: bool) -> None:
        self.selector = selectors.DefaultSelector()
        self.server = HandsServer(self.selector, lambda request: {}, lambda: {"ready": True})
        self.theirs, ours = socket.socketpair()
        self.theirs.settimeout(10)
        reading = ours.detach()
        writing = reading if one_descriptor else os.dup(reading)
        self.server.attach(reading, writing, final=True)
        self.theirs.sendall(b'{"do": "watch"}\n')
        self.serve()

    def serve(self) -> int:
        """Do what is ready; how many descriptors were."""
        ready = self.selector.select(0)
        for key, _ in ready:
            key.data()
        return len(ready)

    def close(self) -> None:
        self.theirs.close()
        self.server.close()
        self.selector.close()


@pytest.fixture(params=[True, False], ids=["one descriptor", "two descriptors"])
def watched(request: pytest.FixtureRequest) -> Iterator[Watched]:
    watched = Watched(one_descriptor=request.param)
    yield watched
    watched.close()


def test_a_slow_watcher_misses_states_and_never_the_last(watched: Watched) -> None:
    states: list[dict[str, Any]] = [{"number": n, "filler": "x" * 500} for n in range(STATES)]
    for state in states:
        watched.server.tell_watchers(state)
    assert watched.serve() == 0  # nothing is tried again before there is room
    told: list[dict[str, Any]] = []
    lines = watched.theirs.makefile("rb")
    with lines:
        while not told or told[-1] != {"state": states[-1]}:
            told.append(json.loads(lines.readline()))
            watched.serve()
            watched.server.tell_watchers(states[-1])
    assert len(told) < STATES


def test_a_watcher_that_leaves_with_something_unread_is_forgotten(watched: Watched) -> None:
    for number in range(STATES):
        watched.server.tell_watchers({"number": number, "filler": "x" * 500})
    watched.theirs.close()
    assert watched.serve() > 0
    assert watched.server.ended
    assert watched.serve() == 0


def test_a_watcher_that_only_stops_speaking_is_forgotten_with_something_unread(
    watched: Watched,
) -> None:
    watched.server.tell_watchers(
        {"filler": "x" * (1 << 21)}
    )  # more than there is room for at any time
    for _ in range(3):  # so that its descriptors can be read and written at once
        watched.theirs.recv(1 << 16, socket.MSG_WAITALL)
    watched.theirs.shutdown(socket.SHUT_WR)
    assert watched.serve() > 0
    assert watched.server.ended
    assert watched.serve() == 0
