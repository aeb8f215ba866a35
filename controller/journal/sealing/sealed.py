"""What the signed heads show of a journal at a start: whether it is all there, and the same.

The last head that counts is enough: a journal whose chain holds and which has that entry has all
the entries before it. What is found is a fault of the catalogue with its particulars:

- ``journal-cut``: the journal ends before an entry that was signed.
- ``journal-differs-from-head``: the entry that was signed is another one now, or the journal is not
  the one that was signed and does not go on from it.
- ``heads-doubted``: heads or a key of which the journal tells
  (:mod:`controller.journal.sealing.recorded`) are gone, were exchanged, or cannot be read. Then
  nothing above can be seen. So are heads that should have been signed and are not there: whoever
  rewrites the journal's end takes them away, and the next head would sign what he has written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from controller.journal.model import Entry
from controller.journal.sealing.heads import SignedHead, last_head
from controller.journal.sealing.keys import PublicKey
from controller.journal.sealing.recorded import recorded_heads
from controller.journal.store import Journal

CUT: Final = "journal-cut"
DIFFERS: Final = "journal-differs-from-head"
DOUBTED: Final = "heads-doubted"
FAILING: Final = "heads-failing"

UNSIGNED_S: Final = 90.0
"""For so long, in seconds, entries may follow one for which no head was signed: three times as long
as the controller takes, or takes to say that heads cannot be written."""

SHOWN: Final = 16
"""Digits of a fingerprint in a message."""

Known = tuple[int, PublicKey]
"""The number of the entry that tells of heads, and the key that it names."""

Last = Callable[[Path, Collection[PublicKey]], SignedHead | None]
"""Reads the last head as :func:`controller.journal.sealing.heads.last_head` does."""


def check_heads(
    journal: Journal, path: Path, key: PublicKey | None, last: Last = last_head
) -> Iterator[tuple[str, str]]:
    """What the heads in the file at ``path`` show: codes of faults with their particulars.

    ``key`` is the controller's; None where there is none. Heads of the key that the journal names
    count as well. ``last`` alone asks their medium. Asked before the commit thread starts.
    """
    known = _known(journal)
    keys = [one for one in (key, known[1] if known else None) if one is not None]
    if key is not None and known is not None and known[1] != key:
        yield DOUBTED, _other_key(known, key)
    try:
        newest = last(path, keys)
    except FileNotFoundError:
        newest = None
    except OSError as error:
        yield DOUBTED, f"{path} cannot be read: {error.strerror or error}"
        return
    if newest is not None:
        yield from _compare(journal, newest)
    elif known is not None:
        yield DOUBTED, f"{path} has none of the heads that entry {known[0]} tells of"


def _compare(journal: Journal, newest: SignedHead) -> Iterator[tuple[str, str]]:
    """Whether the journal has the entry that the last head names, or goes on from it."""
    before, last = journal.predecessor, journal.head.seq
    signed = f"entry {newest.seq} (signed {newest.wall}, boot {newest.boot})"
    if newest.journal == journal.identity.hex():
        if newest.seq > last:
            missing = f"entries {last + 1} to {newest.seq} are missing"
            yield CUT, f"a head was signed for {signed}, the journal ends with {last}: {missing}"
        elif not _agrees(journal, newest):
            yield DIFFERS, f"{signed} is another one in the journal now"
        else:
            yield from _unsigned(journal, newest.seq)
    elif before is None or newest.journal != before.identity.hex():
        yield DIFFERS, f"the last head is for {signed} of a journal that this one does not go on"
    elif newest.seq > before.seq:
        missing = f"entries {before.seq + 1} to {newest.seq} are missing"
        yield CUT, f"a head was signed for {signed} of the archived journal: {missing}"
    elif newest.seq == before.seq and newest.digest != before.digest.hex():
        yield DIFFERS, f"this journal goes on from another entry {before.seq} than {signed}"
    else:
        yield from _unsigned(journal, before.seq)


def _unsigned(journal: Journal, signed: int) -> Iterator[tuple[str, str]]:
    """Whether one run of the controller went on behind the last head for longer than it can have,
    without a word that heads could not be written."""
    begun: Entry | None = None
    for entry in journal.iterate(signed):
        if entry.type == "condition" and entry.body.get("fault") == FAILING:
            return
        if begun is None or entry.type == "start" or entry.boot != begun.boot:
            begun = entry
        elif (lasted := (entry.mono_ns - begun.mono_ns) / 1e9) > UNSIGNED_S:
            went_on = f"from entry {begun.seq} to {entry.seq} for {lasted:.0f} s and longer"
            why = "heads were taken away, or entries were written by somebody else"
            yield (
                DOUBTED,
                f"no head was signed behind entry {signed}, and it went on {went_on}: {why}",
            )
            return


def _agrees(journal: Journal, newest: SignedHead) -> bool:
    """Whether the journal's entry of that number has the digest that was signed; a head for no
    entry yet agrees with every journal of its name."""
    before = journal.predecessor
    if newest.seq <= (before.seq if before else 0):
        return True
    found = next(iter(journal.iterate(newest.seq - 1, newest.seq)), None)
    return found is not None and found.digest.hex() == newest.digest


def _known(journal: Journal) -> Known | None:
    """The key that heads are known to have."""
    seq, recorded = recorded_heads(journal)
    return None if recorded is None else (seq, PublicKey.of_text(str(recorded["key"])))


def _other_key(known: Known, key: PublicKey) -> str:
    return (
        f"the key is {key.fingerprint[:SHOWN]}…, not the one that entry {known[0]} tells of "
        f"({known[1].fingerprint[:SHOWN]}…)"
    )
