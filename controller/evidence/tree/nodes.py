"""The nodes of the tree that are kept, in a file beside the journal.

The rules:

- Kept are complete nodes of level :data:`LOWEST` and above: 2 hashes for 256 entries, 2.5 MB for
  ten million. What is below is computed from the entries when it is asked for.
- They stand in the order in which they become complete, a node behind its children, 32 bytes each:
  the file only grows, and where a node stands follows from its level and index.
- It goes on across archives. A place with 32 zero bytes, or behind the end, holds no node: where
  the file had to be made anew, those that lie wholly in an archived journal.
- The file can be made anew out of the journal at any time. What it says counts for nothing by
  itself: whoever signs or proves by it compares it with what was signed before.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from controller.evidence.tree.merkle import HASH_BYTES
from controller.regular_files import check_own, open_regular

FILE_NAME: Final = "journal.tree"

LOWEST: Final = 8
"""Level of the lowest nodes that are kept: of 256 entries."""

_NONE: Final = bytes(HASH_BYTES)


def place_of(level: int, index: int) -> int:
    """At which place of the file that node stands, from 0.

    Before it stand, complete, all nodes of all trees that were complete before its last leaf, and
    its own children: with ``leaves`` of the lowest level before that last one, these are
    ``2 * leaves - (ones of leaves)`` nodes, and one for each level that it is above its leaf.
    """
    above = level - LOWEST
    leaves = ((index + 1) << above) - 1
    return 2 * leaves - leaves.bit_count() + above


class NodeFile:
    """The file at ``path``; a context manager. For writing it is made where there is none.

    Raises OSError: it cannot be opened, is no regular file, or has another name.
    """

    def __init__(self, path: Path, *, writing: bool = False) -> None:
        self.path = path
        check_own(path)
        flags = os.O_RDWR | os.O_CREAT if writing else os.O_RDONLY
        self._fd = open_regular(path, flags)
        if os.fstat(self._fd).st_nlink > 1:  # under another name it may be anything
            os.close(self._fd)
            raise OSError(errno.EMLINK, "it has another name besides", str(path))

    def get(self, level: int, index: int) -> bytes | None:
        """That node; None where it is not kept."""
        if level < LOWEST:
            return None
        found = os.pread(self._fd, HASH_BYTES, place_of(level, index) * HASH_BYTES)
        return None if len(found) < HASH_BYTES or found == _NONE else found

    def store_node(self, level: int, index: int, value: bytes) -> None:
        """Keep that node, which is of level :data:`LOWEST` or above."""
        at = place_of(level, index) * HASH_BYTES
        if os.pwrite(self._fd, value, at) != HASH_BYTES:
            raise OSError(f"{self.path} took only a part of a node: is its disk full?")

    def clear(self) -> None:
        """Forget all of them."""
        os.ftruncate(self._fd, 0)

    def sync(self) -> None:
        """Have what was kept on the disk."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def __enter__(self) -> NodeFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
