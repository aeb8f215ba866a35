"""Signed notes as strangers send them (C2SP signed-note).

The rules:

- A note has no control character but the newline. Its text is what stands before the last empty
  line; at least one signature stands behind, each a line of its own.
- Every line must be a signature in form. Those of unknown keys are passed over; one that names a
  known key and was not made with it spoils the whole note.
- Base64 has one spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.evidence.tree.checkpoint import ID_BYTES, decoded, start_of
from controller.journal.keys import PublicKey
from floor.protocol.answers import BAD_REQUEST, FORBIDDEN, Refusal

MOST_SIGNATURES: Final = 64
"""Lines; 16 must be taken."""
_SIGNATURE: Final = "— "


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """A line behind a note: the name and id of the key, and what it says to have signed."""

    line: str
    name: str
    key_id: bytes
    raw: bytes


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A key whose word counts, as its signatures name it."""

    name: str
    key_id: bytes
    key: PublicKey


def parts_of(note: str) -> tuple[str, tuple[NoteSignature, ...]]:
    """The text of a note, with its last newline, and its signatures.

    Raises:
        Refusal: 400, it is no note.
    """
    if any(letter < " " and letter != "\n" for letter in note):
        raise Refusal(BAD_REQUEST, "the note has a control character")
    text, apart, behind = note.rpartition("\n\n")
    lines = behind.split("\n")
    if not apart or not text or lines.pop() or not lines:
        raise Refusal(BAD_REQUEST, "no note: expected a text, an empty line, and signatures")
    if len(lines) > MOST_SIGNATURES:
        raise Refusal(BAD_REQUEST, f"the note has more than {MOST_SIGNATURES} signatures")
    return f"{text}\n", tuple(_signature(line) for line in dict.fromkeys(lines))


def _signature(line: str) -> NoteSignature:
    name, apart, spelled = line.removeprefix(_SIGNATURE).partition(" ")
    signed = decoded(spelled) or b""
    good = name and not any(letter.isspace() or letter == "+" for letter in name)
    if not (line.startswith(_SIGNATURE) and apart and good and len(signed) > ID_BYTES):
        raise Refusal(BAD_REQUEST, f"a line behind the note is no signature: {line[:80]!a}")
    return NoteSignature(line, name, signed[:ID_BYTES], signed[ID_BYTES:])


def verified(text: str, signatures: tuple[NoteSignature, ...], by: NoteKey) -> str:
    """The line with which that key has signed the text.

    Raises:
        Refusal: 403, it has not.
    """
    named = [one for one in signatures if (one.name, one.key_id) == (by.name, by.key_id)]
    if not named:
        raise Refusal(FORBIDDEN, f"no signature is {by.name}'s: expected {start_of(by.name)!r}…")
    for one in named:
        if not by.key.verifies(text.encode(), one.raw):
            raise Refusal(FORBIDDEN, f"the signature of {by.name} is not over this text")
    return named[0].line
