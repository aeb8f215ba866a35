"""A witness that cosigns whatever it is told to."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from controller.evidence.tree.cosignature import ED25519, WitnessKey
from controller.evidence.tree.signed_note import note_of
from controller.journal.keys import ControllerKey


class Signer:
    """``key`` is its public one; the other is in ``file``."""

    def __init__(self, file: Path, name: str = "witness.example/w1") -> None:
        self._secret = ControllerKey(file)
        self.key = WitnessKey(name, ED25519, self._secret.public.raw)
        self.vkey = self.key.text

    def cosigns(self, checkpoint: str, time: int = 1_800_000_000) -> str:
        message = f"cosignature/v1\ntime {time}\n{note_of(checkpoint)}".encode()
        raw = self.key.id + time.to_bytes(8, "big") + self._secret.sign(message)
        return f"\u2014 {self.key.name} {b64encode(raw).decode('ascii')}"
