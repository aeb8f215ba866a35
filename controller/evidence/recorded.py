"""What a journal records about its signing: with which key, and what starts found wrong.
The rules:

- Every start record tells under ``sealing`` the key.
- What a start found wrong stands in its record for ever (``found``): number and digest of the last
  entry, the signed row as it was, the fault, what is wrong. A hold is no acquittal: such a start
  vouches for nothing before it, whoever let play go on. A journal that goes on from such a one
  repeats it in its first entry, as a list.
- A start on a journal that was taken from the floor, which has no row, keeps the checkpoint that
  vouches for it (``recovered``): a remark, as far as a key that is known has signed it.
- A key that was exchanged is a remark where the row that was found is good under a key that is
  known.
- A journal that goes on from an archived one has no start record at first: its first entry repeats
  what the last one in the archive had.

All of it is signed by now: no forger without the key has written it, or taken it away.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypedDict

from controller.evidence.tree.checkpoint import BadCheckpoint, read_checkpoint
from controller.evidence.verify import Finding
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal.canonical import DIGEST_BYTES, IDENTITY_BYTES, is_hex
from controller.journal.commits import SHOWN, Cover, SignedCommit, StoredRow
from controller.journal.errors import JournalError
from controller.journal.keys import PublicKey
from controller.journal.model import FOUND, SEALING, Entry, Head
from controller.journal.reader import JournalReader, OpenJournal

RECOVERED_BY: Final = "recovered"
"""The checkpoint by which a start believed a journal that was taken from the floor."""
HEADS: Final = "heads"  # False where none could be written so far; left out elsewhere
NOT_SIGNED: Final = "journal-not-signed"
CUT: Final = "journal-cut"
DIFFERS: Final = "journal-differs-from-head"
DOUBTED: Final = "heads-doubted"
DOUBTS: Final = frozenset((NOT_SIGNED, CUT, DIFFERS, DOUBTED))
"""Faults that hold the table: no head is signed before a supervisor has ended them."""

FAILING: Final = "heads-failing"


class FoundAtStart(TypedDict):
    """What a start found wrong with the ``journal`` of that name, which ended with entry ``seq`` of
    that ``digest`` (both in hexadecimal): the ``fault``, what is ``wrong`` in words, the signed
    ``row`` as it was (None: there was none of the form of one)."""

    journal: str
    seq: int
    digest: str
    row: StoredRow | None
    wrong: str
    fault: str


def found_at_start(fault: str, wrong: str, journal: bytes, cover: Cover) -> FoundAtStart:
    """What a start found, for its record."""
    last, row = cover.last, cover.row
    return {
        "journal": journal.hex(),
        "seq": last.seq,
        "digest": last.digest.hex(),
        "row": None if row is None else row.as_json(),
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


@dataclass(slots=True)
class Vouched:
    """``findings`` by the entry that tells them, ``remarks`` in words, and the ``roots`` of the
    checkpoints by which starts have believed the journal, by the number of their entry."""

    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    roots: dict[int, bytes] = field(default_factory=dict)


def vouched(
    reader: JournalReader, keys: Collection[PublicKey], *, by_index: bool = False
) -> Vouched:
    """What the journal's starts have found, which are looked for among all entries, or ``by_index``
    for a quick look; raises what reading it raises."""
    told = Vouched()
    for entry in sorted(reader.starts(by_index=by_index), key=lambda one: one.seq):
        _judge_checkpoint(entry, keys, told)
        for found in found_in(entry):
            _judge(keys, entry, found, told)
    return told


def doubts_of(reader: JournalReader, keys: Collection[PublicKey]) -> Vouched:
    """The same; what cannot be read is a finding."""
    try:
        return vouched(reader, keys)
    except (JournalError, sqlite3.Error, ValueError, TypeError, LookupError) as error:
        return Vouched([Finding(None, f"what starts have found cannot be read: {error}")])


def _judge_checkpoint(entry: Entry, keys: Collection[PublicKey], told: Vouched) -> None:
    """A start has believed a journal without a row: by which checkpoint."""
    recorded = entry.body.get(SEALING)
    text = recorded.get(RECOVERED_BY) if isinstance(recorded, Mapping) else None
    if not isinstance(text, str):
        return
    try:
        by = read_checkpoint(text, keys)
    except BadCheckpoint as error:
        what = f"the start believed what was taken from the floor by a checkpoint that {error}"
        told.findings.append(Finding(entry.seq, what))
    else:
        if told.roots.setdefault(by.size, by.root) != by.root:
            told.findings.append(Finding(entry.seq, f"entry {by.size}: two checkpoints differ"))
        told.remarks.append(
            f"entry {entry.seq}: the journal was taken from the floor; the checkpoint of "
            f"{by.origin} for entry {by.size} vouches for what is before it"
        )


def _judge(keys: Collection[PublicKey], entry: Entry, found: FoundAtStart, told: Vouched) -> None:
    if found["fault"] == DOUBTED and (key := _signer(found, keys)):
        told.remarks.append(
            f"entry {entry.seq}: from here on another key; what is before it was signed with "
            f"{key.fingerprint[:SHOWN]}…, which is known"
        )
        return
    which = f"the start behind entry {found['seq']} found {found['fault']}"
    what = f"{which}, and vouches for nothing before it: {found['wrong']}"
    told.findings.append(Finding(entry.seq, what))


def doubted_to(found: Iterable[FoundAtStart], keys: Collection[PublicKey]) -> int:
    """Up to which entry nobody vouches for what is there, by what starts have found (0: none)."""
    unknown = (one["seq"] for one in found if one["fault"] != DOUBTED or not _signer(one, keys))
    return max(unknown, default=0)


def found_by_starts(reader: JournalReader) -> list[FoundAtStart]:
    """All that the journal's starts have found; every entry is looked at."""
    return [one for entry in reader.starts(by_index=False) for one in found_in(entry)]


def _signer(found: FoundAtStart, keys: Collection[PublicKey]) -> PublicKey | None:
    """Who signed the row that a start found, where it is that of the last entry."""
    row = SignedCommit.of_json(found["row"]) if found["row"] else None
    if row is None or (row.seq, row.digest.hex()) != (found["seq"], found["digest"]):
        return None
    return row.is_of(bytes.fromhex(found["journal"]), keys)
