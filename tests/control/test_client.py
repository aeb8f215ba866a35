"""The blocking client: what it answers when the controller does, and when it does not."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from controller.control.client import (
    ControlClient,
    NoController,
    OutcomeUnknown,
    RefusedByController,
)
from tests.control.support import Till, controller


@contextmanager
def impostor(path: Path, answer: bytes) -> Iterator[None]:
    """Answers the first line it gets with ``answer`` and hangs up."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(1)

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            thread.join(10)


def test_commands_and_status(path: Path) -> None:
    with controller(path), ControlClient(path) as client:
        assert client.dealer("open") == {"prompt": "next"}
        assert client.supervisor("void", "Ida", "misdeal") == {}
        assert client.status() == {"table": "P12", "count": 2}


def test_a_refusal_has_everything_that_was_said(path: Path) -> None:
    with controller(path), ControlClient(path) as client:
        with pytest.raises(RefusedByController) as caught:
            client.dealer("stand 1")
        assert (caught.value.kind, caught.value.clause) == ("refused", "3.27")
        assert caught.value.permitted == ["hit 2"]
        assert client.status()["count"] == 0


def test_watching_ends_with_the_controller(path: Path) -> None:
    with ExitStack() as stack:
        with controller(path) as has:
            states = stack.enter_context(ControlClient(path)).watch()
            assert next(states)["count"] == 0
            has(Till.commit)
            assert next(states)["count"] == 1
        with pytest.raises(NoController, match="stops"):
            next(states)


def test_nobody_there(path: Path) -> None:
    with pytest.raises(NoController, match=str(path)):
        ControlClient(path)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with pytest.raises(NoController):
        ControlClient(path)


@pytest.mark.parametrize("answer", [b"", b"what?\n", b"[]\n", b'{"id":1,"ok":true}\n', b"{"])
def test_an_answer_that_is_none(path: Path, answer: bytes) -> None:
    unknown = pytest.raises(OutcomeUnknown, match="may have been done")
    with impostor(path, answer), ControlClient(path) as client, unknown:
        client.dealer("open")
    path.unlink()
    down = pytest.raises(NoController)
    with impostor(path, answer), ControlClient(path) as client, down as caught:
        client.status()
    assert not isinstance(caught.value, OutcomeUnknown)


def test_an_answer_that_does_not_come(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(1)
        unknown = pytest.raises(OutcomeUnknown, match="in time")
        with ControlClient(path, answer_s=0.02) as client, unknown:
            client.dealer("open")


@contextmanager
def crowded(path: Path) -> Iterator[socket.socket]:
    """A listener at which nobody more can be kept waiting."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(path))
        listener.listen(0)
        while True:
            waiting = stack.enter_context(socket.socket(socket.AF_UNIX))
            waiting.setblocking(False)
            try:
                waiting.connect(str(path))
            except BlockingIOError:
                break
        yield listener


def test_a_crowd_before_the_controller_is_waited_for(path: Path) -> None:
    connected = threading.Event()

    def connect() -> None:
        with ControlClient(path):
            connected.set()

    with crowded(path) as listener, ExitStack() as stack:
        client = threading.Thread(target=connect)
        client.start()
        listener.setblocking(False)
        while client.is_alive():
            client.join(0.01)
            with suppress(BlockingIOError):
                stack.enter_context(listener.accept()[0])
    assert connected.is_set()


def test_a_crowd_that_is_never_let_in_is_no_controller(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.control.client.CONNECT_S", 0.02)
    begun = time.monotonic()
    with crowded(path), pytest.raises(NoController, match="so many others wait to be let in"):
        ControlClient(path)
    assert time.monotonic() - begun >= 0.02
