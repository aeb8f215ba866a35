"""What the process that speaks to witnesses asks over the control socket: for its user, and nobody
else."""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.control.client import ControlClient
from controller.control.peers import Credentials, Groups, identify, nameless
from controller.control.protocol import Request
from tests.control.support import serving
from tests.control.test_peers import ASK, STRANGER

WITNESS = pwd.getpwnam("nobody")
GROUPS = Groups("no-such-group-d", "no-such-group-s", witness=WITNESS.pw_name)


class Window:
    """Tells what it was asked."""

    async def entries(self, after: int, most: int) -> Mapping[str, Any]:
        return {"lines": [str(after), str(most)]}

    async def checkpoint(self, after: int, old: int) -> Mapping[str, Any]:
        return {"checkpoint": "", "size": after, "proof": [str(old)], "cosigned": {}}

    async def subtree(self, start: int, end: int, size: int) -> Mapping[str, Any]:
        return {"proof": [str(start), str(end), str(size)]}

    async def witnessed(self, request: Request) -> Mapping[str, Any]:
        told = (request.name, request.size, request.time, request.answer)
        return {"told": [*told, *request.cosignatures]}


REQUESTS: list[dict[str, object]] = [
    {"do": "entries", "after": 7, "most": 2},
    {"do": "checkpoint", "after": 5},
    {
        "do": "witnessed",
        "name": "w1",
        "size": 3,
        "time": 4,
        "answer": "200",
        "cosignatures": ["— x"],
    },
    {"do": "subtree", "start": 256, "end": 300, "size": 400},
    {"do": "status"},
    {"do": "dealer", "command": "open"},
    {"do": "round", "number": "last"},
]


def ask(path: Path, uid: int, gid: int) -> list[Any]:
    lines = [json.dumps({"v": 1, "id": number, **one}) for number, one in enumerate(REQUESTS, 1)]
    command = [sys.executable, "-c", ASK, json.dumps([uid, gid, []]), str(path), *lines]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return [json.loads(line) for line in done.stdout.splitlines() if line]


async def answers(
    path: Path, uid: int, gid: int, groups: Groups = GROUPS
) -> tuple[list[Any], list[str]]:
    """What a process of that user is answered, and the attempts that were noted."""
    async with serving(path, groups, witnesses=Window()) as till:
        told = await asyncio.to_thread(ask, path, uid, gid)
        return told, [attempt.what for attempt in till.attempts]


@pytest.mark.needs("root")
async def test_that_user_needs_no_group_and_plays_nothing(path: Path) -> None:
    told, attempts = await answers(path, WITNESS.pw_uid, WITNESS.pw_gid)
    assert [one["ok"] for one in told] == [True, True, True, True, True, False, False]
    assert told[0]["result"] == {"lines": ["7", "2"]}
    assert told[1]["result"]["proof"] == ["0"]
    assert told[2]["result"] == {"told": ["w1", 3, 4, "200", "— x"]}
    assert told[3]["result"] == {"proof": ["256", "300", "400"]}
    assert {one["error"]["kind"] for one in told[5:]} == {"not_allowed"}
    assert attempts == ["dealer: open", "round: last"]


@pytest.mark.needs("root")
async def test_who_is_another_user_is_refused_and_that_he_asked_is_kept(path: Path) -> None:
    viewers = Groups("no-such-group-d", "no-such-group-s", "mail", witness="no-such-user")
    told, attempts = await answers(path, STRANGER, 8, viewers)
    assert [one["ok"] for one in told] == [False, False, False, False, True, False, False]
    assert told[0]["error"]["kind"] == "not_allowed"
    assert "he is not the user no-such-user" in told[0]["error"]["reason"]
    assert attempts[:4] == ["entries: ", "checkpoint: ", "witnessed: w1", "subtree: "]


async def test_the_daemons_own_user_may_as_well(path: Path) -> None:
    def ask() -> object:
        with ControlClient(path) as client:
            assert client.checkpoint(5, 3)["proof"] == ["3"]
            assert client.entries(7, 2) == ["7", "2"]
            assert client.subtree(0, 5, 9) == ["0", "5", "9"]
            return client.witnessed("w1", 3, 4, ("— x",), "409 5")["told"]

    async with serving(path, witnesses=Window()):
        assert await asyncio.to_thread(ask) == ["w1", 3, 4, "409 5", "— x"]


def test_the_kernels_word_is_enough() -> None:
    """The user database may not answer; and the user is let in past a crowd of strangers."""
    numbers = GROUPS.numbers()
    seen = Credentials(1, WITNESS.pw_uid, WITNESS.pw_gid, frozenset({WITNESS.pw_gid}))
    for peer in (nameless(seen, numbers), identify(seen, GROUPS)):
        assert peer.roles == {"witness"}
        assert peer.may_look
    assert WITNESS.pw_gid in numbers.known
    assert os.getuid() != WITNESS.pw_uid
