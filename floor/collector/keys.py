"""The cosigners' keys: 64 hexadecimal digits in a file of mode 0600, made by ``table-floor init``
and nowhere else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from controller.causes.finding import cause_of
from controller.evidence.tree.checkpoint import start_of
from controller.evidence.tree.cosignature import ED25519, WitnessKey
from controller.journal.commits import Signer
from controller.journal.keys import BadKey, ControllerKey, read_key
from controller.not_done import WRONG_USE, NotDone
from floor.configuration import CosignerSettings

_ANOTHER: Final = (
    "take it away, have 'table-floor init' make another, and put its vkey into every table's"
    " configuration"
)
_OPENED: Final = f"If it was only ever on this machine: chmod 600; else {_ANOTHER}"
_DAMAGED: Final = f"Put the copy out of the safe in its place; without one {_ANOTHER}"


@dataclass(frozen=True, slots=True)
class Cosigner:
    """Signs checkpoints by the name and key that ``vkey`` says."""

    vkey: WitnessKey
    secret: Signer

    def cosigns(self, note: str, time: int) -> str:
        """The line of its cosignature of a checkpoint's note, at that time; with its newline."""
        return f"{self.vkey.line(note, time, self.secret)}\n"

    def own(self, text: str) -> str:
        """The lines of a signed text that are its cosignatures of it; with their newlines."""
        note, _, lines = text.partition("\n\n")
        signed = f"{note}\n"
        own = (one for one in lines.split("\n") if self.vkey.time_of(one, signed) is not None)
        return "".join(f"{one}\n" for one in own)

    def without_own(self, text: str) -> str:
        """A signed text without what is signed by its name; the note itself stays as it is."""
        note, apart, lines = text.partition("\n\n")
        start = start_of(self.vkey.name)
        rest = (one for one in lines.split("\n")[:-1] if not one.startswith(start))
        return note + apart + "".join(f"{one}\n" for one in rest)


def make_key(settings: CosignerSettings) -> bool:
    """Make the key, durably, where there is none; whether it was made.

    Raises:
        NotDone: 2, it cannot be made, or the one that is there cannot be used.
    """
    if os.path.lexists(settings.key):
        cosigner_of(settings)
        return False
    try:
        return ControllerKey(settings.key).made
    except BadKey as error:
        why = cause_of(error.__cause__ or error, settings.key)
        message = f"the key {settings.key} cannot be made: {why}; expected a folder of this user's"
        raise NotDone(WRONG_USE, message) from error


def cosigner_of(settings: CosignerSettings) -> Cosigner:
    """The cosigner whose key is there.

    Raises:
        NotDone: 2, it is not, or cannot be used.
    """
    try:
        read_key(settings.key, opened=_OPENED, damaged=_DAMAGED)
        secret = ControllerKey(settings.key)
    except FileNotFoundError:
        message = f"the key {settings.key} is not there: 'table-floor init' makes it"
        raise NotDone(WRONG_USE, message) from None
    except OSError as error:
        why = cause_of(error, settings.key)
        raise NotDone(WRONG_USE, f"the key {settings.key} cannot be read: {why}") from error
    except BadKey as error:
        raise NotDone(WRONG_USE, str(error)) from error
    return Cosigner(WitnessKey(settings.name, ED25519, secret.public.raw), secret)
