"""The arithmetic of a Merkle tree: RFC 6962, section 2.1, with SHA-256.

The rules:

- The hash of a leaf is that of a byte 0 and the leaf; the hash of a node that of a byte 1 and its
  two children. So no leaf can pass for a node.
- A tree of ``size`` leaves is split where the largest power of two below ``size`` is reached. What
  is left of every split is *complete*: it never changes, however the tree grows. Complete nodes are
  named by ``(level, index)``: the node covers leaves ``index << level`` up to, and without,
  ``(index + 1) << level``. Level 0 are the leaves' hashes.
- Everything here asks a function ``node(level, index)`` for complete nodes and computes the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

Node = Callable[[int, int], bytes]
"""Gives the hash, 32 bytes, of the complete node of that level and index."""

HASH_BYTES: Final = 32
EMPTY: Final = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


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


def inclusion(index: int, size: int, node: Node) -> list[bytes]:
    """The audit path of a leaf in the tree of ``size`` leaves, from the leaf to the root (2.1.1).

    Raises ValueError where the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size}")
    low, high, path = 0, size, []
    while high - low > 1:
        middle = low + split(high - low)
        if index < middle:
            path.append(hash_between(middle, high, node))
            high = middle
        else:
            path.append(hash_between(low, middle, node))
            low = middle
    return path[::-1]


def consistency(old: int, new: int, node: Node) -> list[bytes]:
    """The proof that the tree of ``new`` leaves begins with that of ``old`` ones (2.1.2); empty
    where they are of the same size.

    Raises ValueError for an old tree without leaves, or one that is larger.
    """
    if not 0 < old <= new:
        raise ValueError(f"there is no proof from {old} to {new} leaves")
    low, high, path, whole = 0, new, [], True
    while old != high:
        middle = low + split(high - low)
        if old <= middle:
            path.append(hash_between(middle, high, node))
            high = middle
        else:
            path.append(hash_between(low, middle, node))
            low, whole = middle, False
    if not whole:
        path.append(hash_between(low, high, node))
    return path[::-1]


def root_from_inclusion(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes:
    """The root that an audit path leads to from the hash of a leaf (RFC 9162, section 2.1.3.2).

    Raises ValueError where the path has not the length that it must have.
    """
    place, last, found, steps = index, size - 1, leaf, iter(path)
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size}")
    for step in steps:
        if last == 0:
            raise ValueError("the path is too long")
        if place & 1 or place == last:
            found = node_hash(step, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, step)
        place, last = place >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return found


def roots_from_consistency(
    old: int, new: int, old_root: bytes, path: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """The roots of the old and the new tree that a proof leads to (RFC 9162, section 2.1.4.2).

    Raises ValueError where the proof has not the length that it must have.
    """
    if not 0 < old <= new:
        raise ValueError(f"there is no proof from {old} to {new} leaves")
    if old == new:
        if path:
            raise ValueError("the proof is too long")
        return old_root, old_root
    steps = list(path) if old & (old - 1) else [old_root, *path]
    if not steps:
        raise ValueError("the proof is too short")
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if last == 0:
            raise ValueError("the proof is too long")
        if place & 1 or place == last:
            first, second = node_hash(step, first), node_hash(step, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = node_hash(second, step)
        place, last = place >> 1, last >> 1
    if last:
        raise ValueError("the proof is too short")
    return first, second


def split(size: int) -> int:
    """The largest power of two below ``size``, which is 2 or more."""
    return 1 << (size - 1).bit_length() - 1


def hash_between(low: int, high: int, node: Node) -> bytes:
    """The root of the leaves from ``low`` up to, and without, ``high``; ``low`` is where a split of
    the whole tree was."""
    places = ((level, (low >> level) + index) for level, index in frontier(high - low))
    return joined(node(*place) for place in places)
