"""The disk that forgets: what was flushed is there after a cut, what was not may be."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hil_tests.benches.vm.disk import (
    BEFORE,
    BLOCK_BYTES,
    FLUSHED,
    INSIDE,
    JBD2_RECORD,
    RECORDED,
    UNRECORDED,
    WRITTEN,
    VolatileDisk,
)

BLOCKS = 8
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FUA = 1


class Nbd:
    """A client of the protocol, as far as a test needs one."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(str(path))
        assert self._take(18) == b"NBDMAGIC" + b"IHAVEOPT" + struct.pack(">H", 3)
        self.socket.sendall(struct.pack(">I", 3))
        self._option(8)  # structured replies: not known
        assert self._take(20)[12:16] == struct.pack(">I", (1 << 31) + 1)
        self._option(7, struct.pack(">IH", 0, 0))
        magic, option, kind, length = struct.unpack(">QIII", self._take(20))
        assert (magic, option, kind) == (0x3E889045565A9, 7, 3)
        what, self.size, flags = struct.unpack(">HQH", self._take(length))
        assert (what, flags) == (0, 0b1101)
        assert struct.unpack(">QIII", self._take(20)) == (0x3E889045565A9, 7, 1, 0)

    def ask(self, kind: int, offset: int = 0, data: bytes = b"", flags: int = 0) -> int:
        """One request; the error that is answered."""
        self.send(kind, offset, len(data), data, flags)
        return self._answer()

    def read(self, offset: int, length: int) -> bytes:
        self.send(READ, offset, length)
        assert self._answer() == 0
        return self._take(length)

    def ask_for(self, *requests: bytes) -> None:
        """Writes; b"" is a flush."""
        for data in requests:
            self.ask(WRITE if data else FLUSH, 0, data)

    def write_words(self, *words: bytes) -> None:
        """One behind the other, each flushed; reads in between are no requests that count."""
        offset = 0
        for word in words:
            self.read(0, 1)
            self.ask(WRITE, offset, word)
            self.ask(FLUSH)
            offset += len(word)

    def send(
        self, kind: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0
    ) -> None:
        header = struct.pack(">IHHQQI", 0x25609513, flags, kind, 77, offset, length)
        self.socket.sendall(header + data)

    def _answer(self) -> int:
        magic, error, handle = struct.unpack(">IIQ", self._take(16))
        assert (magic, handle) == (0x67446698, 77)
        return int(error)

    def _option(self, option: int, data: bytes = b"") -> None:
        self.socket.sendall(b"IHAVEOPT" + struct.pack(">II", option, len(data)) + data)

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


@contextmanager
def served(folder: Path) -> Iterator[tuple[VolatileDisk, Nbd]]:
    medium = folder / "medium"
    medium.write_bytes(bytes(BLOCKS * BLOCK_BYTES))
    disk = VolatileDisk(medium, folder / "disk.sock")
    disk.serve()
    client = Nbd(disk.path)
    try:
        yield disk, client
    finally:
        client.socket.close()
        disk.close()


def test_what_was_written_is_read_before_it_is_flushed(tmp_path: Path) -> None:
    with served(tmp_path) as (disk, client):
        assert client.size == BLOCKS * BLOCK_BYTES
        assert client.ask(WRITE, BLOCK_BYTES - 2, b"four") == 0
        assert client.read(BLOCK_BYTES - 3, 6) == b"\0four\0"
        assert not any(disk.medium.read_bytes())
        assert client.ask(FLUSH) == 0
        assert disk.medium.read_bytes()[BLOCK_BYTES - 3 :][:6] == b"\0four\0"
        assert disk.flushes == 1


def test_what_is_written_through_is_flushed(tmp_path: Path) -> None:
    with served(tmp_path) as (disk, client):
        client.ask(WRITE, 0, b"now", flags=FUA)
        client.ask(WRITE, 4 * BLOCK_BYTES, b"later")
        assert disk.medium.read_bytes().rstrip(b"\0") == b"now"


def test_a_disk_that_is_taken_out_in_good_order_has_everything(tmp_path: Path) -> None:
    with served(tmp_path) as (disk, client):
        client.ask(WRITE, 0, b"kept")
    assert disk.medium.read_bytes().startswith(b"kept")


def test_an_unknown_request_is_refused_and_the_next_is_served(tmp_path: Path) -> None:
    with served(tmp_path) as (_, client):
        assert client.ask(4) == 22
        assert client.read(0, 1) == b"\0"


@given(st.lists(st.integers(0, BLOCKS - 1), max_size=20), st.data(), st.integers())
@settings(max_examples=settings().max_examples // 2)
def test_after_a_cut_each_block_is_as_flushed_or_as_written_last(
    writes: list[int], data: st.DataObject, seed: int
) -> None:
    flushed_after = data.draw(st.integers(0, len(writes)))
    safe = [bytes(BLOCK_BYTES)] * BLOCKS
    last = list(safe)
    with TemporaryDirectory() as folder, served(Path(folder)) as (disk, client):
        for number, block in enumerate(writes):
            if number == flushed_after:
                client.ask(FLUSH)
                safe = list(last)
            last[block] = bytes([number + 1]) * BLOCK_BYTES
            client.ask(WRITE, block * BLOCK_BYTES, last[block])
        client.socket.close()
        disk.cut(seed)
        medium = disk.medium.read_bytes()
        kept = [medium[at : at + BLOCK_BYTES] for at in range(0, len(medium), BLOCK_BYTES)]
        for is_there, was_safe, was_written in zip(kept, safe, last, strict=True):
            assert is_there in (was_safe, was_written)
        at_stake = sum(a != b for a, b in zip(safe, last, strict=True))
        assert disk.lost + disk.kept == at_stake


def test_chance_keeps_some_and_loses_some_the_same_for_a_seed(tmp_path: Path) -> None:
    media = []
    for seed in ("a", "a", "b"):
        with served(tmp_path) as (disk, client):
            client.ask(WRITE, 0, b"x" * BLOCKS * BLOCK_BYTES)
            client.socket.close()
            disk.cut(seed)
            assert disk.lost
            assert disk.kept
            media.append(disk.medium.read_bytes())
    assert media[0] == media[1] != media[2]


@pytest.mark.parametrize(("request_number", "done"), [(1, b""), (2, b"one"), (4, b"onetwo")])
def test_the_power_fails_before_a_request(request_number: int, done: bytes, tmp_path: Path) -> None:
    failed: list[bool] = []
    with served(tmp_path) as (disk, client):
        disk.before(request_number, lambda: failed.append(True))
        with pytest.raises((EOFError, OSError)):
            client.write_words(b"one", b"two", b"three")
        assert failed == [True]
        disk.cut(None)
        assert disk.medium.read_bytes().rstrip(b"\0") == done


COMMIT = (b"log", b"changed", b"", JBD2_RECORD, b"")
"""As ext4 makes one for which a file grows."""


@pytest.mark.parametrize(
    ("request_number", "place"),
    [(1, BEFORE), (2, WRITTEN), (3, WRITTEN), (4, UNRECORDED), (5, RECORDED), (6, FLUSHED)],
)
def test_it_is_told_where_in_a_commit_the_power_failed(
    request_number: int, place: str, tmp_path: Path
) -> None:
    with served(tmp_path) as (disk, client):
        disk.before(request_number, lambda: None)
        with pytest.raises((EOFError, OSError)):
            client.ask_for(*COMMIT, b"next")
        assert disk.failed == place
        assert disk.requests == request_number - 1
        assert (place in INSIDE) == (1 < request_number <= len(COMMIT))
        assert not disk.spare()
        client.socket.close()
        disk.cut("a")
        assert disk.spare()


def test_a_failure_that_is_called_off_does_not_come(tmp_path: Path) -> None:
    failed: list[bool] = []
    with served(tmp_path) as (disk, client):
        disk.before(3, lambda: failed.append(True))
        client.write_words(b"one")
        assert disk.spare()
        client.write_words(b"two")
        assert (failed, disk.failed, disk.requests) == ([], "", 4)


def test_a_client_that_stays_is_hung_up_on(tmp_path: Path) -> None:
    with served(tmp_path) as (disk, client):
        client.ask(WRITE, 0, b"kept")
        disk.close()
        with pytest.raises((EOFError, OSError)):
            client.ask(FLUSH)
        assert disk.medium.read_bytes().startswith(b"kept")


def test_nobody_need_have_connected(tmp_path: Path) -> None:
    medium = tmp_path / "medium"
    medium.write_bytes(bytes(BLOCK_BYTES))
    disk = VolatileDisk(medium, tmp_path / "disk.sock")
    disk.serve()
    disk.close()
    assert not disk.path.exists()


def test_the_next_machine_begins_with_what_the_last_has_left(tmp_path: Path) -> None:
    with served(tmp_path) as (disk, client):
        client.ask(WRITE, 0, b"first")
        client.ask(FLUSH)
        client.send(DISCONNECT)
        disk.serve()
        second = Nbd(disk.path)
        assert second.read(0, 5) == b"first"
        second.socket.close()
