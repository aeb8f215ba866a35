"""The tree's arithmetic: the vectors of Certificate Transparency, another implementation, and all
subtrees of small trees, each proven to lead to the root by one proof and by no other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from controller.evidence.tree.merkle import (
    EMPTY,
    Node,
    frontier,
    is_subtree,
    joined,
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


OF_SUBTREES = [b"leaf %d" % number for number in range(max(SIZES))]


def node(level: int, index: int) -> bytes:
    return tree_hash(OF_SUBTREES[index << level : (index + 1) << level])


def subtrees(size: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(size) for b in range(a + 1, size + 1) if is_subtree(a, b)]


@pytest.mark.parametrize("size", SIZES)
def test_every_subtree_is_proven_as_the_draft_has_it(size: int) -> None:
    root = root_of(size, node)
    for start, end in subtrees(size):
        own = tree_hash(OF_SUBTREES[start:end])
        path = subtree_proof(start, end, size, node)
        assert path == written(start, end, OF_SUBTREES[:size])
        assert roots_from_subtree(start, end, size, own, path) == (own, root)


def test_no_proof_that_was_altered_is_good() -> None:
    strange = hashlib.sha256(b"strange").digest()
    for size in SIZES:
        root = root_of(size, node)
        for start, end in subtrees(size):
            own = tree_hash(OF_SUBTREES[start:end])
            path = subtree_proof(start, end, size, node)
            assert roots_from_subtree(start, end, size, strange, path) != (strange, root)
            for place in range(len(path)):
                other = [*path[:place], strange, *path[place + 1 :]]
                assert roots_from_subtree(start, end, size, own, other) != (own, root)
            for wrong in ([*path, strange], path[:-1]) if path else ([strange],):
                with pytest.raises(ValueError, match=r"too (long|short)"):
                    roots_from_subtree(start, end, size, own, wrong)


@pytest.mark.parametrize(
    ("start", "end", "size"),
    [
        *((1, 3, 4), (0, 0, 4), (0, 5, 4), (-2, 0, 4)),
        *((0, 1, 0), (-1, 0, 3), (3, 4, 3), (0, 0, 3), (0, 4, 3)),
    ],
)
def test_what_is_no_subtree_is_refused(start: int, end: int, size: int) -> None:
    with pytest.raises(ValueError, match="no subtree"):
        subtree_proof(start, end, size, node)
    with pytest.raises(ValueError, match="no subtree"):
        roots_from_subtree(start, end, size, b"", [])


LEAVES = tuple(
    bytes.fromhex(text)
    for text in (
        *("", "00", "10", "2021", "3031", "40414243"),
        *("5051525354555657", "606162636465666768696a6b6c6d6e6f"),
    )
)
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The tree of Certificate Transparency's own tests, at each size from 1 on."""


def nodes_over(leaves: Sequence[bytes]) -> Node:
    hashes = [leaf_hash(leaf) for leaf in leaves]

    def node(level: int, index: int) -> bytes:
        if level == 0:
            return hashes[index]
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node


def test_roots_of_certificate_transparency() -> None:
    node = nodes_over(LEAVES)
    assert [root_of(size, node).hex() for size in range(1, 9)] == list(ROOTS)
    assert root_of(0, node) == EMPTY
    assert EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_paths_of_certificate_transparency() -> None:
    node = nodes_over(LEAVES)
    assert [one.hex() for one in subtree_proof(5, 6, 8, node)] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    assert [one.hex() for one in subtree_proof(0, 6, 8, node)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@given(st.integers(1, 70), st.data())
def test_another_implementation_says_the_same(size: int, data: st.DataObject) -> None:
    leaves = [bytes([number]) for number in range(size)]
    other = InmemoryTree(algorithm="sha256")
    for leaf in leaves:
        other.append_entry(leaf)
    node = nodes_over(leaves)
    root = root_of(size, node)
    assert root == joined(node(*place) for place in frontier(size)) == other.get_root(size)
    index = data.draw(st.integers(0, size - 1))
    path = subtree_proof(index, index + 1, size, node)
    theirs = other.prove_inclusion(index + 1, size).serialize()["path"]
    assert [one.hex() for one in path] == theirs[1:]
    assert roots_from_subtree(index, index + 1, size, leaf_hash(leaves[index]), path)[1] == root
