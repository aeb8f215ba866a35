"""What a journal records about its signed heads: that there are some, and with which key.

Every start record tells it, so missing heads or a missing key are noticed. A journal that goes on
from an archived one has no start record at first: its first entry repeats what the last one in the
archive had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from controller.journal.model import Entry, Predecessor
from controller.json_values import JsonObject

SEALING: Final = "sealing"
"""Key of the body under which it stands; None there where no heads are written."""


class WithRecords(Protocol):
    """A journal, open for writing or for reading."""

    @property
    def predecessor(self) -> Predecessor | None:
        """What it goes on from."""

    def last_of_type(self, kind: str) -> Entry | None:
        """Its last entry of a type."""

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Its entries with ``after`` < seq <= ``upto``."""


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
