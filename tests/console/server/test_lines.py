"""The console's connection to the daemon, where that has hung up meanwhile."""

from __future__ import annotations

from pathlib import Path

from console.acting import SocketLine
from controller.control.bounds import Bounds
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
