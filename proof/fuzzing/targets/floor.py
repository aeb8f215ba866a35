"""What strangers may send a floor: checkpoints and uploads, altered and cut into any pieces.

- Whatever is not taken is refused, with a status that the specifications have.
- A checkpoint that is taken is one that the log has signed, and goes on from what is held.
- Entries that are taken are the log's own, in order, whatever else came with them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.evidence.tree.checkpoint import LOG_KEY, checkpoint_of, key_id, name_of
from controller.evidence.tree.merkle import (
    Node,
    hash_between,
    leaf_hash,
    node_hash,
    push,
    root_of,
    subtree_proof,
)
from controller.evidence.tree.merkle import packages as intervals
from controller.journal.keys import ControllerKey
from floor.protocol.answers import Refusal
from floor.protocol.checkpoints import HeldCheckpoint, extends, read_submission, signed
from floor.protocol.notes import NoteKey
from floor.protocol.packages import BLOCK, Frontier, proven
from floor.protocol.uploads import UploadReader
from proof.fuzzing.choices import HOSTILE, Choices, edited
from proof.fuzzing.target import Target

SIZE = 300
HELD = (0, 20, 256)
LEAVES = tuple(b"entry %d" % number for number in range(SIZE))
STATUSES = frozenset((400, 403, 404, 409, 422))


@dataclass(frozen=True, slots=True)
class _MadeLog:
    """A log, by its key, with checkpoints and uploads that are good."""

    key: NoteKey
    checkpoints: tuple[str, ...]
    uploads: tuple[bytes, ...]


def _node(level: int, index: int) -> bytes:
    if level == 0:
        return leaf_hash(LEAVES[index])
    return node_hash(_kept(level - 1, 2 * index), _kept(level - 1, 2 * index + 1))


_kept: Node = cache(_node)


@cache
def _made_log() -> _MadeLog:
    with TemporaryDirectory(prefix="fuzz-") as folder:
        secret = ControllerKey(Path(folder) / "key")
    origin = name_of(secret.public)
    key = NoteKey(origin, key_id(origin, LOG_KEY, secret.public.raw), secret.public)

    def request(old: int, new: int) -> str:
        path = subtree_proof(0, old, new, _kept) if old else []
        proof = "".join(f"{b64encode(one).decode()}\n" for one in path)
        text = checkpoint_of(secret.public, new, root_of(new, _kept)).signed(secret)
        return f"old {old}\n{proof}\n{text}"

    pairs = [(old, new) for old in HELD for new in (20, 256, SIZE) if old <= new]
    uploads = tuple(b"".join(_upload(origin, start)) for start in HELD)
    return _MadeLog(key, tuple(request(*pair) for pair in pairs), uploads)


def _upload(origin: str, start: int) -> Iterator[bytes]:
    yield _counted(origin.encode()) + start.to_bytes(8, "big") + SIZE.to_bytes(8, "big")
    yield _counted(b"")
    for low, high in intervals(start, SIZE):
        proof = subtree_proof(low - low % BLOCK, high, SIZE, _kept)
        yield b"".join(_counted(leaf) for leaf in LEAVES[low:high])
        yield bytes([len(proof)]) + b"".join(proof)


def _counted(raw: bytes) -> bytes:
    return len(raw).to_bytes(2, "big") + raw


def run_bytes(data: bytes) -> int:
    """One request."""
    choices = Choices(data)
    request = _checkpoint if choices.byte() % 2 else _entries
    refusal = _refusal(request, choices)
    if refusal is not None:
        assert refusal.status in STATUSES
        assert refusal.body.endswith("\n")
    return 1


def _refusal(request: Callable[[Choices], None], choices: Choices) -> Refusal | None:
    try:
        request(choices)
    except Refusal as refusal:
        return refusal
    return None


def _checkpoint(choices: Choices) -> None:
    made, size = _made_log(), choices.among(HELD)
    held = HeldCheckpoint(size, root_of(size, _kept))
    text = choices.among(made.checkpoints)
    body = edited(choices, text, (*HOSTILE, *text.split("\n"))).encode("utf-8", "replace")
    asked = read_submission(body)
    new = signed(asked, made.key if asked.origin == made.key.name else None)
    extends(new, asked, held)
    assert new.root == root_of(new.size, _kept)
    assert new.size >= size


def _entries(choices: Choices) -> None:
    """Of a mirror that has so many, and takes those up to the last."""
    made, stored = _made_log(), choices.among(HELD)
    body = bytearray(choices.among(made.uploads))
    for _ in range(choices.below(4)):
        at = choices.below(len(body))
        body[at : at + choices.below(3)] = choices.raw(choices.below(4))
    frontier: Frontier = _frontier(stored)
    reader, piece = UploadReader(), 1 + choices.below(5000)
    for at in range(0, len(body), piece):
        for package in reader.feed(bytes(body[at : at + piece])):
            assert reader.head is not None
            if reader.head.end != SIZE or not package.start <= stored:
                return  # another place was asked for
            found = proven(package, stored, frontier, SIZE, hash_between(0, SIZE, _kept))
            assert found.leaves == LEAVES[stored : stored + len(found.leaves)]
            stored, frontier = stored + len(found.leaves), found.frontier


def _frontier(size: int) -> list[tuple[int, bytes]]:
    nodes: list[tuple[int, bytes]] = []
    for leaf in LEAVES[:size]:
        push(nodes, leaf_hash(leaf))
    return nodes


def seeds() -> list[bytes]:
    """Each request as it is, and edited at some places."""
    return [
        bytes([kind, held, base, n, 7, n])
        for kind in (0, 1)
        for held in range(3)
        for base in range(8)
        for n in range(3)
    ]


TARGETS = (Target("floor", "requests", run_bytes, seeds, most_bytes=64),)
