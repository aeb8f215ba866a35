"""Who may do what, by the kernel's word and the user database's."""

from __future__ import annotations

import asyncio
import grp
import json
import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control.peers import Credentials, Groups, Numbers, identify, nameless
from controller.control.serving.door import Bounds
from tests.control.support import connected, open_to_all, serving

STRANGER = 54321
ASK = """
import json, os, socket, sys
from contextlib import suppress
uid, gid, groups = json.loads(sys.argv.pop(1))
os.setgroups(groups), os.setgid(gid), os.setuid(uid)
with socket.socket(socket.AF_UNIX) as s:
    s.connect(sys.argv[1])
    told = b""
    with suppress(BrokenPipeError, ConnectionResetError):  # turned away before all was said
        s.sendall(b"".join(line.encode() + b"\\n" for line in sys.argv[2:]))
        s.shutdown(socket.SHUT_WR)
    with suppress(ConnectionResetError):
        while data := s.recv(65536):
            told += data
    print(told.decode())
"""


def group_of(gid: int) -> str:
    return grp.getgrgid(gid).gr_name


DAEMON, ADM, MAIL = group_of(1), group_of(4), group_of(8)
GROUPS = Groups(DAEMON, ADM, MAIL)


def ask_as(path: Path, uid: int, groups: list[int], *, gid: int = STRANGER) -> list[Any]:
    requests = [
        {"v": 1, "id": 1, "do": "status"},
        {"v": 1, "id": 2, "do": "dealer", "command": "open"},
        {"v": 1, "id": 3, "do": "supervisor", "command": "resume"},
    ]
    done = subprocess.run(
        [
            *(sys.executable, "-c", ASK, json.dumps([uid, gid, groups]), str(path)),
            *map(json.dumps, requests),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line]


def answers_to(**asked: Any) -> list[Any]:
    async def serve(path: Path) -> list[Any]:
        async with serving(path, GROUPS):
            return await asyncio.to_thread(ask_as, path, **asked)

    with open_to_all() as path:
        return asyncio.run(serve(path))


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    ("how", "allowed"),
    [
        ({"uid": STRANGER, "groups": []}, [False]),
        ({"uid": STRANGER, "groups": [8]}, [True, False, False]),
        ({"uid": STRANGER, "groups": [1]}, [True, True, False]),
        ({"uid": STRANGER, "groups": [4]}, [True, True, True]),
        ({"uid": STRANGER, "groups": [], "gid": 1}, [True, True, False]),
        # uid 1's own primary group is the dealers', whatever its process carries.
        ({"uid": 1, "groups": []}, [True, True, False]),
        ({"uid": 0, "groups": []}, [True, True, True]),
    ],
)
def test_roles(how: dict[str, Any], allowed: list[bool]) -> None:
    answers = answers_to(**how)
    assert [answer["ok"] for answer in answers] == allowed
    for answer in answers:
        if not answer["ok"]:
            assert answer["error"]["kind"] == "not_allowed"
            assert "group" in answer["error"]["reason"]


@pytest.mark.needs("root")
def test_who_only_looks_cannot_take_the_dealers_places() -> None:
    async def serve(path: Path) -> None:
        async with serving(path, GROUPS, Bounds(guests=0)), connected(path) as root:
            (turned_away,) = await asyncio.to_thread(ask_as, path, STRANGER, [8])
            assert "only look" in turned_away["error"]["reason"]
            assert (await root.answer("dealer", command="open"))["ok"]

    with open_to_all() as path:
        asyncio.run(serve(path))


@pytest.mark.needs("root")
def test_one_user_cannot_take_every_place() -> None:
    async def serve(path: Path) -> None:
        async with serving(path, Groups(DAEMON, ADM), Bounds(same_user=0)), connected(path) as root:
            (turned_away,) = await asyncio.to_thread(ask_as, path, STRANGER, [])
            assert "places of one user" in turned_away["error"]["reason"]
            async with connected(path) as again:
                assert (await root.answer("status"))["ok"]
                assert (await again.answer("status"))["ok"]

    with open_to_all() as path:
        asyncio.run(serve(path))


def test_the_daemons_own_user_may_do_all() -> None:
    own = Credentials(1, os.geteuid(), os.getegid(), frozenset())
    none = Groups("no-such-group", "nor-this")
    every = {"dealer", "supervisor", "witness"}
    assert identify(own, none).roles == nameless(own, Numbers()).roles == every


@pytest.mark.parametrize("name", ["a\udcffb", "line\nend", "\x1b[2J", "n" * 101, ""])
def test_a_name_that_cannot_stand_in_the_journal_is_a_number(
    mocker: MockerFixture, name: str
) -> None:
    user = pwd.struct_passwd((name, "x", STRANGER, STRANGER, "", "/", "/bin/sh"))
    mocker.patch("controller.control.peers.pwd.getpwuid", return_value=user)
    mocker.patch("controller.control.peers.os.getgrouplist", return_value=[STRANGER])
    stranger = Credentials(1, STRANGER, STRANGER, frozenset((STRANGER,)))
    assert identify(stranger, Groups("no-such-group", "nor-this")).name == f"uid {STRANGER}"


def test_a_user_without_a_name_and_groups_without_members() -> None:
    stranger = Credentials(1, STRANGER, STRANGER, frozenset((STRANGER,)))
    peer = identify(stranger, Groups("no-such-group", "nor-this"))
    assert peer.name == f"uid {STRANGER}"
    assert peer.roles == nameless(stranger, Numbers()).roles == frozenset()


@pytest.mark.needs("root")
def test_who_is_in_no_group_is_turned_away_with_their_names() -> None:
    async def serve(path: Path) -> list[Any]:
        async with serving(path, Groups(DAEMON, ADM)) as till:
            (told,) = await asyncio.to_thread(ask_as, path, STRANGER, [8])
            return [told["error"], *till.attempts]

    with open_to_all() as path:
        error, attempt = asyncio.run(serve(path))
    assert error["kind"] == "not_allowed"
    assert error["reason"].endswith(f"he is in none of the groups {DAEMON} or {ADM}")
    assert (attempt.what, attempt.uid) == ("a connection", STRANGER)
