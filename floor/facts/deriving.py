"""Deriving facts: a projection of one log's entries, given in their order.

The rules:

- The entries are played by the table's own code (:mod:`controller.replay`), and counted and shared
  among days and shifts as the shift report does (:mod:`controller.counters.ledger`). Nothing is
  told that the table would not say.
- What is told does not depend on how the entries come, many at once or one by one, nor on where
  somebody began again: everything that is counted is counted from snapshot to snapshot, and at each
  snapshot stands what has to be known to go on from there
  (:class:`~floor.facts.played_entry.Remembered`).
- One begins again at the last snapshot as a start of the controller does: of this version of the
  engine, and one that can be read. Where the play differs from such a snapshot, it goes on from
  what the snapshot has, as it does for one who begins there.
- An entry that plays otherwise than the journal says is told in words, where this version of the
  engine played it. One that cannot be read ends it (:class:`Underivable`): a guess is no fact.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

from controller import ENGINE_VERSION
from controller.counters.belonging import ByDay, ByDayAndShift, DayAndShift, Moment
from controller.counters.figures import Corrections
from controller.counters.ledger import Ledger
from controller.journal.model import Entry, read_written
from controller.journal.schema import FORMAT, is_of_format
from controller.replay.counted_table import CountedTable
from controller.replay.journal_chain import Clock
from controller.replay.replay import MOST_KEPT, SNAPSHOT, Replay
from controller.table import snapshot
from controller.table.events.of_controller import ControllerStarted
from controller.table.state.table import Table
from floor.facts.entry_facts import ActWatch, HoldWatch, counted, engine_of, equipment_facts
from floor.facts.kinds import NO_DAY, Batch, HeldFact, JournalPlace, OddFact, ShiftFact, StretchFact
from floor.facts.played_entry import LastEntry, PlayedEntry, Remembered
from floor.facts.round_facts import RoundWatch


class Underivable(Exception):
    """An entry that cannot be played; the message says which and why."""


class Deriver:
    """Makes facts of a log's entries from its first one, or behind the snapshot ``begins``, at
    which ``carried`` was told. ``clock`` is the house's; ``upto`` is the last entry taken."""

    def __init__(self, clock: Clock, begins: Entry | None = None, carried: str = "") -> None:
        self._clock = clock
        self._known = Remembered()
        self._replay = Replay()
        self.upto, self._wall = 0, ""
        if begins is not None:
            self._known = snapshot.load(json.loads(carried), Remembered)
            self._replay = Replay(CountedTable.load(begins.body))
            self.upto, self._wall = begins.seq, begins.wall
        known, kept = self._known, self._replay.counted.counters.kept
        opened = {number: _day(day) for number, day in known.days.items()}
        days = ByDay(_day(known.day), opened)
        self._spans = ByDayAndShift(days, kept.shifts)
        self._rounds = RoundWatch(known.rounds, self.table.round_number)
        self._holds = HoldWatch(known.holds)
        last = known.last
        self._last: Moment | None = None
        if last is not None:
            self._last = Moment(last.boot, last.mono_ns, last.wall, clock.local(last.wall))
        self._segment = 0
        self._carried = ""
        self._batch = Batch()
        self._odd = 0
        self._begin_segment(self.upto, carried)

    @property
    def table(self) -> Table:
        """The table as the last entry has left it."""
        return self._replay.table

    @property
    def place(self) -> JournalPlace:
        """Where the last entry stands."""
        day, shift = self._spans.now
        return JournalPlace(self.upto, read_written(self._wall), day or NO_DAY, shift)

    def release_batch(self) -> Batch:
        """What was told since the last time."""
        batch = self._batch
        batch.upto, batch.segment, batch.carried = self.upto, self._segment, self._carried
        self._tell_segment()
        self._batch = Batch()
        return batch

    def play_entry(self, entry: Entry) -> None:
        """Play the next entry.

        Raises:
            Underivable: it cannot be played.
        """
        if not self.upto and not is_of_format(entry.body):
            raise Underivable(f"entry {entry.seq}: its journal is not of format {FORMAT}")
        replay = self._replay
        waits = replay.counted.counters.kept.corrections.waits
        counted_before = replay.counted
        differs = replay.replay_entry(entry)
        if replay.groundless:
            raise Underivable(f"entry {entry.seq}: the snapshot that it begins with {differs[0]}")
        self.upto, self._wall = entry.seq, entry.wall
        if entry.type == SNAPSHOT:
            self._rest(entry, differs, begins=replay.counted is not counted_before)
            return
        self._note_facts(entry, waits)
        self._tell_odd(differs)

    # ---- an entry -----------------------------------------------------------------------------

    def _note_facts(self, entry: Entry, waits: str) -> None:
        replay, batch = self._replay, self._batch
        event, table = replay.event, replay.table
        if event is None:
            raise Underivable(
                f"entry {entry.seq} ({entry.type}) has not the form of one that this version reads"
            )
        if isinstance(event, ControllerStarted):
            self._known.engine = engine_of(event)
        moment = self._clock.moment(entry)
        shift = self._spans.now[1]
        self._ledger.note_event(event, moment, table)
        self._last = moment
        kept = replay.counted.counters.kept
        day, now = self._spans.now
        at = JournalPlace(entry.seq, read_written(entry.wall), day or NO_DAY, shift)
        who = Corrections(waits=waits).command_giver(event)
        seen = PlayedEntry(entry, event, table, kept.total, at, who, self._known.engine)
        if table.started:
            self._rounds.note_round(seen, batch)
        batch.add(self._holds.hold_facts(seen))
        batch.add(self._acts.act_facts(seen))
        batch.add(equipment_facts(seen))
        if now != shift:
            batch.facts.append(ShiftFact(replace(at, shift=now), now, kept.by))

    def _tell_odd(self, differs: list[str]) -> None:
        if not self._replay.same_engine:
            return
        at = self.place
        for n, words in enumerate(differs):
            self._odd += 1
            if self._odd <= MOST_KEPT:
                self._batch.facts.append(OddFact(at, n, words))

    # ---- from snapshot to snapshot ------------------------------------------------------------

    def _rest(self, entry: Entry, differs: list[str], *, begins: bool) -> None:
        """A snapshot: what was counted before it stands, and who begins again begins here.
        ``begins``: the play begins with it."""
        self._tell_odd(differs)
        if begins:
            self._spans.shifts.now = self._replay.counted.counters.kept.shifts
        elif entry.body.get("engine") != ENGINE_VERSION:
            return
        try:
            loaded = CountedTable.load(entry.body) if differs else self._replay.counted
        except snapshot.BadSnapshot:
            return
        if differs:
            self._replay = Replay(loaded)
        self._tell_segment()
        self._begin_segment(entry.seq, self._carry())

    def _carry(self) -> str:
        last, known, days = self._last, self._known, self._spans.days
        known.day = _text(days.now)
        known.days = {number: _text(day) for number, day in days.opened.items()}
        known.rounds, known.holds = self._rounds.opened, self._holds.standing
        known.last = LastEntry(last.boot, last.mono_ns, last.wall) if last else None
        return json.dumps(snapshot.record(known), separators=(",", ":"))

    def _begin_segment(self, seq: int, carried: str) -> None:
        counters = self._replay.counted.counters
        self._segment, self._carried, self._odd = seq, carried, 0
        self._ledger = Ledger(self._spans, counters, self.table, self._last)
        self._acts = ActWatch(self.table, counted(counters.kept.total))
        self._rounds.rest()

    def _tell_segment(self) -> None:
        """What was counted since the snapshot, as it stands."""
        for span in self._ledger.spans:
            account = self._ledger.account(span)
            if account is None or not isinstance(span, tuple):
                continue
            day, shift = _place_of(span)
            place = (self._segment, day, shift)
            figures = account.figures
            if account.ran_ns or figures.cards or account.shoes:
                self._batch.facts.append(
                    StretchFact(*place, account.ran_ns, figures.cards, account.shoes)
                )
            for fault, held in account.holds.items():
                self._batch.facts.append(HeldFact(*place, fault, held.count, held.ns))


def _place_of(span: DayAndShift) -> tuple[date, int]:
    return span[0] or NO_DAY, span[1]


def _text(day: date | None) -> str:
    return str(day) if day else ""


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
