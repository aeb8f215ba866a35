"""What an inspector needs of a journal, in a directory: export, signed heads, and keys.

The rules:

- It is written up to the signed row, in one look, and the row stands behind the heads.
- Evidence that is in the directory already is not written over.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.trust import Trust
from controller.evidence.verification import Sealed
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import new_regular, read_regular

HEADS: Final = "heads.jsonl"
JOURNAL: Final = "journal.jsonl"
KEY: Final = "public-key.txt"
_SOME: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class DossierExtent:
    """The number of the last entry in it, and how many behind that are not signed and were left
    out."""

    last: int
    left_out: int


def heads_bytes(heads: Path) -> int:
    """How many bytes of heads there are; none where there is no file. It only grows."""
    try:
        with read_regular(heads) as file:
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return 0


def write(
    to: Path, reader: JournalReader, by: Trust, sealed: Sealed | None, heads: tuple[Path, int]
) -> DossierExtent:
    """Write it into the directory ``to``. ``heads`` are their file and how many bytes of it are
    taken: those that were there before ``sealed`` was read, so that the row, which is read here,
    covers the entry of each.

    Raises:
        NotDone: 1 no entry is signed, 2 there is something in the directory already.
    """
    cover = reader.cover(by.keys)
    if cover.row is None or not (last := cover.upto):
        raise NotDone(
            NOT_WELL,
            "no entry of this journal is signed with a key that counts: an export alone does not "
            "show that its end is missing; 'tablectl journal export > FILE' makes one",
        )
    _make_free(to)
    with new_regular(to / JOURNAL) as file:
        file.writelines(f"{line}\n".encode("ascii") for line in lines(reader, upto=last))
    path, left = heads
    with new_regular(to / HEADS) as file:
        if left:
            with read_regular(path) as there:
                while left and (some := there.read(min(left, _SOME))):
                    left -= file.write(some)
        file.write(cover.row.line(reader.identity).encode("ascii") + b"\n")
    with new_regular(to / KEY) as file:
        file.writelines(f"{key.text}\n".encode("ascii") for key in by.keys)
    return DossierExtent(last, cover.last.seq - last)


def _make_free(to: Path) -> None:
    """Make the directory; evidence that is in it already is not written over."""
    there = next((path for name in (JOURNAL, HEADS, KEY) if (path := to / name).exists()), None)
    if there is None and (to.is_dir() or not to.exists()):
        to.mkdir(parents=True, exist_ok=True)
        return
    raise NotDone(
        WRONG_USE, f"{there or to} is there already: name another directory with --evidence"
    )
