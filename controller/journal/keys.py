"""The key of the controller: Ed25519, made once, with which it signs its journal. The rules:

- The private key is 32 random bytes, written as one line of hexadecimal. On a machine on which it
  is *installed* (``tablectl journal key --install``) systemd hands it to the service as a
  credential, which the daemon only reads. Elsewhere it is a file of mode 0600, made at the first
  start, durably. Neither is ever changed here or written anywhere else.
- A key that others may read is refused: what it has signed proves nothing.
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
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.causes.finding import cause_of
from controller.journal.canonical import is_hex
from controller.journal.errors import JournalError
from controller.regular_files import read_regular, write_over

KEY_BYTES = 32
CREDENTIAL: Final = "table-controller.key"
"""Name of the credential by which systemd hands an installed key to the service."""

_MODE = 0o600
_FILE_OPEN_TO = 0o077
_CREDENTIAL_OPEN_TO = 0o037
"""Of a file's mode what opens it to others. systemd gives a credential to the service's user by an
access control list where it can; the group's bits then are the list's mask and nobody's right."""

_WANTED = "[state] key must name a file that the controller's user alone may read and write"
_INSTALL_AGAIN = "install it again, from the page in the safe: tablectl journal key --install"


class BadKey(JournalError):
    """A key that cannot be read, made or used; the message says which and what to do."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key; ``raw`` are its 32 bytes."""

    raw: bytes

    @classmethod
    def of_text(cls, text: str) -> PublicKey:
        """The key that 64 hexadecimal digits, in lower case, stand for. Raises BadKey: it is
        something else."""
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


@dataclass(frozen=True, slots=True, repr=False)
class SecretKey:
    """A private key; ``raw`` are its 32 bytes. It is shown in no message and no traceback."""

    raw: bytes

    @classmethod
    def generate(cls) -> SecretKey:
        """A new one."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def of_text(cls, text: str) -> SecretKey:
        """The key that 64 hexadecimal digits stand for. Raises ValueError: it is something else;
        what is not said."""
        raw = bytes.fromhex(text.strip())
        if len(raw) != KEY_BYTES:
            raise ValueError("expected 64 hexadecimal digits")
        return cls(raw)

    @property
    def text(self) -> str:
        """The key in hexadecimal."""
        return self.raw.hex()

    @property
    def public(self) -> PublicKey:
        """Its public key."""
        key = Ed25519PrivateKey.from_private_bytes(self.raw)
        return PublicKey(key.public_key().public_bytes_raw())


class ControllerKey:
    """The private key: the credential in the directory ``credentials``, where systemd has handed
    one over, else that in the file at ``path``, made where there is none. ``path`` then is where it
    was found, ``installed`` whether that is the credential, and ``made`` whether there was none
    before. Raises BadKey: it cannot be read or made, is no key, or others may read it."""

    def __init__(self, path: Path, credentials: Path | None = None) -> None:
        credential = None if credentials is None else credentials / CREDENTIAL
        self.path, self.installed, self.made = path, False, False
        try:
            if credential is not None and os.path.lexists(credential):
                self.path, self.installed = credential, True
                again = f"To mend it, {_INSTALL_AGAIN}"
                modes = _CREDENTIAL_OPEN_TO, "0400 or 0440"
                secret = read_key(credential, opened=again, damaged=again, modes=modes)
            elif os.path.lexists(path):
                secret = read_key(path)
            else:  # durable with its name before anything is signed with it
                self.made, secret = True, SecretKey.generate()
                write_over(path, secret.text.encode() + b"\n", _MODE)
        except OSError as error:
            cause = cause_of(error, self.path)
            said = f"{cause.what}. {_INSTALL_AGAIN}"
            what = said if self.installed else f"{cause.of_the_daemon()}. {_WANTED}"
            raise BadKey(f"the key {self.path} cannot be read or made: {what}") from error
        self._key = Ed25519PrivateKey.from_private_bytes(secret.raw)
        self.public = secret.public
        self.fingerprint = self.public.fingerprint

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self._key.sign(message)


OPENED: Final = (
    "If it was only ever on this machine: chmod 600; else exchange it and tell the inspector"
)
DAMAGED: Final = (
    "Put the copy that was made of it in its place; without one take it away, have a new one made "
    "at the next start and tell the inspector"
)


def read_key(
    path: Path,
    *,
    opened: str = OPENED,
    damaged: str = DAMAGED,
    modes: tuple[int, str] = (_FILE_OPEN_TO, "0600"),
) -> SecretKey:
    """The key in a file that nobody else may read; what is to be done where others may, and where
    it is none, the error says in the words given. ``modes``: the bits that its mode must not have,
    and what it should be. They are those of a table's file, where none are given. Raises BadKey: it
    is no key, or others may read it. OSError: it cannot be read."""
    open_to, wanted = modes
    with read_regular(path) as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        text = file.read(64 * KEY_BYTES).decode("ascii", errors="replace")
    if mode & open_to:
        raise BadKey(
            f"the key {path} has mode {mode:04o}, expected {wanted}: others could sign with it. "
            f"{opened}"
        )
    try:
        return SecretKey.of_text(text)
    except ValueError:
        what = f"the key {path} is damaged: expected 64 hexadecimal digits. {damaged}"
        raise BadKey(what) from None
