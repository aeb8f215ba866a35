"""Work beside the loop: whatever becomes of it, the loop hears of it once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from pytest_mock import MockerFixture

from controller.daemon.outside import in_a_thread


def heard(work: Callable[[], str]) -> str:
    """What the loop was told."""

    async def whole() -> str:
        loop = asyncio.get_running_loop()
        told: asyncio.Future[str] = loop.create_future()
        in_a_thread(loop, work, told.set_result, lambda error: f"lost: {error}")
        return await asyncio.wait_for(told, 20)

    told = asyncio.run(whole())
    for thread in threading.enumerate():
        if thread.name == "aside":
            thread.join(20)
    return told


def test_what_was_done() -> None:
    assert heard(lambda: "done") == "done"


def test_what_failed(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> str:
        raise ValueError("unforeseen")

    assert heard(fail) == "lost: unforeseen"
    assert "unforeseen" in caplog.text


def test_what_could_not_begin(mocker: MockerFixture) -> None:
    mocker.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread"))
    assert "no thread can be started" in heard(lambda: "never")
