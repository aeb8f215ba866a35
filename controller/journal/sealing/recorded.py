"""What a journal records about its signing: with which key, and what a start found wrong.

The rules:

- Every start record tells under ``sealing`` the key, and that from here every commit is signed
  (``commits``): a file that is read as one from before must not have it.
- What a start found wrong stands in its record for ever (``found``): number and digest of the last
  entry, the signed row as it was, the fault, what is wrong. A hold is no acquittal: such a start
  vouches for nothing before it. A journal that goes on from such a one repeats it in its first
  entry, as a list.
- A journal that goes on from an archived one has no start record at first: its first entry repeats
  what the last one in the archive had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from controller.journal.canonical import DIGEST_BYTES, SIGNATURE_BYTES, is_hex
from controller.journal.model import Entry, Head, Predecessor
from controller.journal.sealing.commits import SignedCommit
from controller.json_values import JsonObject

SEALING: Final = "sealing"
"""Key of the body under which it stands; None in earlier versions where no heads could be
written."""

COMMITS: Final = "commits"
HEADS: Final = "heads"
"""False where none could be written so far; left out elsewhere."""
FOUND: Final = "found"

NOT_SIGNED: Final = "journal-not-signed"
UNSIGNED_END: Final = "journal-unsigned-end"
CUT: Final = "journal-cut"
DIFFERS: Final = "journal-differs-from-head"
DOUBTED: Final = "heads-doubted"
DOUBTS: Final = frozenset((NOT_SIGNED, UNSIGNED_END, CUT, DIFFERS, DOUBTED))
"""Faults that hold the table: no head is signed before a supervisor has ended them."""

FAILING: Final = "heads-failing"

IDENTITY_BYTES: Final = 16

RESUMED: Final = "resumed"
"""Of what a start found, in the journal that goes on: a supervisor has let play go on by name."""


class WithRecords(Protocol):
    """A journal, open for writing or for reading."""

    @property
    def predecessor(self) -> Predecessor | None:
        """What it goes on from."""

    def last_of_type(self, kind: str) -> Entry | None:
        """Its last entry of a type."""

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Its entries with ``after`` < seq <= ``upto``."""

    def starts(self) -> Iterator[Entry]:
        """Its start records, the last one first, and the first entry of one that goes on."""


@dataclass(frozen=True, slots=True)
class FoundAtStart:
    """What a start found wrong with the ``journal`` of that name, which ended with ``last``: the
    ``fault``, ``wrong`` in words, the signed ``row`` as it was (None: there was none of the form of
    one). ``resumed``: a supervisor has let play go on by name since."""

    fault: str
    wrong: str
    journal: bytes
    last: Head
    row: SignedCommit | None
    resumed: bool = False

    def as_json(self) -> JsonObject:
        """As the start record has it."""
        return {
            "journal": self.journal.hex(),
            "seq": self.last.seq,
            "digest": self.last.digest.hex(),
            "row": None if self.row is None else self.row.as_json(),
            "wrong": self.wrong,
            "fault": self.fault,
            **({RESUMED: True} if self.resumed else {}),
        }


def recorded_heads(journal: WithRecords) -> tuple[int, JsonObject | None]:
    """The number of the entry that tells of heads last (0: none could), and what it tells; None
    where it says that there are none."""
    entry = journal.last_of_type("start")
    if entry is None and (before := journal.predecessor) is not None:
        entry = next(iter(journal.iterate(before.seq, before.seq + 1)), None)
    if entry is None:
        return 0, None
    recorded = entry.body.get(SEALING)
    return entry.seq, recorded if isinstance(recorded, Mapping) else None


def signs_commits(journal: WithRecords) -> bool:
    """Whether an entry of the journal says that its commits are signed from there on."""
    told = (entry.body.get(SEALING) for entry in journal.starts())
    return any(isinstance(one, Mapping) and one.get(COMMITS) is True for one in told)


def found_in(entry: Entry) -> list[FoundAtStart]:
    """What an entry says that starts have found; one that cannot be read is told as such."""
    told = entry.body.get(FOUND)
    if entry.type == "start":
        told = [] if told is None else [told]
    elif entry.type != "snapshot" or told is None:
        return []
    if not isinstance(told, list):
        return [_unreadable(entry)]
    return [_read(one) or _unreadable(entry) for one in told]


def _unreadable(entry: Entry) -> FoundAtStart:
    wrong = "what it found is not of the form of that"
    return FoundAtStart(NOT_SIGNED, wrong, b"", Head(entry.seq - 1, b""), None)


def _read(told: object) -> FoundAtStart | None:
    if not isinstance(told, Mapping):
        return None
    seq, digest, fault, wrong = (told.get(name) for name in ("seq", "digest", "fault", "wrong"))
    journal = told.get("journal")
    if not (type(seq) is int and isinstance(digest, str) and is_hex(digest, DIGEST_BYTES)):
        return None
    if not (isinstance(journal, str) and is_hex(journal, IDENTITY_BYTES)):
        return None
    if not (isinstance(fault, str) and fault in DOUBTS and isinstance(wrong, str)):
        return None
    last = Head(seq, bytes.fromhex(digest))
    row, resumed = _row(told.get("row")), told.get(RESUMED) is True
    return FoundAtStart(fault, wrong, bytes.fromhex(journal), last, row, resumed)


def _row(told: object) -> SignedCommit | None:
    if not isinstance(told, Mapping):
        return None
    seq, digest, wall, key, signature = (
        told.get(name) for name in ("seq", "digest", "wall", "key", "signature")
    )
    if not (type(seq) is int and isinstance(wall, str) and isinstance(key, str)):
        return None
    if not (isinstance(digest, str) and is_hex(digest, DIGEST_BYTES)):
        return None
    if not (isinstance(signature, str) and is_hex(signature, SIGNATURE_BYTES)):
        return None
    return SignedCommit(seq, bytes.fromhex(digest), wall, key, bytes.fromhex(signature))
