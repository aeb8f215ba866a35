"""The tree's arithmetic against the vectors of Certificate Transparency, and against another
implementation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from controller.evidence.tree.merkle import (
    EMPTY,
    Node,
    frontier,
    joined,
    leaf_hash,
    node_hash,
    root_of,
    roots_from_subtree,
    subtree_proof,
)

LEAVES = tuple(
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
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
    assert root == other.get_root(size)
    index = data.draw(st.integers(0, size - 1))
    path = subtree_proof(index, index + 1, size, node)
    theirs = other.prove_inclusion(index + 1, size).serialize()["path"]
    assert [one.hex() for one in path] == theirs[1:]
    assert roots_from_subtree(index, index + 1, size, leaf_hash(leaves[index]), path)[1] == root


@given(st.integers(1, 70), st.data())
def test_a_tree_is_proven_to_extend_every_earlier_one(size: int, data: st.DataObject) -> None:
    node = nodes_over([bytes([number]) for number in range(size)])
    old = data.draw(st.integers(1, size))
    path = subtree_proof(0, old, size, node)
    roots = root_of(old, node), root_of(size, node)
    assert roots_from_subtree(0, old, size, roots[0], path) == roots
    assert joined(node(*place) for place in frontier(size)) == roots[1]


@given(st.integers(2, 70), st.data())
def test_a_changed_bit_leads_elsewhere(size: int, data: st.DataObject) -> None:
    node = nodes_over([bytes([number]) for number in range(size)])
    index = data.draw(st.integers(0, size - 1))
    path = subtree_proof(index, index + 1, size, node)
    at, bit = data.draw(st.integers(0, len(path) - 1)), data.draw(st.integers(0, 255))
    path[at] = (int.from_bytes(path[at]) ^ 1 << bit).to_bytes(32)
    assert roots_from_subtree(index, index + 1, size, node(0, index), path)[1] != root_of(
        size, node
    )
    old = data.draw(st.integers(1, size - 1))
    steps = subtree_proof(0, old, size, node)
    at = data.draw(st.integers(0, len(steps) - 1))
    steps[at] = (int.from_bytes(steps[at]) ^ 1 << bit).to_bytes(32)
    roots = root_of(old, node), root_of(size, node)
    assert roots_from_subtree(0, old, size, roots[0], steps) != roots


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 3), (3, 3)])
def test_a_leaf_that_is_not_there_has_no_path(index: int, size: int) -> None:
    node = nodes_over(LEAVES)
    with pytest.raises(ValueError, match="no subtree"):
        subtree_proof(index, index + 1, size, node)
    with pytest.raises(ValueError, match="no subtree"):
        roots_from_subtree(index, index + 1, size, bytes(32), [])[1]


@pytest.mark.parametrize(("old", "new"), [(0, 3), (4, 3)])
def test_what_extends_nothing_has_no_proof(old: int, new: int) -> None:
    with pytest.raises(ValueError, match="no subtree"):
        subtree_proof(0, old, new, nodes_over(LEAVES))
    with pytest.raises(ValueError, match="no subtree"):
        roots_from_subtree(0, old, new, bytes(32), [])


def test_proofs_have_one_length() -> None:
    node = nodes_over(LEAVES)
    path, steps = subtree_proof(5, 6, 8, node), subtree_proof(0, 6, 8, node)
    old = root_of(6, node)
    for wrong, says in ((path[:-1], "short"), ([*path, bytes(32)], "long")):
        with pytest.raises(ValueError, match=says):
            roots_from_subtree(5, 6, 8, node(0, 5), wrong)[1]
    for wrong, says in ((steps[:-1], "short"), ([*steps, bytes(32)], "long"), ([], "short")):
        with pytest.raises(ValueError, match=says):
            roots_from_subtree(0, 6, 8, old, wrong)
    with pytest.raises(ValueError, match="long"):
        roots_from_subtree(0, 8, 8, old, [bytes(32)])
