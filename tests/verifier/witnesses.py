"""Witnesses of a test's own: they cosign what they are given (C2SP tlog-cosignature, Ed25519)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass(frozen=True)
class Witness:
    """A witness by its name; the name makes the key."""

    name: str

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(sha256(self.name.encode()).digest())

    @property
    def _public(self) -> bytes:
        return b"\x04" + self._key.public_key().public_bytes_raw()

    @property
    def _id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self._public).digest()[:4]

    @property
    def vkey(self) -> str:
        """Its verifier key."""
        return f"{self.name}+{self._id.hex()}+{b64encode(self._public).decode()}"

    def cosign(self, checkpoint: str, time: int) -> str:
        """The checkpoint with its line behind the others."""
        note = checkpoint.partition("\n\n")[0]
        signature = self._key.sign(f"cosignature/v1\ntime {time}\n{note}\n".encode())
        raw = b64encode(self._id + time.to_bytes(8, "big") + signature).decode()
        return f"{checkpoint}\u2014 {self.name} {raw}\n"
