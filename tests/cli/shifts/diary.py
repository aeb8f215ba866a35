"""Journals of a table whose clocks the test sets, archived ones too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.journal.model import Draft
from controller.journal.reader import ARCHIVE, JournalReader
from controller.journal.store import Journal
from controller.replay.replay import Replay, differences
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from tests.cli.support import Played, close, sign, signed_from_here
from tests.journal.helpers import opened

ZONE = "Australia/Brisbane"
"""Ten hours before UTC, all the year."""


def wall(day: int, hour: int, minute: int = 0) -> datetime:
    """A time of November in that zone."""
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC) - timedelta(hours=10)


class Diary(Played):
    """A table that is led by hand; each entry is made at ``at``, and a second passes with it."""

    def __init__(self, folder: Path, at: datetime) -> None:
        self.at = at
        self.folder = folder
        self.times: list[datetime] = []
        self.written = 0
        self.ran_ns = 0
        folder.mkdir(exist_ok=True)
        super().__init__()

    @property
    def state(self) -> Path:
        """The state directory."""
        return self.folder / "state"

    def take(self, event: Event) -> Outcome:
        """Take an event, and note when."""
        outcome = super().take(event)
        self.times.append(self.at)
        self.at += timedelta(seconds=1)
        return outcome

    def order(self, command: str, by: str = "Sue", why: str = "seen") -> None:
        """A supervisor's command."""
        self.take(read_event("supervisor", {"command": command, "by": by, "why": why, "user": "s"}))

    def rounds(self, count: int) -> None:
        """Rounds that box 1 wins with 18 against 17."""
        for _ in range(count):
            self.a_round()
            self.dealer("next")

    def a_void_round(self) -> None:
        """A round that a supervisor makes void."""
        self.dealer("open", "wager 1 main 100", "close")
        self.cards("9S 8H")
        self.order("void")
        self.dealer("next")

    def store(self, *, snapshot: bool = False) -> Path:
        """Write what has happened since, with a snapshot behind it where wanted."""
        drafts = signed_from_here(self.state, self.drafts)
        with opened(self.state, boot_id="b") as journal:
            for draft, at in zip(drafts, self.times, strict=True):
                self._append(journal, draft, at)
            if snapshot:
                with JournalReader(self.state) as reader:
                    replay = Replay()
                    assert differences(replay, reader.iterate()) == []
                self._append(journal, Draft("snapshot", replay.counted.dump()), self.at)
        self.drafts, self.times = [], []
        return self.state

    def _append(self, journal: Journal, draft: Draft, at: datetime) -> None:
        self.ran_ns += 1_000_000_000
        journal.append([draft], self.ran_ns, at.isoformat(timespec="milliseconds"))

    def archive(self, to: Path) -> None:
        """Write it down and archive it by the same clock; the table goes on."""
        self.store()
        sign(self.state)
        close(self.state, wall=self.at.isoformat(timespec="milliseconds"))
        for file in (self.state / ARCHIVE).iterdir():
            file.rename(to / file.name)
