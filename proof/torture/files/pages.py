"""Which bytes of a database page are what, by SQLite's file format.

The names are the byte classes that the account of the torture counts. See
https://www.sqlite.org/fileformat2.html#b_tree_pages and, for the log, #the_write_ahead_log.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from controller.journal.log_check import FRAME, HEADER
from controller.journal.opening import PAGE_BYTES

Range = tuple[str, int, int]
"""A byte class, where it begins in the page and where it ends."""

FILE_HEADER: Final = (
    ("header: magic", 0, 16),
    ("header: page size", 16, 18),
    ("header: versions", 18, 20),
    ("header: reserved bytes", 20, 21),
    ("header: fractions", 21, 24),
    ("header: change counter", 24, 28),
    ("header: file size", 28, 32),
    ("header: free pages", 32, 40),
    ("header: schema cookie", 40, 44),
    ("header: schema format", 44, 48),
    ("header: cache size", 48, 52),
    ("header: shrinking", 52, 56),
    ("header: encoding", 56, 60),
    ("header: user version", 60, 64),
    ("header: shrinking by steps", 64, 68),
    ("header: application id", 68, 72),
    ("header: unused", 72, 92),
    ("header: valid for", 92, 96),
    ("header: SQLite's version", 96, 100),
)

LOG_HEADER: Final = (
    ("log header: magic", 0, 4),
    ("log header: format", 4, 8),
    ("log header: page size", 8, 12),
    ("log header: sequence", 12, 16),
    ("log header: salts", 16, 24),
    ("log header: checksums", 24, HEADER.size),
)

FRAME_PARTS: Final = (
    ("frame: page number", 0, 4),
    ("frame: commit", 4, 8),
    ("frame: salts", 8, 16),
    ("frame: checksums", 16, FRAME.size),
    ("frame: page", FRAME.size, FRAME.size + PAGE_BYTES),
)

_INTERIOR_INDEX, _INTERIOR, _LEAF_INDEX, _LEAF = 2, 5, 10, 13
_DIGEST_BYTES = 32
_LEAST_LOCAL_SHARE = (32, 255, 23)


def classes(page: bytes, number: int, source: Random) -> Iterator[Range]:
    """The byte classes of a page of the file; of cells one is taken by chance."""
    start = 100 if number == 1 else 0
    if start:
        yield from FILE_HEADER
    kind = page[start]
    if kind not in (_INTERIOR_INDEX, _INTERIOR, _LEAF_INDEX, _LEAF):
        yield "overflow: pointer", 0, 4
        yield "overflow: text", 4, PAGE_BYTES
        return
    name = "schema page" if number == 1 else "page"
    interior = kind in (_INTERIOR_INDEX, _INTERIOR)
    head = start + (12 if interior else 8)
    yield f"{name}: header", start, start + 8
    if interior:
        yield f"{name}: right child", start + 8, head
    count, content = _number(page, start + 3), _number(page, start + 5)
    yield f"{name}: cell pointers", head, head + 2 * count
    yield f"{name}: free space", head + 2 * count, content
    if not count:
        return
    cell = _number(page, head + 2 * source.randrange(count))
    if interior:
        yield f"{name}: child pointer", cell, cell + 4
        cell += 4
    if kind == _INTERIOR:
        yield f"{name}: child's last number", cell, _varint(page, cell)[1]
        return
    yield from _record(page, cell, name, table=kind == _LEAF)


def _record(page: bytes, cell: int, name: str, *, table: bool) -> Iterator[Range]:
    """The parts of a cell that holds a record."""
    length, at = _varint(page, cell)
    if table:
        _, at = _varint(page, at)
    yield f"{name}: length and number", cell, at
    local = _local(length, table=table)
    header, _ = _varint(page, at)
    end = at + local
    yield f"{name}: record header", at, min(at + header, end)
    what = "values" if table else "key"
    if not table or length < _DIGEST_BYTES or local < length:
        yield f"{name}: {what}", at + header, end
    else:
        yield f"{name}: {what}", at + header, end - _DIGEST_BYTES
        yield f"{name}: digest", end - _DIGEST_BYTES, end
    if local < length:
        yield f"{name}: overflow pointer", end, end + 4


def _local(length: int, *, table: bool) -> int:
    """How many bytes of a record of that length are in its page."""
    least_factor, whole, less = _LEAST_LOCAL_SHARE
    least = (PAGE_BYTES - 12) * least_factor // whole - less
    most = PAGE_BYTES - 35 if table else (PAGE_BYTES - 12) * 64 // 255 - 23
    if length <= most:
        return length
    wanted = least + (length - least) % (PAGE_BYTES - 4)
    return wanted if wanted <= most else least


def _number(page: bytes, at: int) -> int:
    return int.from_bytes(page[at : at + 2], "big")


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where the next thing begins."""
    value = 0
    for index in range(9):
        byte = page[at + index]
        if index == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    raise AssertionError("unreachable")
