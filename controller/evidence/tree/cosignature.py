"""Cosignatures of witnesses on checkpoints: C2SP tlog-cosignature, Ed25519. The rules:

- A witness is known by its verifier key (:mod:`~.checkpoint`). Its kind is 4 for Ed25519. Kind 6,
  ML-DSA-44, is accepted as a key, and its cosignatures are not checked yet: they count for nothing.
- A cosignature is a line ``— NAME BASE64`` behind the checkpoint's own signature, of 4 bytes that
  name the key, 8 bytes of time (seconds since 1970, big-endian) and 64 bytes of signature. Signed
  are ``cosignature/v1``, ``time T`` and the lines of the checkpoint.
- Whatever has another name or names another key is passed over, as unknown.
- They are kept in a file beside the heads, a line of JSON each: the witness's ``name`` in the
  configuration, its ``vkey``, the ``checkpoint`` and the ``cosignature``. So a line proves
  something by itself, wherever it is kept. The file is written anew each time, beside and then
  renamed. A line that is not good is passed over: what it might have said the witness says again.
- Kept are the last :data:`KEEP` of each witness. A later checkpoint is good for every earlier round
  as well, so proofs need no others; and where witnesses are not level there is still a checkpoint
  that several have cosigned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import (
    ID_BYTES,
    decoded,
    encoded,
    key_id,
    note_of,
    parsed,
    start_of,
    verifier_key,
)
from controller.forms.json_values import WrongForm, checked
from controller.journal.canonical import SIGNATURE_BYTES
from controller.journal.commits import Signer
from controller.journal.keys import KEY_BYTES, PublicKey
from controller.regular_files import read_whole, write_over

ED25519: Final = 4
ML_DSA_44: Final = 6
MOST_TIME: Final = (1 << 63) - 1
_RAW_BYTES: Final = {ED25519: KEY_BYTES, ML_DSA_44: 1312}
_TIME_BYTES: Final = 8
_HEX_ID: Final = re.compile("[0-9a-f]{8}")


def _signed_text(note: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{note}".encode()


class BadVerifierKey(ValueError):
    """A text that is no verifier key of a witness; the message says why."""


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """A witness's verifier key, in parts; ``raw`` is the public key."""

    name: str
    kind: int
    raw: bytes

    @classmethod
    def of_vkey(cls, text: str) -> WitnessKey:
        """The key that the text is. Raises BadVerifierKey: it is none, or of a kind that no witness
        has."""
        name, _, rest = text.partition("+")
        told, _, spelled = rest.partition("+")
        if not name or any(letter.isspace() for letter in name) or not _HEX_ID.fullmatch(told):
            raise BadVerifierKey("expected NAME+ID+BASE64, as the witness says it")
        data = decoded(spelled) or b""
        if not data or _RAW_BYTES.get(data[0]) != len(data) - 1:
            raise BadVerifierKey(
                "the key behind the second + is none of a witness: expected base64 of a byte 4 and "
                "an Ed25519 key, or of a byte 6 and an ML-DSA-44 key"
            )
        key = cls(name, data[0], data[1:])
        if key.id.hex() != told:
            raise BadVerifierKey(f"{told} is not the id of this key: expected {key.id.hex()}")
        return key

    @property
    def id(self) -> bytes:
        """The 4 bytes by which cosignatures name the key."""
        return key_id(self.name, self.kind, self.raw)

    @property
    def text(self) -> str:
        """The verifier key in one line."""
        return verifier_key(self.name, self.kind, self.raw)

    @property
    def is_checked(self) -> bool:
        """Whether this version checks what the key has signed."""
        return self.kind == ED25519

    def time_of(self, line: str, note: str) -> int | None:
        """When the witness cosigned the note, the checkpoint's lines; None where the line is
        not a good cosignature of it by this key."""
        start = start_of(self.name)
        signed = (decoded(line.removeprefix(start)) if line.startswith(start) else None) or b""
        named, rest = signed[:ID_BYTES], signed[ID_BYTES:]
        time = int.from_bytes(rest[:_TIME_BYTES], "big")
        if not self.is_checked or named != self.id or time > MOST_TIME:
            return None
        if len(rest) != _TIME_BYTES + SIGNATURE_BYTES:
            return None
        good = PublicKey(self.raw).verifies(_signed_text(note, time), rest[_TIME_BYTES:])
        return time if good else None

    def line(self, note: str, time: int, key: Signer) -> str:
        """The cosignature of the note by ``key``, whose public half this is, at that time."""
        signed = time.to_bytes(_TIME_BYTES, "big") + key.sign(_signed_text(note, time))
        return f"{start_of(self.name)}{encoded(self.id + signed)}"

    def newest_of(self, lines: Iterable[str], note: str) -> tuple[int, str] | None:
        """The latest of the good cosignatures among the lines, its time and itself."""
        times = ((self.time_of(line, note), line) for line in lines)
        return max(((time, line) for time, line in times if time is not None), default=None)


KEPT_NAME: Final = "cosignatures.jsonl"
KEEP: Final = 8
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GoodCosignature:
    """A good cosignature: of the witness that the configuration calls ``name``."""

    name: str
    vkey: str
    checkpoint: str
    cosignature: str
    size: int
    time: int


def beside_heads(heads: Path) -> Path:
    """Where they are kept."""
    return heads.with_name(KEPT_NAME)


def kept_of(
    name: str, key: WitnessKey, checkpoint: str, lines: Iterable[str]
) -> GoodCosignature | None:
    """The latest good cosignature of the checkpoint among the lines; None where there is none."""
    found = key.newest_of(lines, note_of(checkpoint))
    if found is None:
        return None
    time, line = found
    return GoodCosignature(name, key.text, checkpoint, line, parsed(checkpoint).size, time)


def read_kept(path: Path) -> list[GoodCosignature]:
    """The good ones in the file, in the order of sizes; none where there is no file. Raises
    OSError: it cannot be read."""
    try:
        text = read_whole(path, _MOST_BYTES)
    except FileNotFoundError:
        return []
    found = (_read_line(line) for line in text.splitlines())
    return sorted((one for one in found if one), key=lambda one: (one.size, one.time))


def _read_line(line: bytes) -> GoodCosignature | None:
    try:
        told = checked(dict[str, str], json.loads(line), "line")
        key = WitnessKey.of_vkey(told["vkey"])
        return kept_of(told["name"], key, told["checkpoint"], [told["cosignature"]])
    except (BadVerifierKey, WrongForm, ValueError, LookupError, RecursionError):
        return None


def latest(kept: Iterable[GoodCosignature]) -> list[GoodCosignature]:
    """Those that are to be kept, in the order of sizes."""
    by_name: dict[str, dict[int, GoodCosignature]] = {}
    for one in sorted(kept, key=lambda one: (one.size, one.time)):
        by_name.setdefault(one.name, {})[one.size] = one
    return [one for sizes in by_name.values() for one in [*sizes.values()][-KEEP:]]


def write_kept(path: Path, kept: Iterable[GoodCosignature]) -> None:
    """Have those in the file, and no others, durably. Raises OSError: that is not possible; the
    file is as it was."""
    fields = ("name", "vkey", "checkpoint", "cosignature")
    lines = [json.dumps({name: asdict(one)[name] for name in fields}) for one in kept]
    write_over(path, "".join(f"{line}\n" for line in lines).encode("ascii"), 0o640)


def cosigned(checkpoint: str, kept: Sequence[GoodCosignature]) -> str:
    """The checkpoint with the cosignatures of it that are kept, behind its signature."""
    note = note_of(checkpoint)
    lines = {one.vkey: one.cosignature for one in kept if note_of(one.checkpoint) == note}
    return checkpoint + "".join(f"{line}\n" for line in lines.values())
