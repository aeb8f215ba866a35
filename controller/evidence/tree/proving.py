"""Proofs out of the tree: of some entries against a checkpoint, and that one checkpoint extends
another. Each is checked before it is handed out.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from controller.evidence.tree.checkpoint import Checkpoint
from controller.evidence.tree.entries import EntryTree
from controller.evidence.tree.merkle import (
    consistency,
    inclusion,
    leaf_hash,
    root_from_inclusion,
    root_of,
    roots_from_consistency,
)
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.json_values import JsonObject


class WrongTree(Exception):
    """The nodes do not lead to what was signed; the message says so."""


def proven(
    tree: EntryTree, reader: JournalReader, first: int, last: int, checkpoint: Checkpoint
) -> list[JsonObject]:
    """The entries of that journal from ``first`` to ``last``, each with its line and its audit path
    to the root of the checkpoint.

    Raises:
        WrongTree: a path leads to another root. NoNode, JournalError: one cannot be had.
    """
    found: list[JsonObject] = []
    for index, line in enumerate(lines(reader, first - 1, last), first - 1):
        leaf = line.encode("ascii")
        path = inclusion(index, checkpoint.size, tree.node)
        if root_from_inclusion(index, checkpoint.size, leaf_hash(leaf), path) != checkpoint.root:
            raise WrongTree(f"entry {index + 1} does not lead to the root that was signed")
        found.append({"seq": index + 1, "leaf": _text(leaf), "index": index, "proof": told(path)})
    return found


def extension(tree: EntryTree, old: Checkpoint, new: Checkpoint) -> list[str]:
    """The proof, in base64, that the tree of ``new`` begins with that of ``old``.

    Raises:
        WrongTree: it does not, or the nodes are not what was signed. ValueError: ``old`` is of no
            entry, or is the larger one. NoNode, JournalError: a node cannot be had.
    """
    path = consistency(old.size, new.size, tree.node)
    if roots_from_consistency(old.size, new.size, old.root, path) != (old.root, new.root):
        whose = "" if root_of(new.size, tree.node) == new.root else ", nor does the newest one"
        raise WrongTree(
            f"the checkpoint for entry {old.size} is not one of this journal: what was signed then "
            f"is not what the journal has now{whose}"
        )
    return told(path)


def told(path: Sequence[bytes]) -> list[str]:
    """Hashes as proofs have them, in base64."""
    return [_text(one) for one in path]


def _text(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")
