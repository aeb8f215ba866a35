"""Proofs out of the tree: of some entries against a checkpoint, that one checkpoint extends
another, and that a subtree is part of one. Each is checked before it is handed out.

Other people's programs check the proof of one entry as C2SP's tlog-proof has it: its index, its
audit path and the checkpoint, whose cosignatures are those of witnesses::

    c2sp.org/tlog-proof@v1
    index 41
    oKhUcEoBbpGyrk0/...=          from the leaf's sibling to the root's child; none of a log of one
                                  an empty line
    table-controller/0123456789abcdef
    ...                           the checkpoint
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Final

from controller.evidence.tree.checkpoint import Checkpoint, encoded
from controller.evidence.tree.entries import EntryTree
from controller.evidence.tree.merkle import (
    hash_between,
    leaf_hash,
    root_of,
    roots_from_subtree,
    subtree_proof,
)
from controller.forms.json_values import JsonObject
from controller.journal.export import lines
from controller.journal.reader import JournalReader

TLOG: Final = "c2sp.org/tlog-proof@v1\n"


class WrongTree(Exception):
    """The nodes do not lead to what was signed; the message says so."""


def proven(
    tree: EntryTree, reader: JournalReader, after: int, upto: int | None, checkpoint: Checkpoint
) -> list[JsonObject]:
    """The entries of that journal with ``after`` < seq <= ``upto``, each with its line and audit
    path to the root of the checkpoint. Raises WrongTree: a path leads to another root. NoNode,
    JournalError: one cannot be had."""
    found: list[JsonObject] = []
    for index, line in enumerate(lines(reader, after, upto), after):
        leaf = line.encode("ascii")
        path = subtree_proof(index, index + 1, checkpoint.size, tree.node)
        own = leaf_hash(leaf)
        if roots_from_subtree(index, index + 1, checkpoint.size, own, path)[1] != checkpoint.root:
            raise WrongTree(f"entry {index + 1} does not lead to the root that was signed")
        found.append(
            {"seq": index + 1, "leaf": encoded(leaf), "index": index, "proof": encoded_path(path)}
        )
    return found


def extension(tree: EntryTree, old: Checkpoint, new: Checkpoint) -> list[str]:
    """The proof, in base64, that the tree of ``new`` begins with that of ``old``. Raises WrongTree:
    it does not, or the nodes are not what was signed. ValueError: ``old`` is of no entry, or is the
    larger one. NoNode, JournalError: a node cannot be had."""
    path = subtree_proof(0, old.size, new.size, tree.node)
    if roots_from_subtree(0, old.size, new.size, old.root, path) != (old.root, new.root):
        whose = "" if root_of(new.size, tree.node) == new.root else ", nor does the newest one"
        raise WrongTree(
            f"the checkpoint for entry {old.size} is not one of this journal: what was signed then "
            f"is not what the journal has now{whose}"
        )
    return encoded_path(path)


def contained(tree: EntryTree, start: int, end: int, whole: Checkpoint) -> list[str]:
    """The proof, in base64, that the leaves from ``start`` up to, and without, ``end`` are a
    subtree of ``whole``. Raises as :func:`extension`; ValueError: they are no subtree of it."""
    path = subtree_proof(start, end, whole.size, tree.node)
    part = hash_between(start, end, tree.node)
    if roots_from_subtree(start, end, whole.size, part, path) != (part, whole.root):
        raise WrongTree(f"entries {start + 1} to {end} do not lead to the root that was signed")
    return encoded_path(path)


def tlog_of(
    entries: Sequence[Mapping[str, object]], checkpoint: str, *, spicy: bool
) -> dict[str, str]:
    """Files, by name, for those who check with other programs; of the entries as :func:`proven` has
    them. ``SEQ.entry`` has the bytes of the entry's leaf, its line of the export without the end,
    ``SEQ.entry.tlog-proof`` its proof. ``spicy``: ``SEQ.entry.spicy`` is the same without the
    first line, as earlier programs want it."""
    files: dict[str, str] = {}
    for entry in entries:
        name, path = f"{entry['seq']}.entry", entry["proof"]
        assert isinstance(path, list)
        hashes = "".join(f"{one}\n" for one in path)
        proof = f"index {entry['index']}\n{hashes}\n{checkpoint}"
        files[name] = b64decode(str(entry["leaf"])).decode("ascii")
        files[f"{name}.tlog-proof"] = TLOG + proof
        if spicy:
            files[f"{name}.spicy"] = proof
    return files


def encoded_path(path: Sequence[bytes]) -> list[str]:
    """Hashes as proofs have them, in base64."""
    return [encoded(one) for one in path]
