"""Checkpoints of the tree as signed notes: C2SP tlog-checkpoint and signed-note, Ed25519.

A checkpoint is text that can be kept anywhere, sent in a message, or printed::

    table-controller/0123456789abcdef           the origin: the name of the key
    41                                          leaves of the tree, decimal
    oKhUcEoBbpGyrk0/...=                        the root, base64
    doubted 12                                  left out where there is none: see below
                                                an empty line
    — table-controller/0123456789abcdef Zm9v…   the signature, base64

The fourth line is an extension of tlog-checkpoint: a start has found that nobody vouches for the
entries up to that one (:mod:`controller.evidence.recorded`); what is proven of them is void.

What is signed is all that stands before the empty line. The signature has 68 bytes: 4 that name the
key, and 64 of Ed25519. The key's name is made of the key alone, so the same log goes on where a
table is renamed or its journal archived.

Of signed notes in general:

- A signature is a line ``— NAME BASE64`` behind the empty one, of 4 bytes that name the key, and
  what that key has signed. They are the first of SHA-256 of the name, a newline, the kind and the
  public key.
- A *verifier key* is one line: the name, ``+``, those 4 bytes in hexadecimal, ``+``, and base64 of
  a byte for the kind of the key and the public key.
- Base64 has one spelling.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.merkle import HASH_BYTES
from controller.journal.commits import Signer
from controller.journal.keys import PublicKey

LOG_KEY: Final = 1  # the kind of an Ed25519 key that signs checkpoints
ID_BYTES: Final = 4


def key_id(name: str, kind: int, raw: bytes) -> bytes:
    """The 4 bytes by which signatures name a key; ``raw`` is the public key."""
    text = name.encode() + b"\n" + bytes([kind]) + raw
    return hashlib.sha256(text).digest()[:ID_BYTES]


def verifier_key(name: str, kind: int, raw: bytes) -> str:
    """The verifier key in one line."""
    return f"{name}+{key_id(name, kind, raw).hex()}+{encoded(bytes([kind]) + raw)}"


def start_of(name: str) -> str:
    """What the line of a signature begins with."""
    return f"\u2014 {name} "


def note_of(text: str) -> str:
    """What is signed of a text with its signatures."""
    return text.partition("\n\n")[0] + "\n"


def encoded(raw: bytes) -> str:
    """Base64."""
    return base64.b64encode(raw).decode("ascii")


def decoded(text: str) -> bytes | None:
    """What base64 stands for; None where it is none, or spelt in another way than the usual."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if encoded(raw) == text else None


PREFIX: Final = "table-controller/"
DOUBTED: Final = "doubted "
MOST_BYTES: Final = 1 << 14
"""A longer text is no checkpoint of ours, with the cosignatures behind it."""

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
        return f"{self.origin}\n{self.size}\n{encoded(self.root)}\n{doubted}"

    def signed(self, key: Signer) -> str:
        """The whole text, under the signature of the key that the origin names."""
        name = name_of(key.public)
        signature = _id_of(key.public) + key.sign(self.note.encode())
        return f"{self.note}\n{start_of(name)}{encoded(signature)}\n"


def name_of(key: PublicKey) -> str:
    """The key's name: made of its fingerprint."""
    return PREFIX + key.fingerprint[:_NAMED]


def vkey_of(key: PublicKey) -> str:
    """The verifier key."""
    return verifier_key(name_of(key), LOG_KEY, key.raw)


def checkpoint_of(key: PublicKey, size: int, root: bytes, doubted: int = 0) -> Checkpoint:
    """The checkpoint in the log of that key."""
    return Checkpoint(name_of(key), size, root, min(doubted, size))


def read_checkpoint(text: str, keys: Iterable[PublicKey]) -> Checkpoint:
    """The checkpoint in a text that one of the ``keys`` has signed; signatures of other keys beside
    it (of witnesses) are passed over. Raises BadCheckpoint: it has not the form of one, or none of
    the keys signed it."""
    found = parsed(text)
    signatures = text.partition("\n\n")[2]
    for key in keys:
        name = name_of(key)
        start = start_of(name)
        for line in signatures.splitlines():
            signature = _bytes_of(line.removeprefix(start)) if line.startswith(start) else b""
            named, rest = signature[:ID_BYTES], signature[ID_BYTES:]
            if named == _id_of(key) and key.verifies(found.note.encode(), rest):
                if found.origin != name:
                    raise BadCheckpoint(f"is of {found.origin!r}, and its key is {name!r}")
                return found
    raise BadCheckpoint("was not signed with a key that is known here")


def parsed(text: str) -> Checkpoint:
    """The checkpoint that a text says, whoever signed it. Raises BadCheckpoint: it has not the form
    of one."""
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


def _id_of(key: PublicKey) -> bytes:
    return key_id(name_of(key), LOG_KEY, key.raw)


def _bytes_of(text: str) -> bytes:
    if (raw := decoded(text)) is None:
        raise BadCheckpoint(f"has {text[:80]!r}, which is no base64")
    return raw
