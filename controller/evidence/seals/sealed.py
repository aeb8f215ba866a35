"""What signatures show of a journal at a start: whether it is all there, and the same.

What is found is a fault of the catalogue with its particulars:

- ``journal-not-signed``: the signed row does not cover the last entry, or is missing
  (:mod:`controller.journal.commits`). Whoever wrote there last had not the key.
- ``journal-cut``: the journal ends before an entry that is known from elsewhere.
- ``journal-differs-from-head``: the entry that is known is another one now, or the journal is not
  the one that was signed and does not go on from it.
- ``heads-doubted``: the heads or the key that the journal tells of are gone, were exchanged, or
  cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.evidence.seals.heads import SignedHead, last_head
from controller.evidence.seals.recorded import CUT, DIFFERS, DOUBTED, HEADS, recorded_heads
from controller.journal.commits import SHOWN
from controller.journal.keys import BadKey, PublicKey
from controller.journal.reader import OpenJournal

Known = tuple[int, PublicKey, bool]
"""The number of the entry that tells of signing, the key that it names, and whether there were
heads."""

_UNKNOWN: Final = (
    ", and it is not among those that count: where it is the table's, put its line into the file "
    "of verifier keys before the next start, which takes for forged what it signs ('tablectl "
    "journal checkpoint --vkey' prints it)"
)

_BEGUN: Final = (
    "a new journal was begun, though other keys count here: if the table had one, its state "
    "directory was moved or emptied, or is not mounted; then stop the controller and put the old "
    "one back before anybody plays; "
)

Last = Callable[[Path, Collection[PublicKey]], SignedHead | None]
"""Reads the last head as :func:`controller.evidence.seals.heads.last_head` does."""


def check_heads(
    journal: OpenJournal,
    path: Path,
    key: PublicKey,
    trusted: Collection[PublicKey],
    last: Last = last_head,
) -> Iterator[tuple[str, str]]:
    """What the heads in the file at ``path`` show: codes of faults with their particulars.

    ``key`` is the controller's, ``trusted`` are those whose heads count. ``last`` alone asks their
    medium. Asked before the commit thread starts.
    """
    try:
        known = _known(journal)
    except (BadKey, KeyError):
        yield DOUBTED, "the last start record tells of heads and names no key"
        return
    unknown = "" if key in trusted else _UNKNOWN
    if known is not None and known[1] != key:
        yield DOUBTED, f"{_other_key(known, key)}{unknown}"
    elif unknown:
        begun = "" if journal.head.seq or journal.predecessor else _BEGUN
        yield DOUBTED, f"{begun}the key is {key.fingerprint[:SHOWN]}…{unknown}"
    try:
        newest = last(path, {key, *trusted})
    except FileNotFoundError:
        newest = None
    except OSError as error:
        yield DOUBTED, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        return
    if newest is not None:
        yield from compare_head(journal, newest)
    elif known is not None and known[2]:
        yield DOUBTED, f"{path} has none of the heads that entry {known[0]} tells of"


def compare_head(journal: OpenJournal, newest: SignedHead) -> Iterator[tuple[str, str]]:
    """Whether the journal has the entry that the last head names, or goes on from it."""
    before, last = journal.predecessor, journal.head.seq
    signed = f"entry {newest.seq} (signed {newest.wall}, boot {newest.boot})"
    if newest.journal == journal.identity.hex():
        if newest.seq > last:
            missing = f"entries {last + 1} to {newest.seq} are missing"
            yield CUT, f"a head was signed for {signed}, the journal ends with {last}: {missing}"
        elif not has_entry(journal, newest.seq, bytes.fromhex(newest.digest)):
            yield DIFFERS, f"{signed} is another one in the journal now"
    elif before is None or newest.journal != before.identity.hex():
        yield DIFFERS, f"the last head is for {signed} of a journal that this one does not go on"
    elif newest.seq > before.seq:
        missing = f"entries {before.seq + 1} to {newest.seq} are missing"
        yield CUT, f"a head was signed for {signed} of the archived journal: {missing}"
    elif newest.seq == before.seq and newest.digest != before.digest.hex():
        yield DIFFERS, f"this journal goes on from another entry {before.seq} than {signed}"


def has_entry(journal: OpenJournal, seq: int, digest: bytes) -> bool:
    """Whether the journal's entry of that number has that digest; what is known of no entry yet
    agrees with every journal of its name."""
    before = journal.predecessor
    if seq <= (before.seq if before else 0):
        return True
    found = next(iter(journal.iterate(seq - 1, seq)), None)
    return found is not None and found.digest == digest


def _known(journal: OpenJournal) -> Known | None:
    """The key that heads are known to have, if there are any."""
    seq, recorded = recorded_heads(journal)
    if recorded is None:
        return None
    return seq, PublicKey.of_text(str(recorded["key"])), recorded.get(HEADS) is not False


def _other_key(known: Known, key: PublicKey) -> str:
    return (
        f"the key is {key.fingerprint[:SHOWN]}…, not the one that entry {known[0]} tells of "
        f"({known[1].fingerprint[:SHOWN]}…)"
    )
