"""Playing a journal again beside its verification, with the evidence of every draw."""

from __future__ import annotations

from typing import Final

from controller.draw.evidence import Evidence
from controller.journal.export import record
from controller.journal.model import Entry
from controller.journal.of_0_1 import NOT_PLAYED
from controller.replay.counted_table import CountedTable
from controller.replay.replay import Replay

MOST_TOLD: Final = 100
"""Differences of each sort beyond these are only counted."""


class Again:
    """Plays the journal again beside its verification: from its beginning, or from ``counted``."""

    def __init__(self, counted: CountedTable | None = None) -> None:
        self._replay = Replay(counted)
        self._evidence = Evidence()
        self._faults = 0
        self.other_engine: list[str] = []
        self.other_count = 0
        self.played = False
        self._unplayed: list[list[int]] = []

    @property
    def unplayed(self) -> list[str]:
        """What was not played again, in words."""
        return [f"entries {first} to {last}: {NOT_PLAYED}" for first, last in self._unplayed]

    def look(self, entry: Entry) -> None:
        """An entry from before ``counted``: a draw or a correction behind it may be about it."""
        self._evidence.check_line(record(entry))

    def take(self, entry: Entry) -> list[str]:
        """Faults of an entry: a draw that does not follow, and differences under the engine that
        it was played with."""
        try:
            faults = self._evidence.check_line(record(entry))
            differences = self._replay.take(entry)
        except Exception as error:  # a changed entry may hold anything
            faults, differences = [f"cannot be replayed: {error!r}"], []
        if self._replay.of_0_1:
            if not (self._unplayed and self._unplayed[-1][1] == entry.seq - 1):
                self._unplayed.append([entry.seq, entry.seq])
            self._unplayed[-1][1] = entry.seq
        else:
            self.played = True
        if self._replay.same_engine:
            faults += differences
        else:
            self.other_count += len(differences)
            shown = (f"entry {entry.seq}: {what}" for what in differences)
            self.other_engine += list(shown)[: MOST_TOLD - len(self.other_engine)]
        return self._counted(faults)

    def _counted(self, faults: list[str]) -> list[str]:
        """Those that are still reported; the one behind them says that there are more."""
        shown = faults[: max(MOST_TOLD - self._faults, 0)]
        if self._faults <= MOST_TOLD < self._faults + len(faults):
            shown.append(
                "has more such faults, and there may be others behind it: no more are told"
            )
        self._faults += len(faults)
        return shown
