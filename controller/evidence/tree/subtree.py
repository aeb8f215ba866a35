"""Proofs that some leaves in a row, a *subtree*, are those of a larger tree: what a mirror is given
with each package of entries (C2SP tlog-mirror; draft-ietf-plants-merkle-tree-certs, section 4.4).

The rules:

- A subtree has the leaves from ``start`` up to, and without, ``end``. It is one where ``start`` is
  a multiple of the least power of two that is not below its number of leaves.
- Its hash is the root of these leaves alone.
- Where ``start`` is 0 the proof is that of RFC 6962, section 2.1.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from controller.evidence.tree.merkle import Node, hash_between, node_hash, split

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
    """The proof that the subtree is one of the tree of ``size`` leaves, from the leaves up.

    Raises ValueError for what is no subtree of that tree.
    """
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

    Raises ValueError for what is no subtree of that tree, or a proof of another length.
    """
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
        raise ValueError("the proof has not the length that it must have")
    steps = iter(path)
    part = root = subtree if whole else next(steps)
    for (left, both), other in zip(reversed(turns), steps, strict=True):
        root = node_hash(root, other) if left else node_hash(other, root)
        part = node_hash(other, part) if both else part
    return part, root


def _check(start: int, end: int, size: int) -> None:
    if not is_subtree(start, end) or end > size:
        raise ValueError(f"leaves {start} to {end} are no subtree of a tree of {size}")
