"""The newest time that a journal knows, for a clock that shows less to be found out.

The rules:

- The last entry does not say it: once a clock was wrong, what was written by it is last, and the
  second start would find nothing amiss. So looked at are the last entry, how the last ``BOOTS``
  boots and the last ``STARTS`` runs began and ended, and the last ``SNAPSHOTS`` snapshots. That is
  some eighty rows, whatever the journal's size, and reaches back over as many power cuts and tens
  of thousands of entries.
- A clock that was ahead once is therefore told of until as much has been written since, or until a
  supervisor has accepted the time that it shows now: what was written before that counts no more.
- An entry that cannot be read tells no time: damage is the scrubber's to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from typing import Final

from controller.journal.errors import JournalError
from controller.journal.model import read_written
from controller.journal.store import Journal

BOOTS: Final = 16
STARTS: Final = 16
SNAPSHOTS: Final = 32


def newest_written(journal: Journal, since: int = 0) -> datetime | None:
    """That time, of what was written behind the entry ``since``; None where there is none."""
    return max(_times(journal, since), default=None)


def _times(journal: Journal, since: int) -> Iterator[datetime]:
    boots = [boot for boot in journal.boots[-BOOTS:] if boot.after_seq >= since]
    numbers = {journal.head.seq, *(boot.after_seq for boot in boots)}
    with suppress(JournalError):
        starts = [entry.seq for entry in islice(journal.starts(), STARTS)]
        numbers |= {*starts, *(number - 1 for number in starts)}
        numbers |= set(islice(journal.snapshots(), SNAPSHOTS))
    told = [boot.wall for boot in boots]
    for number in sorted(numbers):
        if number > max(journal.begins, since):
            with suppress(JournalError):
                told += [entry.wall for entry in journal.iterate(number - 1, number)]
    yield from (written for wall in told if (written := read_written(wall)) is not None)
