"""A checkpoint as it is submitted to a witness or a mirror: ``add-checkpoint`` of C2SP
tlog-witness. What is asked::

    old 41                            entries that the checkpoint is proven from
    oKhUcEoBbpGyrk0/...=              at most 63 hashes: RFC 6962, section 2.1.2
                                      an empty line
    table-controller/0123456789abcdef
    ...                               the checkpoint (C2SP tlog-checkpoint)

The checks, in this order; the first that fails is the answer:

1. The form of what stands before the checkpoint: 400. The origin is known: 404.
2. The form of the note: 400. The log's key signed it: 403. The form of the checkpoint: 400.
3. ``old`` is not above its size: 400.
4. ``old`` is what is held: 409 with that.
5. The root of no entries is that of the empty tree; none is proven from nothing; and the proof
   leads from the held root to the new one: 422.

Those up to 3 need nothing that is held. Sizes are decimal without leading zeroes, below 2^63.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.checkpoint import decoded
from controller.evidence.tree.merkle import EMPTY, HASH_BYTES, roots_from_subtree
from floor.protocol.answers import BAD_REQUEST, CONFLICT, NOT_FOUND, SIZE, UNPROVEN, Refusal
from floor.protocol.notes import NoteKey, parts_of, verified

MOST_BYTES: Final = 1 << 17
"""Of a request: 63 hashes, and 16 signatures of the longest kind, which have 7 kB each."""
MOST_HASHES: Final = 63
MOST_SIZE: Final = (1 << 63) - 1

_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")
_OLD: Final = "old "


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """What is asked: the size that is proven from, the proof, and the checkpoint, not yet read."""

    old: int
    proof: tuple[bytes, ...]
    checkpoint: str

    @property
    def origin(self) -> str:
        """The log that it says to be of."""
        return self.checkpoint.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint that its log has signed. ``note`` is what was signed, ``text`` that with the
    log's signature and no other."""

    origin: str
    size: int
    root: bytes
    note: str
    text: str


@dataclass(frozen=True, slots=True)
class HeldCheckpoint:
    """The newest that was taken of a log."""

    size: int = 0
    root: bytes = EMPTY


def read_submission(body: bytes) -> AddCheckpoint:
    """What a request asks.

    Raises:
        Refusal: 400, it has not the form of one.
    """
    try:
        head, apart, checkpoint = body.decode("utf-8").partition("\n\n")
    except UnicodeDecodeError as error:
        raise Refusal(BAD_REQUEST, f"no UTF-8 at byte {error.start}") from error
    first, *hashes = head.split("\n")
    old = _size_of(first.removeprefix(_OLD)) if first.startswith(_OLD) else None
    if not apart or old is None:
        raise Refusal(BAD_REQUEST, f"expected 'old SIZE', a proof and a checkpoint: {head[:80]!a}")
    if len(hashes) > MOST_HASHES:
        raise Refusal(BAD_REQUEST, f"the proof has more than {MOST_HASHES} hashes")
    return AddCheckpoint(old, tuple(_hash_of(one) for one in hashes), checkpoint)


def signed(asked: AddCheckpoint, by: NoteKey | None) -> SignedCheckpoint:
    """The checkpoint that is submitted, by the key of its log; None: no such log is known.

    Raises:
        Refusal: 404, 403 or 400.
    """
    if by is None:
        raise Refusal(NOT_FOUND, f"the log {asked.origin[:80]!a} is not known here")
    note, signatures = parts_of(asked.checkpoint)
    line = verified(note, signatures, by)
    origin, size, root = _parts(note)
    if asked.old > size:
        raise Refusal(BAD_REQUEST, f"old {asked.old} is above the checkpoint's size, {size}")
    return SignedCheckpoint(origin, size, root, note, f"{note}\n{line}\n")


def _parts(note: str) -> tuple[str, int, bytes]:
    lines = note.split("\n")[:-1]
    if len(lines) < 3 or not all(lines):
        raise Refusal(BAD_REQUEST, "no checkpoint: expected origin, size and root, a line each")
    if (size := _size_of(lines[1])) is None:
        raise Refusal(BAD_REQUEST, f"the checkpoint has the size {lines[1][:40]!a}")
    return lines[0], size, _hash_of(lines[2])


def extends(new: SignedCheckpoint, asked: AddCheckpoint, held: HeldCheckpoint) -> None:
    """Check that the checkpoint is of a history that goes on from what is held.

    Raises:
        Refusal: 409, it is proven from elsewhere; 422, it is not proven. That is evidence where the
            checkpoint is below what is held, or not proven.
    """
    if asked.old != held.size:
        words = f"the checkpoint for {new.size} is proven from {asked.old}; {held.size} is held"
        raise Refusal(CONFLICT, words, f"{held.size}\n", SIZE, evidence=new.size < held.size)
    if wrong := _wrong(new, asked.proof, held):
        words = f"the checkpoint for {new.size} is not proven from {held.size}: {wrong}"
        raise Refusal(UNPROVEN, words, evidence=True)


def _wrong(new: SignedCheckpoint, proof: Sequence[bytes], held: HeldCheckpoint) -> str:
    """Why it does not go on from what is held; empty where it does."""
    if new.size == 0 and new.root != EMPTY:
        return "no entries have another root than the empty tree's"
    if held.size == 0:
        return "from no entries there is nothing to prove" if proof else ""
    try:
        old_root, new_root = roots_from_subtree(0, held.size, new.size, held.root, proof)
    except ValueError as error:
        return str(error)
    if old_root != held.root:
        return "the proof begins in another history than the one that is held"
    if new_root != new.root:
        equal = held.size == new.size
        return "another root is held for it" if equal else "the proof leads to another root"
    return ""


def _size_of(text: str) -> int | None:
    size = int(text) if _SIZE.fullmatch(text) else MOST_SIZE + 1
    return size if size <= MOST_SIZE else None


def _hash_of(text: str) -> bytes:
    raw = decoded(text)
    if raw is None or len(raw) != HASH_BYTES:
        raise Refusal(BAD_REQUEST, f"no base64 of {HASH_BYTES} bytes: {text[:80]!a}")
    return raw
