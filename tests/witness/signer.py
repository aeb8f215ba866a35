"""A witness that cosigns whatever it is told to."""

from __future__ import annotations

from pathlib import Path

from controller.evidence.tree.checkpoint import note_of
from controller.evidence.tree.cosignature import ED25519, WitnessKey
from controller.journal.keys import ControllerKey


class Signer:
    """``key`` is its public one; the other is in ``file``."""

    def __init__(self, file: Path, name: str = "witness.example/w1") -> None:
        self._secret = ControllerKey(file)
        self.key = WitnessKey(name, ED25519, self._secret.public.raw)
        self.vkey = self.key.text

    def cosigns(self, checkpoint: str, time: int = 1_800_000_000) -> str:
        return self.key.line(note_of(checkpoint), time, self._secret)
