"""What the journal of a table says was done, entry by entry, and how the table looked at each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, event_of
from controller.replay.shown_state import ShownState
from controller.table.events.of_people import PersonCommanded


@dataclass(frozen=True, slots=True)
class Applied:
    """A person's command in the journal, entry ``seq``: given for the table with ``at``, which had
    ``before`` when the entry was made."""

    seq: int
    command: str
    key: str | None
    at: int | None
    before: int


@dataclass(frozen=True, slots=True)
class TableView:
    """How the table looked: its cards, boxes from the first and the dealer's hand behind them, and
    the first words of what was permitted."""

    cards: str
    verbs: frozenset[str]


class AppliedCommands:
    """Reads the journal in ``directory``, also of a table in play, and plays it again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._counted = CountedTable()
        self._shown = ShownState(self._counted.table)
        self.looks: dict[int, TableView] = {}
        """By ``at``."""

    def new(self) -> Iterator[Applied]:
        """The commands that have come since it was last asked."""
        with JournalReader(self._directory) as reader:
            for entry in reader.iterate(self._shown.seq):
                if entry.type == SNAPSHOT:
                    self._shown.stored()
                    continue
                event = event_of(entry)
                self._shown.before(event.type)
                before = self._shown.at
                self._shown.happened(event, self._counted.apply(event))
                status = self._shown.find_status()
                verbs = frozenset(action["verb"] for action in status["actions"])
                self.looks[self._shown.at] = TableView(cards_of(status), verbs)
                if isinstance(event, PersonCommanded):
                    yield Applied(entry.seq, event.command, event.key, event.at, before)


def cards_of(status: Any) -> str:
    """The cards of a status as the page's felt has them, from left to right."""
    hands = [
        hand["cards"]
        for _, box in sorted(status["boxes"].items(), key=lambda item: int(item[0]))
        for hand in box["hands"]
    ]
    lying = [*hands, status["dealer"]["cards"]]
    return " ".join(cards for cards in lying if cards).replace("??", "?")
