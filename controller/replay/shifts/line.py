"""The journals of a table as one: the one in force, and closed ones that it goes on from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.not_done import NOT_PERMITTED, NotDone
from controller.replay.counted_table import CountedTable
from controller.replay.finding import SearchPace


class TakenAway(NotDone):
    """What is asked for is, or may be, in a closed journal that is not here; the message says
    which, and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(NOT_PERMITTED, message)


@dataclass(frozen=True, slots=True)
class JournalChain:
    """``journals``, the oldest first; ``broken`` says why those before them are missing, "" where
    the first one is the table's first."""

    journals: list[JournalReader]
    broken: str
    pace: SearchPace

    def taken_away(self, what: str) -> TakenAway:
        """The error that says so of what is asked for."""
        return TakenAway(
            f"{what} is in a closed journal that was taken away: {self.broken}. Name the directory "
            "that has it with --archive DIR"
        )

    def begins_with(self, at: int) -> CountedTable:
        """The table and its counters before the first event of that journal.

        Raises:
            BadSnapshot: this version does not read how an earlier one left them.
        """
        reader = self.journals[at]
        if reader.predecessor is None:
            return CountedTable()
        return CountedTable.load(self.first(at).body)

    def first(self, at: int) -> Entry:
        """The first entry of that journal."""
        begins = self.journals[at].begins
        return next(self.journals[at].iterate(begins, begins + 1))

    def entries(self, at: int, after: int, upto: int | None) -> Iterator[Entry]:
        """Entries of that journal, ``after`` < seq <= ``upto`` (None: to its end)."""
        return self.pace(self.journals[at].iterate(after, upto))

    def behind(self, at: int) -> Iterator[Entry]:
        """All entries of the journals that go on from that one."""
        rest = range(at + 1, len(self.journals))
        return chain.from_iterable(self.entries(each, 0, None) for each in rest)
