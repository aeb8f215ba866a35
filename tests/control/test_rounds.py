"""Played rounds and the counters, over the control socket: for supervisors, and nobody else."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.control.address import ControlAddress
from controller.control.client import ControlClient
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.control.serving.rights import Session
from controller.control.serving.server import ControlServer
from tests.control.support import NOBODY, Till, answering_of, controller


class Book:
    """Tells which round it was asked for."""

    async def round(self, number: str) -> Mapping[str, Any]:
        return {"round": number}

    async def course(self, number: str) -> Mapping[str, Any]:
        return {"course": number}

    async def proof(self, number: str) -> Mapping[str, Any]:
        return {"proof": number}

    async def shift(self, which: str) -> Mapping[str, Any]:
        return {"shift": which}


COUNTERS = Request(1, "counters")
ROUND, SHIFT = Request(1, "round", number="118"), Request(1, "shift", which="2026-11-26")


def asked(path: Path, book: Book | None, *roles: Any, request: Request = ROUND) -> tuple[Any, Till]:
    """What somebody with those roles is answered, and what is kept of it."""

    async def whole() -> Any:
        till = Till()
        server = ControlServer(ControlAddress(path), answering_of(till, rounds=book), NOBODY)
        await server.start()
        try:
            session = Session(Peer(1, 1, 1, "ida", frozenset(roles)), time.monotonic)
            return json.loads(await asyncio.create_task(server.answer(request, session)))
        finally:
            await server.close()
            tills.append(till)

    tills: list[Till] = []
    return asyncio.run(whole()), tills[0]


def test_a_supervisor_is_told(tmp_path: Path) -> None:
    told, till = asked(tmp_path / "control.sock", Book(), "dealer", "supervisor")
    assert told == {"v": 1, "id": 1, "ok": True, "result": {"round": "118"}}
    assert till.attempts == []


@pytest.mark.parametrize("roles", [(), ("dealer",)])
def test_nobody_else_is_and_that_he_asked_is_kept(tmp_path: Path, roles: tuple[Any, ...]) -> None:
    told, till = asked(tmp_path / "control.sock", Book(), *roles)
    assert told["error"]["kind"] == "not_allowed"
    assert told["error"]["reason"] == (
        "ida may not see the rounds of the journal: he is not in the group no-such-group-s"
    )
    assert [attempt.what for attempt in till.attempts] == ["round: 118"]


def test_so_are_the_counters(tmp_path: Path) -> None:
    told, _ = asked(tmp_path / "control.sock", None, "supervisor", request=COUNTERS)
    assert told == {"v": 1, "id": 1, "ok": True, "result": {"total": {"rounds": 0}}}
    for roles in ((), ("dealer",)):
        told, _ = asked(tmp_path / "control.sock", None, *roles, request=COUNTERS)
        assert told["error"]["kind"] == "not_allowed"
        said = told["error"]["reason"]
        assert said.startswith("ida may not see the counters: he is not in the group")


def test_shifts_are_a_supervisors_likewise(tmp_path: Path) -> None:
    told, _ = asked(tmp_path / "control.sock", Book(), "supervisor", request=SHIFT)
    assert told["result"] == {"shift": "2026-11-26"}
    told, till = asked(tmp_path / "control.sock", Book(), "dealer", request=SHIFT)
    assert told["error"]["reason"] == (
        "ida may not see the reports on shifts: he is not in the group no-such-group-s"
    )
    assert [attempt.what for attempt in till.attempts] == ["shift: 2026-11-26"]
    told, _ = asked(tmp_path / "control.sock", None, "supervisor", request=SHIFT)
    assert told["error"]["kind"] == "unavailable"


def test_a_controller_without_a_journal_says_so(tmp_path: Path) -> None:
    told, _ = asked(tmp_path / "control.sock", None, "supervisor")
    assert told["error"]["kind"] == "unavailable"


def test_the_client_asks_for_one_or_the_last(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with controller(path, rounds=Book()), ControlClient(path) as client:
        assert client.round(7) == {"round": "7"}
        assert client.round(None) == {"round": "last"}
        assert client.request("shift", which="present") == {"shift": "present"}
        assert client.request("counters") == {"total": {"rounds": 0}}
