"""PINs as they are kept: a random salt, and what scrypt makes of it and the PIN.

A PIN has few digits: whoever has the file finds it by trying all of them, however much one trial
costs (some 40 ms and 16 MiB on a PC). So the file is for the controller alone.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

COST: Final = 1 << 14
BLOCKS: Final = 8
MOST_MEMORY: Final = 64 << 20
SALT_BYTES: Final = 16
KEPT_BYTES: Final = 32


@dataclass(frozen=True, slots=True, repr=False)
class KeptPin:
    """What is kept of a PIN; it is shown in no message and no traceback."""

    salt: bytes
    made: bytes

    @classmethod
    def from_pin(cls, pin: str) -> KeptPin:
        """What is to be kept of that PIN; takes tens of milliseconds."""
        salt = secrets.token_bytes(SALT_BYTES)
        return cls(salt, _scrypt(pin, salt))

    @classmethod
    def of_nobody(cls) -> KeptPin:
        """What no PIN gives."""
        return cls(secrets.token_bytes(SALT_BYTES), secrets.token_bytes(KEPT_BYTES))

    def is_of(self, pin: str) -> bool:
        """Whether it was made of that PIN; takes the same time whether it was or not."""
        return hmac.compare_digest(self.made, _scrypt(pin, self.salt))


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        pin.encode(), salt=salt, n=COST, r=BLOCKS, p=1, maxmem=MOST_MEMORY, dklen=KEPT_BYTES
    )
