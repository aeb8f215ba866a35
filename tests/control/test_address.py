"""One process per control socket; what a killed one left is replaced, nothing else is."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from controller.control.address import AddressError, ControlAddress, SocketInUse


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
