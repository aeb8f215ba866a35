"""Bundles: lines of entries in a row, compressed, and where one ends and the next begins.

A line is an entry as the journal exports it; in a bundle each has its end, a newline, behind it. A
bundle has entries of one block: of the numbers ``[256 n, 256 n + 256)``.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from floor.protocol.packages import BLOCK

UNDATED: Final = date.max
"""The day of what nobody knows the day of: a clock was far off."""

_FIRST_DAY: Final = date(2020, 1, 1)
_AHEAD: Final = timedelta(days=2)
_LEVEL: Final = 9


class BadBundle(ValueError):
    """What is stored is no bundle; the message says what its entries are or do."""


def packed(leaves: Sequence[bytes]) -> bytes:
    """The lines of the leaves, compressed.

    Raises ValueError for a leaf that is no line.
    """
    if any(b"\n" in leaf for leaf in leaves):
        raise ValueError("a leaf has a newline in it: it is no entry of a journal")
    return gzip.compress(b"".join(leaf + b"\n" for leaf in leaves), _LEVEL, mtime=0)


def unpacked(lines: bytes, entries: int) -> list[bytes]:
    """The leaves in the lines of a bundle of so many entries.

    Raises BadBundle where these are not in it.
    """
    try:
        *leaves, end = gzip.decompress(lines).split(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise BadBundle(f"do not unpack: {error}") from error
    if end or len(leaves) != entries:
        raise BadBundle(f"are {len(leaves)} lines, and should be {entries}")
    return leaves


def pieces(first: int, leaves: Sequence[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """The leaves from number ``first`` on as bundles have them: the number of each one's first, and
    its leaves."""
    at = 0
    while at < len(leaves):
        until = at + BLOCK - (first + at) % BLOCK
        yield first + at, leaves[at:until]
        at = until


def believed(day: date, today: date) -> date:
    """The day of entries whose clock says ``day``; UNDATED where it was far off."""
    return day if _FIRST_DAY <= day <= today + _AHEAD else UNDATED
