"""A checkpoint held against a whole journal: whether it is of exactly these entries."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from controller.evidence.tree.entries import NoNode, frontier_before
from controller.evidence.tree.merkle import joined, leaf_hash, push
from controller.journal.export import Lines
from controller.journal.keys import PublicKey
from controller.journal.model import Entry
from controller.journal.reader import JournalReader


def checkpoint_over(
    reader: JournalReader, text: str, keys: Collection[PublicKey], entries: Iterable[Entry]
) -> Checkpoint:
    """The checkpoint in the text, which one of the keys has signed over all of the journal, and
    nothing more; ``entries`` are the journal's, all of them.

    Raises:
        BadCheckpoint: it is of something else, or nobody signed it. JournalError: the journal
            cannot be read.
    """
    checkpoint = read_checkpoint(text, keys)
    if (last := reader.head.seq) != checkpoint.size:
        raise BadCheckpoint(f"is of {checkpoint.size} entries, and the journal ends with {last}")
    spelled = Lines(reader)
    try:
        tree = [(level, value) for (level, _), value in frontier_before(reader).items()]
    except (NoNode, ValueError) as error:
        raise BadCheckpoint(f"cannot be held against the journal: {error}") from error
    for entry in entries:
        push(tree, leaf_hash(spelled.of(entry).encode("ascii")))
    if joined(value for _, value in tree) != checkpoint.root:
        raise BadCheckpoint("is of other entries: its root is another one")
    return checkpoint
