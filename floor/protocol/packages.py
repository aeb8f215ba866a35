"""Packages of an upload: which entries come together, and the proof of them (C2SP tlog-mirror).

The rules:

- Packages end at multiples of :data:`BLOCK` and at the end of the upload.
- A package of the entries [start, end) is proven as the subtree from the multiple of
  :data:`BLOCK` at or before ``start`` up to ``end``. What of it is stored already is known by the
  frontier of the tree over all that is stored: so nothing that is stored is read.
- What comes again is proven again, by itself, and not stored a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.merkle import PACKAGE, joined, leaf_hash, push, roots_from_subtree
from floor.protocol.answers import UNPROVEN, Refusal

BLOCK: Final = PACKAGE
"""Entries of a whole package."""
LEVEL: Final = BLOCK.bit_length() - 1

Frontier = Sequence[tuple[int, bytes]]
"""Level and hash of the nodes over all that is stored, from left to right
(:func:`controller.evidence.tree.merkle.push`)."""


@dataclass(frozen=True, slots=True)
class EntryPackage:
    """The entries ``start`` up to, and without, ``end``, and the hashes of their proof."""

    start: int
    end: int
    leaves: tuple[bytes, ...]
    proof: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ProvenEntries:
    """Entries to be stored behind the first ``start``, and the frontier behind them."""

    start: int
    leaves: tuple[bytes, ...]
    frontier: Frontier


def proven(
    package: EntryPackage, stored: int, frontier: Frontier, size: int, root: bytes
) -> ProvenEntries:
    """The entries of the package that are not among the first ``stored`` ones, whose ``frontier``
    that is, by its proof against the tree of ``size`` leaves with that root. ``stored`` is not
    before the package begins.

    Raises:
        Refusal: 422, the proof is none of them.
    """
    leaves = package.leaves[stored - package.start :]
    if not leaves:
        return ProvenEntries(stored, (), frontier)
    nodes, made = list(frontier), []
    for leaf in leaves:
        made = push(nodes, leaf_hash(leaf))
    whole = dict(made).get(LEVEL)
    subtree = whole or joined(node for level, node in nodes if level < LEVEL)
    _check(package, subtree, size, root)
    return ProvenEntries(stored, leaves, nodes)


def prove_again(package: EntryPackage, before: Sequence[bytes], size: int, root: bytes) -> None:
    """See that a package of which something is stored already is proven as it came. ``before`` are
    the entries from the multiple of :data:`BLOCK` up to where it begins.

    Raises:
        Refusal: 422, it is not.
    """
    nodes: list[tuple[int, bytes]] = []
    for leaf in (*before, *package.leaves):
        push(nodes, leaf_hash(leaf))
    _check(package, joined(node for _, node in nodes), size, root)


def _check(package: EntryPackage, subtree: bytes, size: int, root: bytes) -> None:
    block = package.start - package.start % BLOCK
    if not _leads(block, package, subtree, size, root):
        raise Refusal(
            UNPROVEN, f"entries {package.start} up to {package.end} are not those of tree {size}"
        )


def _leads(block: int, package: EntryPackage, subtree: bytes, size: int, root: bytes) -> bool:
    try:
        reached = roots_from_subtree(block, package.end, size, subtree, package.proof)
    except ValueError:  # another length than it must have
        return False
    return reached == (subtree, root)
