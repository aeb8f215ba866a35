"""The key of the controller: Ed25519, made at the first start, with which it signs heads of its
journal.

The rules:

- The private key is 32 random bytes in a file of mode 0600, as one line of hexadecimal. It is made
  once, durably, and never changed or written anywhere else. A key that others may read is refused:
  what it has signed proves nothing.
- The public key is 32 bytes; its *fingerprint* is the SHA-256 of these bytes, in hexadecimal. The
  house writes the fingerprint down when it is installed: a signature is worth what is known of
  the key that made it.
- This is the only module of the controller that imports ``cryptography``.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.journal.disk import sync_directory
from controller.journal.errors import JournalError
from controller.regular_files import read_regular

KEY_BYTES = 32
SIGNATURE_BYTES = 64
_MODE = 0o600
_DIGITS = frozenset("0123456789abcdef")


class BadKey(JournalError):
    """A key that cannot be read, made or used; the message says which and what to do."""


def is_hex(text: str, count: int) -> bool:
    """Whether the text encodes ``count`` bytes in the only permitted form: two lower-case digits
    each, and nothing between them."""
    return len(text) == 2 * count and _DIGITS.issuperset(text)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key; ``raw`` are its 32 bytes."""

    raw: bytes

    @classmethod
    def of_text(cls, text: str) -> PublicKey:
        """The key that 64 hexadecimal digits, in lower case, stand for.

        Raises:
            BadKey: it is something else.
        """
        digits = text.strip()
        if not is_hex(digits, KEY_BYTES):
            raise BadKey(
                f"{digits[:80]!r} is no public key; expected the 64 hexadecimal digits, in "
                "lower case, that 'tablectl journal key' prints"
            )
        return cls(bytes.fromhex(digits))

    @property
    def text(self) -> str:
        """The key in hexadecimal."""
        return self.raw.hex()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the key, in hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature of the message was made with this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class ControllerKey:
    """The private key in the file at ``path``; ``made`` tells that there was none before.

    Raises:
        BadKey: the file cannot be read or made, is no key, or others may read it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.made = not path.exists()
            raw = _make(path) if self.made else _read(path)
        except OSError as error:
            raise BadKey(
                f"the key {path} cannot be read or made ({error.strerror or error}); [state] key "
                "must name a file that the controller's user alone may read and write"
            ) from error
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = PublicKey(self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self._key.sign(message)


def _make(path: Path) -> bytes:
    """Make a key, durable with its name before anything is signed with it."""
    raw = secrets.token_bytes(KEY_BYTES)
    # Under another name first: a power cut must not leave half a key.
    partial = path.with_name(path.name + ".new")
    partial.unlink(missing_ok=True)
    fd = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
    try:
        os.write(fd, raw.hex().encode() + b"\n")
        os.fsync(fd)
    finally:
        os.close(fd)
    partial.replace(path)
    sync_directory(path.parent)
    return raw


def _read(path: Path) -> bytes:
    """Read a key that nobody else may read."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise BadKey(
            f"the key {path} has mode {mode:04o}, expected 0600: others could sign with it. If it "
            "was only ever on this machine: chmod 600; else exchange it and tell the inspector"
        )
    with read_regular(path) as file:
        text = file.read(64 * KEY_BYTES).decode("ascii", errors="replace").strip()
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise BadKey(
            f"the key {path} is damaged: expected 64 hexadecimal digits. Put the copy that was "
            "made of it in its place; without one take it away, have a new one made at the next "
            "start and tell the inspector"
        )
    return raw
