"""The server of the metrics: clients that are never done asking, and a machine without threads."""

from __future__ import annotations

import contextlib
import http.client
import socket
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from pytest_mock import MockerFixture

from exporter import serving
from tests.exporter.test_process import OnSocket, asked

PATIENCE_S = 20.0


def test_who_sends_a_letter_now_and_then_loses_his_place(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(serving, "SERVED_S", 0.3)
    path = tmp_path / "metrics.sock"
    served = serving.on_socket(path, CollectorRegistry())
    try:
        with contextlib.ExitStack() as stack:
            slow = [stack.enter_context(_connected(path)) for _ in range(serving.PLACES)]
            assert all(_hung_up_while_asking(one) for one in slow)
        assert asked(OnSocket(path))[0] == 200
    finally:
        served.close()


def test_a_client_for_whom_there_was_no_thread_takes_no_place(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    path = tmp_path / "metrics.sock"
    served = serving.on_socket(path, CollectorRegistry())
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    for _ in range(serving.PLACES):
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            asked(OnSocket(path))
    mocker.stop(start)
    assert asked(OnSocket(path))[0] == 200
    served.close()


def _connected(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE_S)
    made.connect(str(path))
    return made


def _hung_up_while_asking(client: socket.socket) -> bool:
    """Whether a client who sends a letter now and then, is hung up on."""
    client.settimeout(0.1)
    for _ in range(40):
        try:
            client.sendall(b"G")
            if client.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False
