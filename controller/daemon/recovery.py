"""Snapshots: how a start is quick however long the journal, and when one is written.

The rules:

- A snapshot is an entry like any other, chained and stored, and holds the play by value as it was
  after the entry before it. It is written between rounds, at the first quiet moment after
  :data:`EVERY` entries, when everything before it is durable.
- A start takes the last snapshot of this version of the engine whose digest follows from the entry
  before it, and replays what comes behind. Another engine's snapshots are passed over, and those
  that this version cannot read; without any, everything is replayed.
- What is taken on trust at a start is proven by ``journal verify``, which replays all of it and
  compares every snapshot with the play that led to it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from controller import ENGINE_VERSION
from controller.daemon.counting import Play
from controller.daemon.records import SNAPSHOT
from controller.daemon.replay import Replay, differences
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from controller.table.snapshot_codec import BadSnapshot

if TYPE_CHECKING:
    from controller.daemon.owner import Owner

_log = logging.getLogger(__name__)

EVERY: Final = 2000
"""Entries from one snapshot to the next. Replaying so many takes about as long as the process takes
to begin, and a snapshot adds three to four per cent to what they take on the disk (figures in
docs/decisions/0009-snapshots.md)."""

MOST_PASSED_OVER: Final = 8
"""Snapshots of another version that are looked at before everything is replayed."""

Entries = Callable[[int], Iterable[Entry]]
"""The journal's entries behind the one of that number, each checked before it is handed on."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The play as it was when the journal ended; ``differences`` found in what was replayed;
    ``since`` entries stand behind the snapshot that it was taken from."""

    play: Play
    differences: list[str]
    since: int


def recover(journal: Journal, entries: Entries) -> Recovered:
    """The play out of the journal, by its last snapshot; raises what ``entries`` raises where the
    journal is damaged."""
    for seq in islice(journal.snapshots(), MOST_PASSED_OVER):
        behind = iter(entries(seq - 1))
        play = _taken_from(next(behind, None))
        if play is not None:
            found = differences(Replay(play), behind)
            return Recovered(play, found, journal.head.seq - seq)
    replay = Replay()
    found = differences(replay, entries(0))
    return Recovered(replay.play, found, journal.head.seq)


def _taken_from(entry: Entry | None) -> Play | None:
    """The play of a snapshot of this engine; None where it is another's or cannot be read."""
    if entry is None or entry.type != SNAPSHOT or entry.body.get("engine") != ENGINE_VERSION:
        return None
    try:
        return Play.load(entry.body)
    except BadSnapshot as error:
        _log.warning("entry %d is passed over: %s", entry.seq, error)
        return None


class Snapshots:
    """Writes a snapshot whenever one is due; ``since`` entries stand behind the last one."""

    def __init__(self, owner: Owner, since: int) -> None:
        self._owner = owner
        self._due = owner.submitted + EVERY - since

    def mind(self) -> None:
        """To be called after commits."""
        owner = self._owner
        if owner.submitted < self._due or not owner.all_durable or not owner.play.quiet:
            return
        self._due = owner.submitted + EVERY
        try:
            body = owner.play.dump()
        except BadSnapshot:  # play goes on: the next start only takes longer
            _log.exception("no snapshot can be made")
            return
        owner.record(Draft(SNAPSHOT, body))
