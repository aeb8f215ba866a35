"""A disk that keeps after a power cut what was flushed, and chance decides about the rest.

A server of the NBD protocol (fixed newstyle, one export, simple replies; doc/proto.md of nbd) for
one connection, QEMU's. What is written is kept in memory until the disk is flushed, or written
through (FUA). At a cut of the power each block of 4 KiB that was not flushed is in the medium or
is not, by a seed: real disks write in any order, too. Without a cut everything arrives. The power
may be made to fail between any two requests (:meth:`VolatileDisk.before`); where that was is told
in words of a commit (:attr:`VolatileDisk.failed`). It may also fail, hang or take its time with
the power on (:attr:`VolatileDisk.health`).

A commit of the journal comes as a write or two and a flush; where its file has grown ext4 writes
of that, too, and behind the flush the record by which it commits its own journal (jbd2), and a
flush again.

The medium is a file, so that what survived can be looked at, and a next machine begins with it.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path

from hil_tests.benches.vm.health import Health

BLOCK_BYTES = 4096
GREETING = b"NBDMAGIC" + b"IHAVEOPT" + struct.pack(">H", 3)  # fixed newstyle, no zeroes
OPTION_REPLY = 0x3E889045565A9
EXPORT_NAME, ABORT, INFO, GO = 1, 2, 6, 7
ACK, INFO_REPLY, UNSUPPORTED = 1, 3, (1 << 31) + 1
HAS_FLAGS_FLUSH_FUA = 0b1101
REQUEST = struct.Struct(">IHHQQI")
REQUEST_MAGIC, REPLY_MAGIC = 0x25609513, 0x67446698
READ, WRITE, DISCONNECT, FLUSH = 0, 1, 2, 3
FUA = 1
AGAIN_S = 0.1
EINVAL = 22
JBD2_RECORD = struct.pack(">II", 0xC03B3998, 2)

BEFORE = "before its first write"
WRITTEN = "written and not flushed"
UNRECORDED = "flushed, the file system's record of it not written"
RECORDED = "the file system's record of it not flushed"
FLUSHED = "after its last flush"
INSIDE = frozenset({WRITTEN, UNRECORDED, RECORDED})
"""Between the first and the last request of a commit."""


class VolatileDisk:
    """The disk whose medium is the file ``medium``, served at the Unix socket ``path``."""

    def __init__(self, medium: Path, path: Path) -> None:
        self.path = path
        self.health = Health()
        self.requests = 0
        self.flushes = 0
        self.lost = 0
        self.kept = 0
        self.failed = ""
        self._left: int | None = None
        self._last = ""
        self._fail: Callable[[], None] = lambda: None
        self._planning = threading.Lock()
        self._unflushed: dict[int, bytes] = {}
        self.medium = medium
        self._medium = os.open(medium, os.O_RDWR | os.O_CLOEXEC)
        self._size = os.fstat(self._medium).st_size
        self._thread: threading.Thread | None = None
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None

    def serve(self) -> None:
        """Take one connection, in a thread that ends with it."""
        self._end_thread()
        self.health.is_gone(False)
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._serve, args=(self._listener,), daemon=True)
        self._thread.start()

    def before(self, request: int, fail: Callable[[], None]) -> None:
        """Call ``fail`` instead of doing the ``request``-th write or flush from now (1: the next),
        and do nothing from then on; until the :meth:`cut` that follows ``failed`` says where in a
        commit that was."""
        with self._planning:
            self._fail, self._left = fail, request
            self.failed = self._last = ""

    def spare(self) -> bool:
        """Call off what :meth:`before` has planned; False where it has happened already."""
        with self._planning:
            self._left = None
            return not self.failed

    def cut(self, seed: int | str | None) -> None:
        """The power is cut: the machine is gone already. ``None``: it is not, all is written.

        ``lost`` and ``kept`` count the blocks that were at stake, over all cuts.
        """
        self._end_thread()
        self._left, self.failed = None, ""
        chance = random.Random(seed)
        for block in sorted(self._unflushed):
            if seed is None or chance.random() < 0.5:
                os.pwrite(self._medium, self._unflushed[block], block * BLOCK_BYTES)
                self.kept += seed is not None
            else:
                self.lost += 1
        self._unflushed.clear()

    def close(self) -> None:
        """All is written, the disk is taken out."""
        if self._medium >= 0:
            self.cut(None)
            os.close(self._medium)
            self._medium = -1
        self.path.unlink(missing_ok=True)

    def _end_thread(self) -> None:
        """Whoever is connected is hung up on: a machine that did not wake may live on."""
        self.health.is_gone()
        while self._thread is not None and self._thread.is_alive():
            for end in (self._listener, self._connection):
                if end is not None:
                    with contextlib.suppress(OSError):  # nobody has connected, or he is gone
                        end.shutdown(socket.SHUT_RDWR)
            self._thread.join(AGAIN_S)  # it may have accepted between the two
        self._thread = self._connection = None
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError):
            self._connection = connection = listener.accept()[0]
            with connection, connection.makefile("rb") as incoming:
                take = _Taker(incoming.read)
                connection.sendall(GREETING)
                take(4)
                if self._agree(connection, take):
                    while self._request(connection, take):
                        pass

    def _agree(self, connection: socket.socket, take: _Taker) -> bool:
        """Options until the export is entered; whether it is."""
        while True:
            _, option, length = struct.unpack(">QII", take(16))
            take(length)
            export = struct.pack(">QH", self._size, HAS_FLAGS_FLUSH_FUA)
            if option == EXPORT_NAME:
                connection.sendall(export)
                return True
            if option in (INFO, GO):
                connection.sendall(_reply(option, INFO_REPLY, struct.pack(">H", 0) + export))
                connection.sendall(_reply(option, ACK))
                if option == GO:
                    return True
            elif option == ABORT:
                connection.sendall(_reply(option, ACK))
                return False
            else:
                connection.sendall(_reply(option, UNSUPPORTED))

    def _request(self, connection: socket.socket, take: _Taker) -> bool:
        """One request; whether the next may come."""
        magic, flags, kind, handle, offset, length = REQUEST.unpack(take(REQUEST.size))
        if magic != REQUEST_MAGIC or kind == DISCONNECT:
            return False
        written = take(length) if kind == WRITE else b""
        if error := self.health.meet(kind == FLUSH):
            connection.sendall(struct.pack(">IIQ", REPLY_MAGIC, error, handle))
            return True
        if kind in (WRITE, FLUSH):
            if self._fails_at(_place_of(kind, written)):
                return False
            self.requests += 1
        data = b""
        if kind == READ:
            data = self._read_bytes(offset, length)
        elif kind == WRITE:
            self._write(offset, written)
            if flags & FUA:
                self._flush(offset, length)
        elif kind == FLUSH:
            self._flush(0, self._size)
            self.flushes += 1
        else:
            error = EINVAL
        connection.sendall(struct.pack(">IIQ", REPLY_MAGIC, error, handle) + data)
        return True

    def _fails_at(self, place: str) -> bool:
        """Whether the power fails before the request that would bring a commit to ``place``."""
        with self._planning:  # another thread plans
            if self._left is None:
                return False
            self._left -= 1
            if self._left > 0:
                self._last = place
                return False
            self._left = None
            self.failed = UNRECORDED if place == RECORDED else self._last or BEFORE
            self._fail()
            return True

    def _block(self, block: int) -> bytes:
        kept = self._unflushed.get(block)
        return kept or os.pread(self._medium, BLOCK_BYTES, block * BLOCK_BYTES)

    def _read_bytes(self, offset: int, length: int) -> bytes:
        first, end = offset // BLOCK_BYTES, -(-(offset + length) // BLOCK_BYTES)
        data = b"".join(self._block(block) for block in range(first, end))
        begin = offset - first * BLOCK_BYTES
        return data[begin : begin + length]

    def _write(self, offset: int, data: bytes) -> None:
        while data:
            block, begin = divmod(offset, BLOCK_BYTES)
            piece = data[: BLOCK_BYTES - begin]
            whole = bytearray(self._block(block))
            whole[begin : begin + len(piece)] = piece
            self._unflushed[block] = bytes(whole)
            offset, data = offset + len(piece), data[len(piece) :]

    def _flush(self, offset: int, length: int) -> None:
        first, end = offset // BLOCK_BYTES, -(-(offset + length) // BLOCK_BYTES)
        for block in [block for block in self._unflushed if first <= block < end]:
            os.pwrite(self._medium, self._unflushed.pop(block), block * BLOCK_BYTES)


class _Taker:
    """Takes exactly that number of bytes from a stream."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read

    def __call__(self, count: int) -> bytes:
        data = self._read(count)
        if len(data) < count:
            raise EOFError
        return data


def _place_of(kind: int, data: bytes) -> str:
    """Where a commit is after this request."""
    if kind == FLUSH:
        return FLUSHED
    return RECORDED if data.startswith(JBD2_RECORD) else WRITTEN


def _reply(option: int, kind: int, data: bytes = b"") -> bytes:
    return struct.pack(">QIII", OPTION_REPLY, option, kind, len(data)) + data
