"""Signed heads: with one, anyone can later prove that the journal up to it is complete and
unchanged.

A chain of digests does not show that its end was cut off, or that all of it was rewritten. A
head names the journal, an entry and its digest, under the signature of the controller's key
(:mod:`controller.journal.keys`). The rules:

- A head is one line of JSON with the fields of :class:`SignedHead` and ``signature``. Hexadecimal
  has one spelling, lower-case and without blanks: no changed byte leaves a head good.
  What is signed is the canonical text (:func:`controller.journal.canonical.canonical`) of the same
  object without ``signature``. ``format`` is among the fields, so nothing else that the key might
  ever sign is taken for a head.
- A head has its checkpoint besides (:mod:`controller.evidence.tree.checkpoint`), which names the
  root over the same entries and is good by itself, wherever it is kept.
- They are appended to a file of their own, each synced, apart from the journal and best on another
  medium: a person who can write to the journal's disk should not also have the heads.
- A line that a power cut has left without its end is taken away when the next one is written. No
  other line is ever changed or removed while the journal goes on.
- When the journal is closed, the whole file is copied beside the closed one, byte for byte; invalid
  lines too, since someone may ask for them later. It then begins again with the head of the
  journal's end, which proves to the next start, and to a verifier, that the new journal continues
  what was signed. It is shortened last of all, when that is in force: cut off before, it is merely
  longer, and the next closing takes all of it along.
- Every closed entry is proven without its heads too: the new journal names the last one's digest,
  and its commits and heads are signed over that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from textwrap import wrap
from typing import BinaryIO, Final

from controller.evidence.tree.checkpoint import Checkpoint, checkpoint_of, read_checkpoint
from controller.journal.canonical import DIGEST_BYTES, SIGNATURE_BYTES, canonical, is_hex
from controller.journal.commits import Signer
from controller.journal.errors import BadDraft
from controller.journal.keys import PublicKey
from controller.regular_files import open_regular, read_regular, sync_directory, write_over

FORMAT: Final = "table-controller head 3"
TAIL_BYTES = 64 * 1024
"""How much of the file is read at a time, from its end: more than a hundred heads."""
SHORT_DIGITS = 16


class BadHead(ValueError):
    """A line that is no head; the message says why."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A signed head: ``journal`` is the journal's identity, ``digest`` that of entry ``seq`` (both
    hexadecimal), ``boot`` the number of the boot, ``wall`` a remark, ``key`` the fingerprint of the
    key that made ``signature`` (hexadecimal), ``checkpoint`` the text of the checkpoint, "" before
    it is sealed."""

    journal: str
    table: str
    seq: int
    digest: str
    boot: int
    wall: str
    key: str = ""
    signature: str = ""
    checkpoint: str = ""

    @property
    def message(self) -> bytes:
        """What is signed."""
        parts = {name: value for name, value in self.as_json().items() if name != "signature"}
        return canonical(parts).encode("ascii")

    def as_json(self) -> dict[str, object]:
        """The head's fields."""
        return {"format": FORMAT} | {name: getattr(self, name) for name in _FIELDS}

    @property
    def line(self) -> str:
        """The head's line, without its end."""
        return canonical(self.as_json())

    @property
    def short(self) -> str:
        """Short enough to be written down: ``1234 3f2a-91bc-04de-77aa``."""
        return f"{self.seq} {'-'.join(wrap(self.digest[:SHORT_DIGITS], 4))}"

    def signed(self, key: Signer) -> SignedHead:
        """The same under the signature of that key."""
        named = replace(self, key=key.fingerprint)
        return replace(named, signature=key.sign(named.message).hex())

    def sealed(self, key: Signer, root: bytes, doubted: int) -> SignedHead:
        """The same, signed, with the signed checkpoint over the same entries: ``root`` is that of
        their tree; nobody vouches for those up to ``doubted``."""
        made = checkpoint_of(key.public, self.seq, root, doubted).signed(key)
        return replace(self, checkpoint=made).signed(key)

    def signed_checkpoint(self, keys: Sequence[PublicKey]) -> Checkpoint | None:
        """What its checkpoint says, which one of the keys has signed; None where it has none.
        Raises BadCheckpoint: it is none."""
        return read_checkpoint(self.checkpoint, keys) if self.checkpoint else None

    def is_of(self, key: PublicKey) -> bool:
        """Whether it was signed with that key."""
        if self.key != key.fingerprint:
            return False
        return key.verifies(self.message, bytes.fromhex(self.signature))


_FIELDS: Final = tuple(part.name for part in fields(SignedHead))


def read_head(line: str | bytes) -> SignedHead:
    """The head that a line holds; its signature is not looked at. Raises BadHead: it is no head."""
    try:
        parts = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadHead(f"is not JSON: {error}") from error
    kinds = {"seq": int, "boot": int}
    if not isinstance(parts, dict) or parts.keys() != {"format", *_FIELDS}:
        raise BadHead(f"has not the fields of a head: format, {', '.join(_FIELDS)}")
    if (given := parts.pop("format")) != FORMAT:
        raise BadHead(f"has the format {given!r}, expected {FORMAT!r}")
    for name, value in parts.items():
        if type(value) is not kinds.get(name, str):
            raise BadHead(f"has {name} = {str(value)[:80]!r}")
    head = SignedHead(**parts)
    if not (is_hex(head.digest, DIGEST_BYTES) and is_hex(head.signature, SIGNATURE_BYTES)):
        what = "has a digest or a signature that is not lower-case hexadecimal of its length"
        raise BadHead(what)
    try:
        if head.line.encode("ascii") != (line.encode() if isinstance(line, str) else line).strip():
            raise BadHead("is not in canonical form")
    except (BadDraft, UnicodeEncodeError) as error:
        raise BadHead(str(error)) from error
    return head


def heads_in(path: Path) -> Iterator[tuple[int, SignedHead | BadHead]]:
    """Every line of a file of heads by its number, a line that is no head as the reason why."""
    with read_regular(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(TAIL_BYTES), b""), 1):
            try:
                yield number, read_head(line.strip())
            except BadHead as bad:
                yield number, bad


def last_head(
    path: Path, keys: Collection[PublicKey], *, with_checkpoint: bool = False
) -> SignedHead | None:
    """The last head in the file that one of the ``keys`` has signed, or the last of those that have
    a checkpoint of any entry; None where none is. Raises OSError: the file cannot be read."""
    names = [key.fingerprint.encode("ascii") for key in keys]
    with read_regular(path) as file:
        for line in _backwards(file):
            if not any(name in line for name in names):
                continue  # there may be a million of another key
            try:
                head = read_head(line)
            except BadHead:
                continue
            if with_checkpoint and not (head.checkpoint and head.seq):
                continue
            if any(head.is_of(key) for key in keys):
                return head
    return None


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, the last one first; no more of it is held than a piece, however long it
    is. A line longer than a piece is no head, and comes in parts."""
    at, rest = file.seek(0, os.SEEK_END), b""
    while at > 0:
        size = min(TAIL_BYTES, at)
        at = file.seek(at - size)
        rest, *whole = (file.read(size) + rest[:TAIL_BYTES]).split(b"\n")
        yield from reversed(whole)
    yield rest


def append_head(path: Path, head: SignedHead) -> None:
    """Write a head behind the others, durably. Raises OSError: it could not be written; it may be
    tried again, since a line that was written twice says the same twice."""
    new = not path.exists()
    fd = open_regular(path, os.O_RDWR | os.O_CREAT)
    try:
        size = os.fstat(fd).st_size
        start = max(0, size - TAIL_BYTES)  # a longer line than any head is not looked past
        at = os.pread(fd, size - start, start).rfind(b"\n")
        end = size if at < 0 and start else start + at + 1
        os.ftruncate(fd, end)
        line = head.line.encode("ascii") + b"\n"
        if os.pwrite(fd, line, end) != len(line):
            raise OSError(f"{path} took only a part of a head: is its medium full?")
        os.fsync(fd)
    finally:
        os.close(fd)
    if new:
        sync_directory(path.parent)


def beside(archived: Path) -> Path:
    """The file of heads that belongs to a journal's file in the archive."""
    return archived.with_suffix(".heads.jsonl")


def shorten(path: Path, head: SignedHead) -> None:
    """Have the file begin again with that head, in one step; whose it is stays. Raises OSError."""
    there = path.stat()
    content = head.line.encode("ascii") + b"\n"
    write_over(path, content, there.st_mode & 0o777, exactly=True, like=there)
