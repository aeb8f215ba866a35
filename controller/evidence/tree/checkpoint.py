"""Checkpoints of the tree as signed notes: C2SP tlog-checkpoint and signed-note, Ed25519.

A checkpoint is text that can be kept anywhere, sent in a message, or printed::

    table-controller/0123456789abcdef           the origin: the name of the key
    41                                          leaves of the tree, decimal
    oKhUcEoBbpGyrk0/...=                        the root, base64
    doubted 12                                  left out where there is none: see below
                                                an empty line
    — table-controller/0123456789abcdef Zm9v…   the signature, base64

The fourth line is an extension of tlog-checkpoint: a start has found that nobody vouches for the
entries up to that one (:mod:`controller.evidence.checks.vouching`); what is proven of them is void.

What is signed is all that stands before the empty line. The signature has 68 bytes: 4 that name the
key (the first of SHA-256 of its name, a newline, a byte 1 and the public key), and 64 of Ed25519.

The *verifier key* is one line: the name, ``+``, those 4 bytes in hexadecimal, ``+``, and the base64
of a byte 1 and the public key. Its name is made of the key alone, so the same log goes on where a
table is renamed or its journal archived.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.merkle import HASH_BYTES
from controller.journal.commits import Signer
from controller.journal.keys import PublicKey

PREFIX: Final = "table-controller/"
DOUBTED: Final = "doubted "
MOST_BYTES: Final = 1 << 14
"""A longer text is no checkpoint of ours, with the cosignatures behind it."""

_ED25519: Final = b"\x01"
_DASH: Final = "\u2014 "
_ID_BYTES: Final = 4
_NAMED: Final = 16
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,18}")


class BadCheckpoint(ValueError):
    """A text that is no good checkpoint; the message says why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """``size`` leaves under the ``root`` (32 bytes), in the log that ``origin`` names; nobody
    vouches for those up to ``doubted``."""

    origin: str
    size: int
    root: bytes
    doubted: int = 0

    @property
    def note(self) -> str:
        """What is signed."""
        doubted = f"{DOUBTED}{self.doubted}\n" if self.doubted else ""
        return f"{self.origin}\n{self.size}\n{_text_of(self.root)}\n{doubted}"

    def signed(self, key: Signer) -> str:
        """The whole text, under the signature of the key that the origin names."""
        name = name_of(key.public)
        signature = key_id(name, key.public) + key.sign(self.note.encode())
        return f"{self.note}\n{_DASH}{name} {_text_of(signature)}\n"


def name_of(key: PublicKey) -> str:
    """The key's name: made of its fingerprint."""
    return PREFIX + key.fingerprint[:_NAMED]


def key_id(name: str, key: PublicKey) -> bytes:
    """The 4 bytes by which signatures name the key, in the log of that name."""
    text = name.encode() + b"\n" + _ED25519 + key.raw
    return hashlib.sha256(text).digest()[:_ID_BYTES]


def vkey_of(key: PublicKey) -> str:
    """The verifier key."""
    name = name_of(key)
    return f"{name}+{key_id(name, key).hex()}+{_text_of(_ED25519 + key.raw)}"


def checkpoint_of(key: PublicKey, size: int, root: bytes, doubted: int = 0) -> Checkpoint:
    """The checkpoint in the log of that key."""
    return Checkpoint(name_of(key), size, root, min(doubted, size))


def read_checkpoint(text: str, keys: list[PublicKey]) -> Checkpoint:
    """The checkpoint in a text that one of the ``keys`` has signed; signatures of other keys beside
    it (of witnesses) are passed over.

    Raises:
        BadCheckpoint: it has not the form of one, or none of the keys signed it.
    """
    found = parsed(text)
    signatures = text.partition("\n\n")[2]
    for key in keys:
        name = name_of(key)
        start = f"{_DASH}{name} "
        for line in signatures.splitlines():
            signature = _bytes_of(line.removeprefix(start)) if line.startswith(start) else b""
            named, rest = signature[:_ID_BYTES], signature[_ID_BYTES:]
            if named == key_id(name, key) and key.verifies(found.note.encode(), rest):
                if found.origin != name:
                    raise BadCheckpoint(f"is of {found.origin!r}, and its key is {name!r}")
                return found
    raise BadCheckpoint("was not signed with a key that is known here")


def parsed(text: str) -> Checkpoint:
    """The checkpoint that a text says, whoever signed it.

    Raises:
        BadCheckpoint: it has not the form of one.
    """
    if len(text) > MOST_BYTES:
        raise BadCheckpoint(f"has more than {MOST_BYTES} characters")
    note, apart, signatures = text.partition("\n\n")
    lines = note.split("\n")
    if not apart or len(lines) not in (3, 4) or not signatures.endswith("\n"):
        raise BadCheckpoint(
            "is no checkpoint: expected origin, size and root on three lines, an empty one, and "
            "signatures"
        )
    origin, size, root = lines[0], lines[1], _bytes_of(lines[2])
    if not _NUMBER.fullmatch(size):
        raise BadCheckpoint(f"has the size {size!r}")
    if len(root) != HASH_BYTES:
        raise BadCheckpoint("has a root that is not of 32 bytes")
    other, _, doubted = lines[3].partition(DOUBTED) if len(lines) == 4 else ("", "", "0")
    good = not other and _NUMBER.fullmatch(doubted) and int(doubted) <= int(size)
    if len(lines) == 4 and not (good and int(doubted)):
        raise BadCheckpoint(f"has the line {lines[3][:80]!r}, expected '{DOUBTED}ENTRY'")
    return Checkpoint(origin, int(size), root, int(doubted))


def _text_of(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _bytes_of(text: str) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadCheckpoint(f"has {text[:80]!r}, which is no base64") from error
    if _text_of(raw) != text:  # spare bits: a text has one spelling
        raise BadCheckpoint(f"has {text[:80]!r}, which is no base64")
    return raw
