"""A slow user database gives one user two names, and never makes him two people."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.control import peers
from controller.control.address import ControlAddress
from controller.control.peers import Credentials, Groups, Peer, identify
from controller.control.serving.door import Bounds
from controller.control.serving.server import ControlServer
from tests.control.support import NOBODY, Line, answering_of, connected
from tests.daemon.draws.generated import offered, press
from tests.daemon.house import House, open_house


class Database:
    """Answers the first question as it is, and from then on not in time."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.quick = True

    def identify(self, credentials: Credentials, groups: Groups) -> Peer:
        if not self.quick:
            self.over.wait()
        return replace(identify(credentials, groups), name="daemon")


async def void(line: Line, command: str) -> Any:
    return await line.answer("supervisor", command=command, by="Sue", why="the meter")


def test_nobody_confirms_his_own_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by an attack: he was ``daemon`` first and ``uid 0`` afterwards."""
    database, path = Database(), tmp_path / "s"
    monkeypatch.setattr(peers, "identify", database.identify)

    async def at_the_socket(house: House, *commands: str) -> list[Any]:
        server = ControlServer(
            ControlAddress(path), answering_of(house.handler), NOBODY, Bounds(identify_s=0.05)
        )
        await server.start()
        try:
            told = []
            for command in commands:
                async with connected(path) as line:
                    told.append(await void(line, command))
                database.quick = False
            return told
        finally:
            await server.close()

    async def scenario() -> None:
        async with open_house(tmp_path / "state") as house:
            await house.all_up()
            await press(house, await offered(house))
            asked, confirmed = await at_the_socket(house, "void", "confirm void")
            assert asked["ok"]
            assert "daemon asked for it" in confirmed["error"]["reason"]
            assert confirmed["error"]["code"] == "another-person"
        async with open_house(tmp_path / "state", known=house.links) as again:
            assert again.differences == []
            await again.all_up()
            (confirmed,) = await at_the_socket(again, "confirm void")
            assert "daemon asked for it" in confirmed["error"]["reason"]
            assert again.verified()
            assert [(body["user"], body["uid"]) for body in again.entries("supervisor")] == [
                ("daemon", os.getuid())
            ]
        database.over.set()

    asyncio.run(scenario())
