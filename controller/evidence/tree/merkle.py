"""The arithmetic of a Merkle tree: RFC 6962, section 2.1, with SHA-256. The rules:

- The hash of a leaf is that of a byte 0 and the leaf; the hash of a node that of a byte 1 and its
  two children. So no leaf can pass for a node.
- A tree of ``size`` leaves is split where the largest power of two below ``size`` is reached. What
  is left of every split is *complete*: it never changes, however the tree grows. Complete nodes are
  named by ``(level, index)``: the node covers leaves ``index << level`` up to, and without,
  ``(index + 1) << level``. Level 0 are the leaves' hashes.
- Everything here asks a function ``node(level, index)`` for complete nodes and computes the rest.
- A *subtree* has the leaves from ``start`` up to, and without, ``end``; ``start`` is a multiple
  of the least power of two that is not below its number of leaves. Its hash is the root of these
  leaves alone.
- That it is part of a larger tree is one proof for all (draft-ietf-plants-merkle-tree-certs,
  section 4.4): of a single leaf it is the audit path (2.1.1); from the first leaf on, the proof
  that the tree extends an earlier one (2.1.2); of a package of entries, what a mirror is given
  (C2SP tlog-mirror).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

Node = Callable[[int, int], bytes]
"""Gives the hash, 32 bytes, of the complete node of that level and index."""

HASH_BYTES: Final = 32
EMPTY: Final = hashlib.sha256(b"").digest()  # the root of a tree without leaves


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def frontier(size: int) -> Iterator[tuple[int, int]]:
    """The fewest complete nodes that cover the first ``size`` leaves, from left to right."""
    at = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            yield level, at >> level
            at += 1 << level


def joined(hashes: Iterable[bytes]) -> bytes:
    """The root above a frontier's hashes, from left to right."""
    root = EMPTY
    for position, left in enumerate(reversed(list(hashes))):
        root = left if position == 0 else node_hash(left, root)
    return root


def push(stack: list[tuple[int, bytes]], value: bytes) -> list[tuple[int, bytes]]:
    """Put a leaf's hash behind the frontier in ``stack``, level and hash of each part, and return
    the complete nodes above the leaf that came about, level and hash, from below."""
    level, made = 0, []
    while stack and stack[-1][0] == level:
        value = node_hash(stack.pop()[1], value)
        level += 1
        made.append((level, value))
    stack.append((level, value))
    return made


def root_of(size: int, node: Node) -> bytes:
    """The root of the first ``size`` leaves."""
    return joined(node(*place) for place in frontier(size))


def split(size: int) -> int:
    """The largest power of two below ``size``, which is 2 or more."""
    return 1 << (size - 1).bit_length() - 1


def hash_between(low: int, high: int, node: Node) -> bytes:
    """The root of the leaves from ``low`` up to, and without, ``high``; ``low`` is where a split of
    the whole tree was."""
    places = ((level, (low >> level) + index) for level, index in frontier(high - low))
    return joined(node(*place) for place in places)


PACKAGE: Final = 256
"""Entries of a log are sent to a mirror in packages that end at multiples of this."""


def packages(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The bounds of each package of the leaves from ``start`` up to, and without, ``end``."""
    while start < end:
        following = min(end, start - start % PACKAGE + PACKAGE)
        yield start, following
        start = following


def is_subtree(start: int, end: int) -> bool:
    """Whether leaves of those numbers are a subtree."""
    return 0 <= start < end and start % (1 << (end - start - 1).bit_length()) == 0


def subtree_proof(start: int, end: int, size: int, node: Node) -> list[bytes]:
    """The proof that the subtree is one of the tree of ``size`` leaves, from the leaves up. Raises
    ValueError for what is no subtree of that tree."""
    _check(start, end, size)
    low, high, path, whole = 0, size, [], True
    while (low, high) != (start, end):
        middle = low + split(high - low)
        if end <= middle:
            path.append(hash_between(middle, high, node))
            high = middle
        else:
            path.append(hash_between(low, middle, node))
            if start < middle:  # the subtree goes on here: its left part was the sibling
                start, whole = middle, False
            low = middle
    if not whole:
        path.append(hash_between(low, high, node))
    return path[::-1]


def roots_from_subtree(
    start: int, end: int, size: int, subtree: bytes, path: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """The hash of the subtree and the root of the tree that a proof leads to from the hash of the
    ``subtree``: good is a proof that leads to the hash that it was begun with, and to the root.
    Raises ValueError for what is no subtree of that tree, or a proof of another length."""
    _check(start, end, size)
    turns: list[tuple[bool, bool]] = []  # at each split: whether to the left, and into both
    low, high, whole = 0, size, True
    while (low, high) != (start, end):
        middle = low + split(high - low)
        left, both = end <= middle, start < middle < end
        turns.append((left, both))
        if both:
            start, whole = middle, False
        low, high = (low, middle) if left else (middle, high)
    if len(path) != len(turns) + (not whole):
        raise ValueError(f"the proof is too {'long' if len(path) > len(turns) else 'short'}")
    steps = iter(path)
    part = root = subtree if whole else next(steps)
    for (left, both), other in zip(reversed(turns), steps, strict=True):
        root = node_hash(root, other) if left else node_hash(other, root)
        part = node_hash(other, part) if both else part
    return part, root


def _check(start: int, end: int, size: int) -> None:
    if not is_subtree(start, end) or end > size:
        raise ValueError(f"leaves {start} to {end} are no subtree of a tree of {size}")
