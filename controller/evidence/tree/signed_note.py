"""Signed notes (C2SP signed-note): a text, an empty line, and signatures behind it, a line each.

- A signature is a line ``— NAME BASE64`` of 4 bytes that name the key, and what that key has
  signed.
- A *verifier key* is one line: the name, ``+``, those 4 bytes in hexadecimal, ``+``, and base64 of
  a byte for the kind of the key and the public key.
- The 4 bytes are the first of SHA-256 of the name, a newline, the kind and the public key.
- Base64 has one spelling.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Final

LOG_KEY: Final = 1
"""The kind of an Ed25519 key that signs checkpoints."""

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
