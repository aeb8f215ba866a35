"""Entries as they are uploaded: ``add-entries`` of C2SP tlog-mirror, read as it comes in.

The body, numbers big-endian::

    uint16, so many bytes     the log's origin
    uint64, uint64            start and end: entries [start, end) are uploaded
    uint16, so many bytes     the ticket: ours is empty, and theirs is not looked at
    packages                  of the entries [low, high) of subtree.packages:
                                each entry, as uint16 and so many bytes
                                uint8, at most 63, and so many hashes of 32 bytes

The rules:

- Bytes come in pieces of any size. No more is kept than the package that is not whole yet, at most
  :data:`MOST_PACKAGE`.
- What cannot be a package ends the upload there, like a body that was cut off. So does the end of
  the canonical sequence: bytes behind that are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.merkle import HASH_BYTES, packages
from floor.protocol.answers import BAD_REQUEST, NOT_FOUND, Refusal
from floor.protocol.checkpoints import MOST_HASHES, MOST_SIZE
from floor.protocol.packages import BLOCK, EntryPackage

MOST_ORIGIN: Final = 1024
"""Bytes."""
MOST_ENTRY: Final = 0xFFFF
MOST_PACKAGE: Final = BLOCK * (2 + MOST_ENTRY) + 1 + MOST_HASHES * HASH_BYTES
"""Bytes."""
_SIZE_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class UploadHead:
    """Which entries of which log are to follow: ``start`` up to, and without, ``end``."""

    origin: str
    start: int
    end: int


class UploadReader:
    """Reads one upload. ``origin`` and ``head`` are None until they are there; ``wrong`` says why
    no package is taken any more, and is empty as long as they are. ``held`` are the bytes of the
    package that is not whole yet."""

    def __init__(self) -> None:
        self.origin: str | None = None
        self.head: UploadHead | None = None
        self.wrong = ""
        self.held = 0
        self._bytes = bytearray()
        self._at = 0
        self._due: Iterator[tuple[int, int]] = iter(())
        self._package: tuple[int, int] | None = None
        self._leaves: list[bytes] = []

    def feed(self, piece: bytes) -> list[EntryPackage]:
        """The packages that are whole with this piece.

        Raises:
            Refusal: 400, the head is none; 404, nobody can know its log.
        """
        self._bytes += piece
        if self.head is None and (head := self._read_head()) is not None:
            self.head = head
            self._due = packages(head.start, head.end)
            self._package = next(self._due, None)
        found = list(self._packages())
        del self._bytes[: self._at]
        self._at = 0
        if self.head is not None and self._package is None:
            self._bytes.clear()
        self.held = len(self._bytes) + sum(map(len, self._leaves))
        return found

    def _read_head(self) -> UploadHead | None:
        if len(self._bytes) >= 2 and (named := self._number(0, 2)) > MOST_ORIGIN:
            raise Refusal(NOT_FOUND, f"no log is known here whose origin has {named} bytes")
        origin = self._counted(0)
        if origin is not None:
            self.origin = origin.decode("utf-8", "replace")
        ticket = None if origin is None else self._counted(2 + len(origin) + 2 * _SIZE_BYTES)
        if origin is None or ticket is None:
            return None
        at = 2 + len(origin)
        start, end = (self._number(at + ahead, _SIZE_BYTES) for ahead in (0, _SIZE_BYTES))
        if not start <= end <= MOST_SIZE:
            raise Refusal(BAD_REQUEST, f"entries {start} up to {end} are no upload")
        self._at = at + 2 * _SIZE_BYTES + 2 + len(ticket)
        return UploadHead(self.origin or "", start, end)

    def _packages(self) -> Iterator[EntryPackage]:
        """Those that are whole."""
        while self._package is not None:
            start, end = self._package
            while len(self._leaves) < end - start:
                if (leaf := self._counted(self._at)) is None:
                    return
                self._leaves.append(leaf)
                self._at += 2 + len(leaf)
            if (proof := self._proof()) is None:
                return
            yield EntryPackage(start, end, tuple(self._leaves), proof)
            self._leaves = []
            self._package = next(self._due, None)

    def _proof(self) -> tuple[bytes, ...] | None:
        """The hashes at the place that is reached; None where they are not all there."""
        if self._at == len(self._bytes):
            return None
        count, first = self._bytes[self._at], self._at + 1
        if count > MOST_HASHES:
            self.wrong = f"a package has {count} hashes, expected at most {MOST_HASHES}"
            self._package = None
            return None
        last = first + count * HASH_BYTES
        if last > len(self._bytes):
            return None
        self._at = last
        return tuple(
            bytes(self._bytes[at : at + HASH_BYTES]) for at in range(first, last, HASH_BYTES)
        )

    def _counted(self, at: int) -> bytes | None:
        """What stands there behind its length; None where it is not all there."""
        if len(self._bytes) < at + 2:
            return None
        last = at + 2 + self._number(at, 2)
        return bytes(self._bytes[at + 2 : last]) if last <= len(self._bytes) else None

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self._bytes[at : at + size], "big")
