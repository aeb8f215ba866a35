"""What starts found wrong with a journal, which stands in it for ever.

The rules:

- Behind a start on a journal that was not signed nobody can tell what before it is forged. That is
  named for ever, here and in every journal that goes on from here, whoever let play go on.
- A journal that was taken from the floor is vouched for by the checkpoint that its start has kept:
  a remark, as far as a key that is known has signed it.
- A key that was exchanged is a remark where the row that was found is good under a key that is
  known.

All of it is signed by now: no forger without the key has written it, or taken it away.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.evidence.checks.verify import Finding
from controller.evidence.seals.recorded import DOUBTED, FoundAtStart, found_in, recovered_by
from controller.evidence.tree.checkpoint import BadCheckpoint, read_checkpoint
from controller.journal.commits import SHOWN, SignedCommit
from controller.journal.errors import JournalError
from controller.journal.model import Entry
from controller.journal.reader import JournalReader

if TYPE_CHECKING:
    from controller.journal.keys import PublicKey


@dataclass(slots=True)
class Vouched:
    """``findings`` by the entry that tells them, and ``remarks`` in words."""

    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


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
    if (text := recovered_by(entry)) is None:
        return
    try:
        by = read_checkpoint(text, keys)
    except BadCheckpoint as error:
        what = f"the start believed what was taken from the floor by a checkpoint that {error}"
        told.findings.append(Finding(entry.seq, what))
    else:
        told.remarks.append(
            f"entry {entry.seq}: the journal was taken from the floor; the checkpoint of "
            f"{by.origin} for entry {by.size} vouches for what is before it"
        )


def recovered_roots(reader: JournalReader, keys: Collection[PublicKey]) -> dict[int, bytes]:
    """The roots of the checkpoints by which starts have believed the journal, by the number of
    their entry; what is wrong with one :func:`vouched` tells."""
    found = {}
    for entry in reader.starts():
        if (text := recovered_by(entry)) is not None:
            with suppress(BadCheckpoint):
                by = read_checkpoint(text, keys)
                found[by.size] = by.root
    return found


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
    row = SignedCommit.of_json({**found["row"]}) if found["row"] else None
    if row is None or (row.seq, row.digest.hex()) != (found["seq"], found["digest"]):
        return None
    return row.is_of(bytes.fromhex(found["journal"]), keys)
