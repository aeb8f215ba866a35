"""What the signed heads show of a journal at a start: whether it is all there, and the same.

The last head that counts is enough: a journal whose chain holds and which has that entry has all
the entries before it. What is found is a fault of the catalogue with its particulars:

- ``journal-cut``: the journal ends before an entry that was signed.
- ``journal-differs-from-head``: the entry that was signed is another one now, or the journal is not
  the one that was signed and does not go on from it.
- ``heads-doubted``: heads or a key of which the journal tells
  (:mod:`controller.journal.sealing.recorded`) are gone, were exchanged, or cannot be read. Then
  nothing above can be seen. So are heads that should have been signed and are not there: whoever
  rewrites the journal's end takes them away, and the next head would sign what he has written
  (:mod:`controller.journal.sealing.unsigned`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from controller.journal.sealing.heads import SignedHead, last_head
from controller.journal.sealing.keys import BadKey, PublicKey
from controller.journal.sealing.recorded import SEALING, recorded_heads
from controller.journal.sealing.unsigned import (
    CUT,
    DIFFERS,
    DOUBTED,
    DOUBTS,
    FAILING,
    Unsigned,
    named_in,
)
from controller.journal.store import Journal
from controller.journal.tree.entries import NoNode, frontier_before
from controller.journal.tree.merkle import joined
from controller.json_values import WrongForm

SHOWN: Final = 16
"""Digits of a fingerprint in a message."""

Known = tuple[int, PublicKey]
"""The number of the entry that tells of heads, and the key that it names."""

Last = Callable[[Path, Collection[PublicKey]], SignedHead | None]
"""Reads the last head as :func:`controller.journal.sealing.heads.last_head` does."""


def check_heads(
    journal: Journal,
    path: Path,
    key: PublicKey | None,
    last: Last = last_head,
    *,
    made: bool = False,
) -> Iterator[tuple[str, str]]:
    """What the heads in the file at ``path`` show: codes of faults with their particulars.

    ``key`` is the controller's; None where there is none. Heads of the key that the journal names
    count as well; ``made``: it was made just now. ``last`` alone asks their medium. Asked before
    the commit thread starts.
    """
    try:
        known = _known(journal)
    except (BadKey, KeyError):
        yield DOUBTED, "the last start record tells of heads and names no key"
        return
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
    elif not made and _should_have_some(journal):
        yield (
            DOUBTED,
            (
                f"{path} has no head of this key, which was made before; the journal tells of "
                "none, and does not say that they cannot be written"
            ),
        )


def _should_have_some(journal: Journal) -> bool:
    """Whether a start of this version, which writes heads, went by without a word of them."""
    start = journal.last_of_type("start")
    if start is None or SEALING not in start.body:
        return False
    return not any(
        entry.type == "condition" and entry.body.get("fault") in (*DOUBTS, FAILING)
        for entry in journal.iterate(start.seq)
    )


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
    elif newest.seq == before.seq and not _goes_on_the_tree(journal, newest):
        yield DIFFERS, f"this journal goes on from another tree than was signed over {signed}"
    else:
        yield from _unsigned(journal, before.seq)


def _goes_on_the_tree(journal: Journal, newest: SignedHead) -> bool:
    """Whether a journal's first entry tells the tree whose root the last head of the one before
    signed; where either has none there is nothing to compare."""
    if not newest.checkpoint:
        return True
    try:
        hashes = frontier_before(journal).values()
    except NoNode:
        return True
    except (ValueError, WrongForm):
        return False
    return b64encode(joined(hashes)).decode("ascii") == newest.checkpoint.split("\n")[2]


def _unsigned(journal: Journal, signed: int) -> Iterator[tuple[str, str]]:
    """What the entries behind the last head show: heads that they name and that are not there, or
    that the controller went on without one for longer than it can have."""
    walk = Unsigned(judging=True)
    for entry in journal.iterate(signed):
        named = named_in(entry)
        if named is not None and named.seq > signed:
            missing = f"the head for entry {named.seq}, which entry {entry.seq} names, is not there"
            yield DOUBTED, f"the last head is for entry {signed}: {missing}"
            return
        stretch = walk.take(entry)
        if stretch is not None and not stretch.said:
            why = "heads were taken away, or entries were written by somebody else"
            yield (
                DOUBTED,
                f"no head was signed behind entry {signed}, {stretch}; {why}",
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
