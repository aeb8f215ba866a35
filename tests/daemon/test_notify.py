"""What the service manager is told, and that nothing waits for it."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.daemon.notify import Notifier

MORE_THAN_IT_HOLDS = 10_000


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A service manager's socket."""
    path = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", os.fspath(path))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.fspath(path))
        yield manager


def test_states_are_lines_of_one_datagram(manager: socket.socket) -> None:
    Notifier().send("READY=1", "STATUS=idle")
    assert manager.recv(4096) == b"READY=1\nSTATUS=idle"


def test_a_manager_that_does_not_read_is_not_waited_for(manager: socket.socket) -> None:
    notifier = Notifier()

    sent: list[bool] = []

    def tell() -> None:
        sent.extend(notifier.send(f"WATCHDOG={number}") for number in range(MORE_THAN_IT_HOLDS))

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    telling.join(60)
    assert not telling.is_alive()
    assert sent[0]
    assert not sent[-1], "whoever sends knows that it was not taken"
    assert manager.recv(4096) == b"WATCHDOG=0"
    assert notifier.send("READY=1")


def test_without_a_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "half")
    notifier = Notifier()
    assert notifier.send("READY=1"), "there is nobody to say it to again"
    assert notifier.watchdog_s == 0.0
