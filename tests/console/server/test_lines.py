"""The console's connection to the daemon, where one of them hangs up meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from console.acting import SocketLine
from controller.control.client import NoController
from controller.control.serving.door import Bounds
from tests.control.support import connected, serving

IDLE_S = 0.2


async def test_after_a_long_silence_the_next_request_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    async with serving(path, bounds=Bounds(idle_s=IDLE_S)):
        line = SocketLine(path)
        try:
            before = await line.ask("status", {})
            async with connected(path) as later:  # silent for as long, and begun behind it
                assert b"no request for" in (await later.reader.readline())
            assert await line.ask("status", {}) == before
        finally:
            await line.close()


async def test_what_is_being_asked_is_answered_before_who_left_is_out(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    async with serving(path) as till:
        line = SocketLine(path, again=False)
        asked = asyncio.create_task(line.ask("dealer", {"command": "wait"}))
        while not till.given:  # it is at the table
            await asyncio.sleep(0)
        waiting = asyncio.create_task(line.ask("dealer", {"command": "stand 2"}))
        line.retire()
        ending = asyncio.create_task(line.close_when_idle())
        till.go.set()
        assert await asked == {"prompt": "next"}
        with pytest.raises(NoController, match="nothing was done"):
            await waiting
        await ending
        assert [given[0] for given in till.given] == ["wait"]
