"""The counters over the control socket: for supervisors, and nobody else."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from controller.control.address import ControlAddress
from controller.control.client import ControlClient
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.control.serving.server import ControlServer
from controller.control.serving.session import Session
from tests.control.support import NOBODY, Till, controller


def asked(path: Path, *roles: Any) -> Any:
    """What somebody with those roles is answered, and what is kept of it."""

    async def whole() -> Any:
        till = Till(count=3)
        server = ControlServer(ControlAddress(path), till, NOBODY)
        await server.start()
        try:
            session = Session(Peer(1, 1, 1, "ida", frozenset(roles)), time.monotonic)
            answering = asyncio.create_task(server.answer(Request(1, "counters"), session))
            return json.loads(await answering)
        finally:
            await server.close()

    return asyncio.run(whole())


def test_a_supervisor_is_told(tmp_path: Path) -> None:
    told = asked(tmp_path / "control.sock", "supervisor")
    assert told == {"v": 1, "id": 1, "ok": True, "result": {"total": {"rounds": 3}}}


@pytest.mark.parametrize("roles", [(), ("dealer",)])
def test_nobody_else_is(tmp_path: Path, roles: tuple[Any, ...]) -> None:
    error = asked(tmp_path / "control.sock", *roles)["error"]
    assert error["kind"] == "not_allowed"
    assert error["reason"].startswith("ida may not see the counters: he is not in the group")


def test_the_client_asks_for_them(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with controller(path), ControlClient(path) as client:
        assert client.counters() == {"total": {"rounds": 0}}
