"""The server of the metrics, where the machine has no thread for it."""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from pytest_mock import MockerFixture

from exporter.serving import PLACES, on_socket
from tests.exporter.test_process import OnSocket, asked


def test_a_client_for_whom_there_was_no_thread_takes_no_place(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    served = on_socket(tmp_path / "metrics.sock", CollectorRegistry())
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    for _ in range(PLACES):
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            asked(OnSocket(tmp_path / "metrics.sock"))
    mocker.stop(start)
    assert asked(OnSocket(tmp_path / "metrics.sock"))[0] == 200
    served.close()
