"""The newest time that a journal knows, for a clock that shows less to be found out.

The rules:

- The last entry does not say it: once a clock was wrong, what was written by it is last, and the
  second start would find nothing amiss. So looked at are the last entry, how the last ``BOOTS``
  boots began and ended, and the last ``SNAPSHOTS`` snapshots. That is some fifty rows, whatever the
  journal's size, and reaches back over as many power cuts and tens of thousands of entries.
- A clock that was ahead once is therefore told of until as much has been written since. It is a
  notice; nothing waits for it.
- An entry that cannot be read tells no time: damage is the scrubber's to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from typing import Final

from controller.daemon.health.watches import read_written
from controller.journal.errors import JournalError
from controller.journal.store import Journal

BOOTS: Final = 16
SNAPSHOTS: Final = 32


def newest_written(journal: Journal) -> datetime | None:
    """That time; None where there is none."""
    return max(_times(journal), default=None)


def _times(journal: Journal) -> Iterator[datetime]:
    boots = journal.boots[-BOOTS:]
    numbers = {journal.head.seq, *(boot.after_seq for boot in boots)}
    with suppress(JournalError):
        numbers |= set(islice(journal.snapshots(), SNAPSHOTS))
    told = [boot.wall for boot in boots]
    for number in sorted(numbers):
        if number > journal.begins:
            with suppress(JournalError):
                told += [entry.wall for entry in journal.iterate(number - 1, number)]
    yield from (written for wall in told if (written := read_written(wall)) is not None)
