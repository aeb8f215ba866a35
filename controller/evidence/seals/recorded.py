"""What a journal records about its signing: with which key, and what a start found wrong.

The rules:

- Every start record tells under ``sealing`` the key.
- What a start found wrong stands in its record for ever (``found``): number and digest of the last
  entry, the signed row as it was, the fault, what is wrong. A hold is no acquittal: such a start
  vouches for nothing before it. A journal that goes on from such a one repeats it in its first
  entry, as a list.
- A start on a journal that was taken from the floor, which has no row, keeps the checkpoint that
  vouches for it (``recovered``).
- A journal that goes on from an archived one has no start record at first: its first entry repeats
  what the last one in the archive had.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal.canonical import DIGEST_BYTES, IDENTITY_BYTES, is_hex
from controller.journal.commits import Cover
from controller.journal.model import FOUND, SEALING, Entry, Head
from controller.journal.reader import OpenJournal

RECOVERED_BY: Final = "recovered"
"""The checkpoint by which a start believed a journal that was taken from the floor."""
HEADS: Final = "heads"
"""False where none could be written so far; left out elsewhere."""

NOT_SIGNED: Final = "journal-not-signed"
CUT: Final = "journal-cut"
DIFFERS: Final = "journal-differs-from-head"
DOUBTED: Final = "heads-doubted"
DOUBTS: Final = frozenset((NOT_SIGNED, CUT, DIFFERS, DOUBTED))
"""Faults that hold the table: no head is signed before a supervisor has ended them."""

FAILING: Final = "heads-failing"


class Row(TypedDict):
    """A signed row as a start record keeps it; bytes in hexadecimal."""

    seq: int
    digest: str
    wall: str
    key: str
    signature: str


class FoundAtStart(TypedDict):
    """What a start found wrong with the ``journal`` of that name, which ended with entry ``seq`` of
    that ``digest`` (both in hexadecimal): the ``fault``, what is ``wrong`` in words, the signed
    ``row`` as it was (None: there was none of the form of one)."""

    journal: str
    seq: int
    digest: str
    row: Row | None
    wrong: str
    fault: str


def found_at_start(fault: str, wrong: str, journal: bytes, cover: Cover) -> FoundAtStart:
    """What a start found, for its record."""
    last, row = cover.last, cover.row
    return {
        "journal": journal.hex(),
        "seq": last.seq,
        "digest": last.digest.hex(),
        "row": None if row is None else checked(Row, row.as_json()),
        "wrong": wrong,
        "fault": fault,
    }


def recorded_heads(journal: OpenJournal) -> tuple[int, JsonObject | None]:
    """The number of the entry that tells of heads last (0: none could), and what it tells; None
    where it says that there are none."""
    entry = journal.last_of_type("start")
    if entry is None and (before := journal.predecessor) is not None:
        entry = next(iter(journal.iterate(before.seq, before.seq + 1)), None)
    if entry is None:
        return 0, None
    recorded = entry.body.get(SEALING)
    return entry.seq, recorded if isinstance(recorded, Mapping) else None


def recovered_by(entry: Entry) -> str | None:
    """The checkpoint by which a start believed what is before it, where its record says so."""
    told = entry.body.get(SEALING)
    text = told.get(RECOVERED_BY) if isinstance(told, Mapping) else None
    return text if isinstance(text, str) else None


def found_in(entry: Entry) -> list[FoundAtStart]:
    """What an entry says that starts have found; one that cannot be read is told as such."""
    told = entry.body.get(FOUND)
    if told is None or entry.type not in ("start", "snapshot"):
        return []
    try:
        found = checked(list[FoundAtStart], [told] if entry.type == "start" else told, FOUND)
        for one in found:
            if not (is_hex(one["journal"], IDENTITY_BYTES) and is_hex(one["digest"], DIGEST_BYTES)):
                raise WrongForm("journal or digest is not in hexadecimal")
        return found
    except WrongForm as error:
        wrong = f"what it found is not of the form of that: {error}"
        empty = Cover(None, Head(entry.seq - 1, b""), wrong)
        return [found_at_start(NOT_SIGNED, wrong, b"", empty)]
