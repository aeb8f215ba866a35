"""The cosignatures that are kept, in a file beside the heads.

The rules:

- One line of JSON each: the witness's ``name`` in the configuration, its ``vkey``, the
  ``checkpoint`` and the ``cosignature``. So a line proves something by itself, wherever it is kept.
- Kept are the last :data:`KEEP` of each witness. A later checkpoint is good for every earlier round
  as well, so proofs need no others; and where witnesses are not level there is still a checkpoint
  that several have cosigned.
- The file is written anew each time, beside and then renamed: it is whole or as it was. A line that
  is not good is passed over: what it might have said the witness says again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import parsed
from controller.evidence.tree.cosignature import BadVerifierKey, WitnessKey
from controller.evidence.tree.signed_note import note_of
from controller.forms.json_values import WrongForm, checked
from controller.regular_files import read_whole, write_over

FILE_NAME: Final = "cosignatures.jsonl"
KEEP: Final = 8
MOST_BYTES: Final = 1 << 20


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
    return heads.with_name(FILE_NAME)


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
    """The good ones in the file, in the order of sizes; none where there is no file.

    Raises:
        OSError: it cannot be read.
    """
    try:
        text = read_whole(path, MOST_BYTES)
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
    """Have those in the file, and no others, durably.

    Raises:
        OSError: that is not possible; the file is as it was.
    """
    fields = ("name", "vkey", "checkpoint", "cosignature")
    lines = [json.dumps({name: asdict(one)[name] for name in fields}) for one in kept]
    write_over(path, "".join(f"{line}\n" for line in lines).encode("ascii"), 0o640)


def cosigned(checkpoint: str, kept: Sequence[GoodCosignature]) -> str:
    """The checkpoint with the cosignatures of it that are kept, behind its signature."""
    note = note_of(checkpoint)
    lines = {one.vkey: one.cosignature for one in kept if note_of(one.checkpoint) == note}
    return checkpoint + "".join(f"{line}\n" for line in lines.values())
