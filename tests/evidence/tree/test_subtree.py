"""Subtrees of small trees, all of them: each proof leads to the root, and no other does."""

from __future__ import annotations

import hashlib

import pytest

from controller.evidence.tree.merkle import (
    is_subtree,
    leaf_hash,
    node_hash,
    root_of,
    roots_from_subtree,
    subtree_proof,
)

SIZES = range(1, 34)


def tree_hash(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written there."""
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return node_hash(tree_hash(leaves[:k]), tree_hash(leaves[k:]))


def written(start: int, end: int, leaves: list[bytes], known: bool = True) -> list[bytes]:
    """SUBTREE_SUBPROOF, as the draft has it in section 4.4.1."""
    n = len(leaves)
    if (start, end) == (0, n):
        return [] if known else [tree_hash(leaves)]
    k = 1
    while 2 * k < n:
        k *= 2
    if end <= k:
        return [*written(start, end, leaves[:k], known), tree_hash(leaves[k:])]
    if k <= start:
        return [*written(start - k, end - k, leaves[k:], known), tree_hash(leaves[:k])]
    return [*written(0, end - k, leaves[k:], False), tree_hash(leaves[:k])]


LEAVES = [b"leaf %d" % number for number in range(max(SIZES))]


def node(level: int, index: int) -> bytes:
    return tree_hash(LEAVES[index << level : (index + 1) << level])


def subtrees(size: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(size) for b in range(a + 1, size + 1) if is_subtree(a, b)]


@pytest.mark.parametrize("size", SIZES)
def test_every_subtree_is_proven_as_the_draft_has_it(size: int) -> None:
    root = root_of(size, node)
    for start, end in subtrees(size):
        own = tree_hash(LEAVES[start:end])
        path = subtree_proof(start, end, size, node)
        assert path == written(start, end, LEAVES[:size])
        assert roots_from_subtree(start, end, size, own, path) == (own, root)


def test_no_proof_that_was_altered_is_good() -> None:
    strange = hashlib.sha256(b"strange").digest()
    for size in SIZES:
        root = root_of(size, node)
        for start, end in subtrees(size):
            own = tree_hash(LEAVES[start:end])
            path = subtree_proof(start, end, size, node)
            assert roots_from_subtree(start, end, size, strange, path) != (strange, root)
            for place in range(len(path)):
                other = [*path[:place], strange, *path[place + 1 :]]
                assert roots_from_subtree(start, end, size, own, other) != (own, root)
            for wrong in ([*path, strange], path[:-1]) if path else ([strange],):
                with pytest.raises(ValueError, match=r"too (long|short)"):
                    roots_from_subtree(start, end, size, own, wrong)


@pytest.mark.parametrize(("start", "end", "size"), [(1, 3, 4), (0, 0, 4), (0, 5, 4), (-2, 0, 4)])
def test_what_is_no_subtree_is_refused(start: int, end: int, size: int) -> None:
    with pytest.raises(ValueError, match="no subtree"):
        subtree_proof(start, end, size, node)
    with pytest.raises(ValueError, match="no subtree"):
        roots_from_subtree(start, end, size, b"", [])
