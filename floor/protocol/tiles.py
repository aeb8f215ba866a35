"""The parts of a log that are read, by their paths (C2SP tlog-tiles).

The rules:

- A tile has the hashes of 256 nodes in a row of one level; levels are 8 apart in the tree, and
  level 0 are the leaves. A bundle has 256 entries in a row. A partial one has fewer, and says how
  many: the tree ends there, or ended there once.
- A number is written in groups of three digits, each but the last behind an ``x``: 1234067 is
  ``x001/x234/067``. It has one spelling, so that whatever caches has one of each.
- A bundle's entries each have their length before them, 2 bytes, big-endian.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from floor.protocol.answers import NOT_FOUND, Refusal
from floor.protocol.packages import BLOCK, LEVEL

OCTETS: Final = "application/octet-stream"
ENTRIES: Final = "entries"
TOP: Final = 63
"""The highest level that there is a name of."""

_PATH: Final = re.compile(
    r"(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/){0,5}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class TilePath:
    """The tile with that ``index`` of a ``level``, of ``width`` hashes; None: the bundle of so many
    entries."""

    level: int | None
    index: int
    width: int

    @property
    def end_entry(self) -> int:
        """The entries before that one are below it, or in it."""
        return (self.index * BLOCK + self.width) << LEVEL * (self.level or 0)


def read_path(text: str) -> TilePath:
    """What the path names, which stands behind ``tile/``.

    Raises:
        Refusal: 404, nothing.
    """
    found = _PATH.fullmatch(text)
    if found is None:
        raise Refusal(NOT_FOUND, "no tile has such a path: expected LEVEL/NUMBER or entries/NUMBER")
    kind, number, partial = found.groups()
    index = int(number.replace("x", "").replace("/", ""))
    level = None if kind == ENTRIES else int(kind)
    width = BLOCK if partial is None else int(partial)
    if number != spelled(index) or (level or 0) > TOP or width >= BLOCK + (partial is None):
        raise Refusal(NOT_FOUND, f"no tile is spelled so; {index} is {spelled(index)}")
    return TilePath(level, index, width)


def spelled(index: int) -> str:
    """A tile's number as its path has it."""
    text = f"{index:03d}"
    text = text.rjust(len(text) + -len(text) % 3, "0")
    groups = [text[at : at + 3] for at in range(0, len(text), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])


def bundled(leaves: Iterable[bytes]) -> bytes:
    """Entries as a bundle has them."""
    return b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves)
