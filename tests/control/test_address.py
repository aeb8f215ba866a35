"""The control socket's file: one process has it, what a killed one left is replaced, and strangers
in a crowd are refused by the kernel for a while."""

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

from controller.control.address import MODE, AddressError, ControlAddress, SocketInUse
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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "control.sock"


def test_everybody_may_connect_and_nobody_may_write_the_directory(path: Path) -> None:
    before = os.umask(0o077)
    try:
        address = ControlAddress(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755
    address.release()
    address.release()
    assert not path.exists()


def test_a_second_claim_names_the_first(path: Path) -> None:
    address = ControlAddress(path)
    with pytest.raises(SocketInUse, match=f"process {os.getpid()}") as caught:
        ControlAddress(path)
    assert caught.value.pid == os.getpid()
    assert path.exists()
    address.release()
    ControlAddress(path).release()


def test_what_a_killed_process_left_is_replaced(path: Path) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert path.exists()
    address = ControlAddress(path)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    address.release()


def test_a_socket_that_somebody_answers_at_is_his_without_a_lock_too(path: Path) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen(1)
        with pytest.raises(SocketInUse):
            ControlAddress(path)
        assert path.exists()


def test_another_file_is_never_touched(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("precious")
    with pytest.raises(AddressError, match="no socket"):
        ControlAddress(path)
    assert path.read_text() == "precious"


def test_a_path_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(AddressError, match="107 bytes"):
        ControlAddress(tmp_path / ("x" * 120))
    (tmp_path / "file").touch()
    with pytest.raises(AddressError, match="cannot be made"):
        ControlAddress(tmp_path / "file" / "control.sock")


def test_release_leaves_a_successor_alone(path: Path) -> None:
    address = ControlAddress(path)
    path.unlink()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        address.release()
        assert path.exists()
