"""Recovery: the table's state from its journal, in a time that does not depend on the journal's
length. The rules:

- A start takes the last snapshot of this version of the engine whose digest follows from the entry
  before it, and replays the entries after it. Snapshots of another engine are skipped, and those
  that this version cannot read; without a usable one, everything is replayed.
- A journal that continues an archived one begins with a snapshot, with nothing before it. Where
  that snapshot cannot be read the table is not opened: an empty table would have lost its holds,
  its shoe and its numbers.
- What people were last shown, and the last answers, are found again, too (:mod:`~.shown_state`).
  To look at the table takes several times as long as to play an entry: it is looked at behind the
  last entries and behind commands whose answer is still remembered, and behind all of them only
  where that does not tell.
- What a start assumes is proven by ``journal verify``, which replays all of it and compares every
  snapshot with the play that led to it.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from controller import ENGINE_VERSION, STORES
from controller.journal.errors import OtherFormat
from controller.journal.model import VERSIONS, Entry
from controller.journal.reader import OpenJournal
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, Replay, differences, stored_outcome
from controller.replay.shown_state import MOST, SHOWN, ShownState, has_key
from controller.table.snapshot import BadSnapshot

_log = logging.getLogger(__name__)
MOST_PASSED_OVER: Final = 8
"""Number of unusable snapshots that are tried before everything is replayed."""

LOOKED_AT: Final = (64, 4096)
"""Behind so many of the last entries the table is looked at; where those do not tell since when it
is shown as it is, behind so many. Beyond, an entry that is too late may be told: a person is then
asked to look again."""

Entries = Callable[[int], Iterable[Entry]]
"""The journal's entries after that number, each checked before it is yielded."""

Span = Callable[[int, int | None], Iterable[Entry]]
"""Likewise, up to the second number (None: all there are)."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The state at the end of the journal, and what is ``shown`` of it; ``differences`` found on
    replay; ``since`` is the number of entries after the snapshot from which replay began."""

    counted: CountedTable
    shown: ShownState
    differences: list[str]
    since: int


def recover(journal: OpenJournal, entries: Entries) -> Recovered:
    """The state from the journal, by its last snapshot; raises what ``entries`` raises where the
    journal is damaged. Raises OtherFormat: a later version has stored what this one cannot read; or
    the journal continues an archived one, and this version cannot read how that was left."""
    _check_stores(journal.last_of_type("start") or journal.last_of_type("snapshot"))
    for seq in islice(journal.snapshots(), MOST_PASSED_OVER):
        behind = iter(entries(seq - 1))
        if _taken_from(next(behind, None)) is not None:
            return _played_from(journal, entries, seq, _last_keyed(behind))
    return _played_from(journal, entries, None, None)


def _played_from(
    journal: OpenJournal, entries: Entries, seq: int | None, wanted: frozenset[int] | None
) -> Recovered:
    """Play on from the snapshot of that number, which can be read, or (None) play everything. The
    answers to the commands ``wanted`` are found again, or (None) to all."""
    head = journal.head.seq
    for last in LOOKED_AT:
        followed = _Followed(head - last, wanted)
        found = followed.play(iter(entries(0 if seq is None else seq - 1)), seq)
        if followed.replay.table.started:
            followed.shown.compare()
        if followed.shown.certain:
            break
    if followed.replay.groundless:
        raise OtherFormat(
            f"the journal goes on from an archived one, and its first entry, which says how the "
            f"table was left, is {followed.replay.groundless}. Nothing was changed"
        )
    return Recovered(followed.replay.counted, followed.shown, found, head - (seq or 0))


def _last_keyed(entries: Iterable[Entry]) -> frozenset[int]:
    """The numbers of those of these entries whose answers may still be remembered: the last ones
    that were carried out at once, and all that waited, some of which were refused in the end."""
    at_once: deque[int] = deque(maxlen=MOST)
    waited: set[int] = set()
    for entry in entries:
        if has_key(entry):
            answered = "answered" in (stored_outcome(entry) or ())
            (at_once.append if answered else waited.add)(entry.seq)
    return frozenset({*at_once, *waited})


class _Followed:
    """A replay, and what was shown of it: looked at behind entries after ``since``, and behind
    commands of these numbers (None: all) that have a key."""

    def __init__(self, since: int, wanted: frozenset[int] | None) -> None:
        self.replay = Replay()
        self.shown = ShownState(self.replay.table)
        self._since = since
        self._wanted = wanted

    def play(self, entries: Iterator[Entry], seq: int | None) -> list[str]:
        """Play the entries, the first of which is (unless ``seq`` is None) the snapshot of that
        number; the differences."""
        if seq is not None and (first := next(entries, None)) is not None:
            self.replay = Replay(_taken_from(first))
            self._goes_on_from(first)
        return differences(self.replay, self._followed(entries))

    def _goes_on_from(self, snapshot: Entry) -> None:
        self.shown = ShownState(self.replay.table, snapshot.seq)
        try:
            self.shown.load(snapshot.body.get(SHOWN))
        except (ValueError, TypeError, LookupError) as error:
            _log.warning("entry %d: what was shown cannot be read: %s", snapshot.seq, error)
            self.shown = ShownState(self.replay.table, snapshot.seq)

    def _followed(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            kept = has_key(entry) and (self._wanted is None or entry.seq in self._wanted)
            looked_at = kept or entry.seq > self._since
            if looked_at:
                self.shown.before(entry.type)
            table = self.replay.table
            yield entry  # it is played
            if self.replay.table is not table:
                self._goes_on_from(entry)  # the first one of a journal that goes on
            elif self.replay.event is None:
                self.shown.stored()
            else:
                self.shown.happened(self.replay.event, table.outcome, kept=kept)
            if looked_at and self.replay.table.started:
                self.shown.compare()


def snapshot(counted: CountedTable, shown: ShownState) -> dict[str, object]:
    """The body of a snapshot: the play, and beside it what is shown of it. Raises BadSnapshot: the
    table is not quiet, or has a value that a snapshot cannot store."""
    return {**counted.dump(), SHOWN: shown.dump()}


def _check_stores(last: Entry | None) -> None:
    """Of the last start; or, in a journal that goes on from a closed one and on which nobody has
    started yet, its first entry. A package asks the same before it is installed
    (debian/between-rounds.sh)."""
    versions = last.body.get(VERSIONS) if last else None
    stores = versions.get("stores", 0) if isinstance(versions, dict) else 0
    if isinstance(stores, int) and stores > STORES:
        raise OtherFormat(
            f"a later version of the controller has played on this journal: it stores by number "
            f"{stores}, this one reads up to {STORES}. Install the later version again; nothing "
            "was changed"
        )


def before_round(
    journal: OpenJournal, entries: Span, number: int | None
) -> tuple[CountedTable | None, Iterable[Entry]]:
    """The state before that round, or before the last one (None), and the entries after it."""
    if number is None:
        last = next(_states(entries, list(journal.snapshots())), None)
        number = None if last is None else last[1].table.round_number
    return before_state(
        journal, entries, lambda counted: number is None or counted.table.round_number < number
    )


def before_state(
    journal: OpenJournal, entries: Span, is_before: Callable[[CountedTable], bool]
) -> tuple[CountedTable | None, Iterable[Entry]]:
    """The state in the last snapshot of those for which that is true, which are the first ones, and
    the entries after it; None where there is none. So to show a round, at most the entries between
    two snapshots are replayed, and of a million snapshots some twenty are read."""
    seqs = list(journal.snapshots())

    def test(index: int) -> bool:
        found = next(_states(entries, seqs[index:]), None)
        return found is None or is_before(found[1])

    index = bisect_left(range(len(seqs)), True, key=test)
    found = next(_states(entries, seqs[index:]), None)
    return (None, entries(0, None)) if found is None else (found[1], entries(found[0], None))


def _states(entries: Span, seqs: Iterable[int]) -> Iterator[tuple[int, CountedTable]]:
    for seq in seqs:
        counted = _taken_from(next(iter(entries(seq - 1, seq)), None))
        if counted is not None:
            yield seq, counted


def before_entry(
    journal: OpenJournal, entries: Span, upto: int
) -> tuple[CountedTable | None, Iterable[Entry]]:
    """The state in the last snapshot as far as entry ``upto``, and the entries after it."""
    seqs = (seq for seq in journal.snapshots() if seq <= upto)
    for seq, counted in _states(entries, seqs):
        return counted, entries(seq, None)
    return None, entries(0, None)


def _taken_from(entry: Entry | None) -> CountedTable | None:
    """The state in a snapshot of this engine; None where it is of another or cannot be read."""
    if entry is None or entry.type != SNAPSHOT or entry.body.get("engine") != ENGINE_VERSION:
        return None
    try:
        return CountedTable.load(entry.body)
    except BadSnapshot as error:
        _log.warning("entry %d is passed over: %s", entry.seq, error)
        return None
