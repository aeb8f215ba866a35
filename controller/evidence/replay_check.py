"""Playing a journal again beside its verification, with the evidence of every draw."""

from __future__ import annotations

from typing import Final

from controller.draw.evidence import Evidence
from controller.journal.export import record
from controller.journal.model import Entry
from controller.replay.counted_table import CountedTable
from controller.replay.replay import Replay

MOST_TOLD: Final = 100
"""Differences of each sort beyond these are only counted."""


class ReplayCheck:
    """Plays the journal again beside its verification: from its beginning, or from ``counted``."""

    def __init__(self, counted: CountedTable | None = None) -> None:
        self._replay = Replay(counted)
        self._evidence = Evidence()
        self._faults = 0
        self.other_engine: list[str] = []
        self.other_count = 0

    def note_earlier(self, entry: Entry) -> None:
        """An entry from before ``counted``: a draw or a correction behind it may be about it."""
        self._evidence.check_line(record(entry))

    def check_entry(self, entry: Entry) -> list[str]:
        """Faults of an entry: a draw that does not follow, and differences under the engine that
        it was played with."""
        try:
            faults = self._evidence.check_line(record(entry))
            differences = self._replay.replay_entry(entry)
        except Exception as error:  # a changed entry may hold anything
            faults, differences = [f"cannot be replayed: {error!r}"], []
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
