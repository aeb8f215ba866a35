"""Strangers in a crowd are refused by the kernel for a while; the groups are not."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from controller.control.address import MODE, ControlAddress
from controller.control.serving import acceptor
from controller.control.serving.acceptor import STRANGERS, Shutter
from tests.control.support import open_to_all
from tests.control.test_peers import STRANGER

CONNECT = """
import os, socket, sys
path, uid, groups = sys.argv[1], int(sys.argv[2]), [int(one) for one in sys.argv[3:]]
os.setgroups(groups), os.setgid(uid), os.setuid(uid)
try:
    socket.socket(socket.AF_UNIX).connect(path)
except PermissionError:
    sys.exit(13)
"""


def gets_in(path: Path, *groups: int) -> bool:
    """Whether the kernel lets a user of these groups connect."""
    done = subprocess.run(
        [sys.executable, "-c", CONNECT, str(path), str(STRANGER), *map(str, groups)],
        check=False,
        timeout=20,
    )
    assert done.returncode in (0, errno.EACCES)
    return done.returncode == 0


@pytest.mark.needs("root")
def test_a_file_that_admits_groups_and_then_everybody_again() -> None:
    with open_to_all() as path:
        address = ControlAddress(path)
        assert gets_in(path)
        address.admit_only({1, 4})
        assert [gets_in(path), gets_in(path, 1), gets_in(path, 4, 8), gets_in(path, 8)] == [
            *(False, True, True, False)
        ]
        with socket.socket(socket.AF_UNIX) as root:
            root.connect(os.fspath(path))
        address.admit_all()
        assert gets_in(path)
        assert stat.S_IMODE(path.stat().st_mode) == MODE
        address.release()
        address.admit_all()  # too late, and no harm


class Gate(ControlAddress):
    """The socket's file; ``fails``: it has no access lists."""

    def __init__(self, *, fails: bool = False) -> None:
        self.said: list[object] = []
        self._fails = fails

    def admit_only(self, gids: Collection[int]) -> None:
        self.said.append(set(gids))
        if self._fails:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    def admit_all(self) -> None:
        self.said.append("all")


def crowd(gate: Gate, count: int, *, until: int) -> None:
    """So many strangers are turned away; then wait until so much was said to the file."""

    async def come() -> None:
        shut = Shutter(gate, lambda: {7})
        for _ in range(count):
            shut.turned_away()
        while len(gate.said) < until:
            await asyncio.sleep(0)
        shut.close()

    asyncio.run(come())


def test_some_strangers_are_heard() -> None:
    gate = Gate()
    crowd(gate, STRANGERS, until=0)
    assert gate.said == []


def test_more_are_refused_once_and_let_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptor, "SHUT_S", 0.01)
    gate = Gate()
    crowd(gate, 3 * STRANGERS, until=2)
    assert gate.said == [{7}, "all"]


def test_at_the_end_it_is_left_shut() -> None:
    gate = Gate()
    crowd(gate, 3 * STRANGERS, until=1)
    assert gate.said == [{7}]


def test_without_access_lists_it_is_tried_once(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate(fails=True)
    crowd(gate, 3 * STRANGERS, until=1)
    assert gate.said == [{7}]
    assert "cannot be kept" in caplog.text
