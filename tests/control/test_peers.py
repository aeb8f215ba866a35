"""Who may do what, by the kernel's word and the user database's; one that is slow, gone or wrong
costs names and roles, never the control socket."""

from __future__ import annotations

import asyncio
import grp
import json
import os
import pwd
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control import peers
from controller.control.peers import (
    MOST_AT_ONCE,
    Credentials,
    Groups,
    Lookups,
    Numbers,
    Peer,
    identify,
    nameless,
)
from controller.control.serving import server
from controller.control.serving.door import Bounds
from tests.control.support import NOBODY, connected, error_of, serving, talking

SOMEBODY = Credentials(1, 54321, 54321, frozenset())
KNOWN = Peer(1, 54321, 54321, "ida", frozenset(("dealer",)))


class Database:
    """Answers when it is let; ``asked`` counts the questions."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.asked = threading.Semaphore(0)

    def identify(self, credentials: Credentials, groups: Groups) -> Peer:
        self.asked.release()
        self.answers.wait()
        return KNOWN


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    slow = Database()
    monkeypatch.setattr(peers, "identify", slow.identify)
    yield slow
    slow.answers.set()


async def test_an_answer_in_time_counts(database: Database) -> None:
    database.answers.set()
    assert (await Lookups(NOBODY, 10.0).identify(SOMEBODY)) == KNOWN


async def test_none_in_time_makes_him_a_number(database: Database) -> None:
    assert (await Lookups(NOBODY, 0.01).identify(SOMEBODY)).name == "uid 54321"


async def test_whatever_it_fails_with_makes_him_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Peer:
        raise ValueError("the database is damaged")

    monkeypatch.setattr(peers, "identify", fail)
    assert (await Lookups(NOBODY, 10.0).identify(SOMEBODY)).roles == frozenset()


async def test_only_so_many_wait_and_places_come_back(database: Database) -> None:
    asking = Lookups(NOBODY, 10.0)
    waiting = [asyncio.create_task(asking.identify(SOMEBODY)) for _ in range(MOST_AT_ONCE)]
    await asyncio.sleep(0)
    assert (await asking.identify(SOMEBODY)).name == "uid 54321"
    database.answers.set()
    assert await asyncio.gather(*waiting) == [KNOWN] * MOST_AT_ONCE
    assert await asking.identify(SOMEBODY) == KNOWN


async def test_without_threads_he_is_a_number_and_no_place_stays_taken(
    mocker: MockerFixture,
) -> None:
    """Found in review: eight starts that failed counted as under way for ever."""
    asking = Lookups(NOBODY, 10.0)
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    for _ in range(MOST_AT_ONCE + 1):
        assert (await asking.identify(SOMEBODY)).name == "uid 54321"
    mocker.stop(start)
    mocker.patch.object(peers, "identify", return_value=KNOWN)
    assert await asking.identify(SOMEBODY) == KNOWN


def test_a_stop_does_not_wait_for_it(tmp_path: Path, database: Database) -> None:
    """Found in review: the loop's own threads are waited for when it is closed."""

    async def serve() -> None:
        async with talking(tmp_path / "s", Bounds(identify_s=60)) as line:
            line.ask("status")
            await asyncio.to_thread(database.asked.acquire)

    asyncio.run(serve())
    assert not database.answers.is_set()


async def test_the_kernels_groups_count_while_the_database_is_busy(database: Database) -> None:
    """A guest who connects again and again must not make dealers strangers."""
    with_group = replace(SOMEBODY, gids=frozenset((os.getgid(),)))
    mine = grp.getgrgid(os.getgid()).gr_name
    asking = Lookups(Groups(mine, "no-such-group"), 10.0)
    assert asking.learn() == ["no-such-group"]
    waiting = [asyncio.create_task(asking.identify(SOMEBODY)) for _ in range(MOST_AT_ONCE)]
    await asyncio.sleep(0)
    found = await asking.identify(with_group)
    database.answers.set()
    await asyncio.gather(*waiting)
    assert (found.roles, found.known) == (frozenset(("dealer",)), False)


async def test_who_could_not_be_looked_up_is_told_to_try_again(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He may be in the group: it is no attempt of his."""
    monkeypatch.setattr(server, "credentials_of", lambda _: SOMEBODY)
    async with talking(tmp_path / "s", Bounds(identify_s=0.01)) as line:
        error = error_of(await line.answer("dealer", command="stand 1"))
        assert (error["kind"], line.till.attempts) == ("unavailable", [])
        assert error["reason"].endswith("connect again")


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


NOT_IN = {
    "dealer: open": f"not in the group {DAEMON}",
    "supervisor: resume": f"not in the group {ADM}",
}


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    ("how", "allowed", "tried"),
    [
        ({"uid": STRANGER, "groups": []}, [False], ["a connection"]),
        ({"uid": STRANGER, "groups": [8]}, [True, False, False], [*NOT_IN]),
        ({"uid": STRANGER, "groups": [1]}, [True, True, False], ["supervisor: resume"]),
        ({"uid": STRANGER, "groups": [4]}, [True, True, True], []),
        ({"uid": STRANGER, "groups": [], "gid": 1}, [True, True, False], ["supervisor: resume"]),
        # uid 1's own primary group is the dealers', whatever its process carries.
        ({"uid": 1, "groups": []}, [True, True, False], ["supervisor: resume"]),
        ({"uid": 0, "groups": []}, [True, True, True], []),
    ],
)
async def test_roles(
    path: Path, how: dict[str, Any], allowed: list[bool], tried: list[str]
) -> None:
    async with serving(path, GROUPS) as till:
        answers = await asyncio.to_thread(ask_as, path, **how)
    assert [answer["ok"] for answer in answers] == allowed
    errors = [answer["error"] for answer in answers if not answer["ok"]]
    assert {error["kind"] for error in errors} <= {"not_allowed"}
    assert all("group" in error["reason"] for error in errors)
    if allowed == [False]:
        turned_away = f"he is in none of the groups {DAEMON}, {ADM} or {MAIL}"
        assert errors[0]["reason"].endswith(turned_away)
    assert [attempt.what for attempt in till.attempts] == tried
    for attempt in till.attempts:
        assert attempt.why == NOT_IN.get(attempt.what, attempt.why)
        assert (attempt.uid, attempt.pid is not None) == (how["uid"], True)


@pytest.mark.needs("root")
async def test_who_only_looks_cannot_take_the_dealers_places(path: Path) -> None:
    async with serving(path, GROUPS, Bounds(guests=0)), connected(path) as root:
        (turned_away,) = await asyncio.to_thread(ask_as, path, STRANGER, [8])
        assert "only look" in turned_away["error"]["reason"]
        assert (await root.answer("dealer", command="open"))["ok"]


@pytest.mark.needs("root")
async def test_one_user_cannot_take_every_place(path: Path) -> None:
    async with serving(path, Groups(DAEMON, ADM), Bounds(same_user=0)), connected(path) as root:
        (turned_away,) = await asyncio.to_thread(ask_as, path, STRANGER, [])
        assert "places of one user" in turned_away["error"]["reason"]
        async with connected(path) as again:
            assert (await root.answer("status"))["ok"]
            assert (await again.answer("status"))["ok"]


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
