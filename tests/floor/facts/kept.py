"""A journal's facts: derived in any pieces and kept in memory, and in the floor's database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from controller.counters.figures import Figures
from controller.counters.ledger import HeldTime, SpanAccount
from controller.counters.report import ShiftReport, report_on
from controller.evidence.tree import merkle
from controller.game.round.model import Settlement
from controller.journal.export import lines, read_line
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.journal_chain import Clock
from controller.table.events.reading import read_event
from floor.facts.deriving import Deriver
from floor.facts.entry_facts import CORRECTION, SECOND_PERSON, VOID
from floor.facts.following import Follower, LogName
from floor.facts.kinds import ActFact, Batch, DrawFact, HeldFact, HoldFact, RoundFact, StretchFact
from floor.facts.rows import TABLES
from floor.store.store import FloorStore
from tests.cli.shifts.diary import Diary, wall
from tests.floor.store.logs import DAY, execute


def leaves_of(directory: Path) -> list[bytes]:
    with JournalReader(directory) as reader:
        return [line.encode() for line in lines(reader)]


async def upload(
    store: FloorStore, table: str, leaves: Sequence[bytes], key: str = "origin"
) -> LogName:
    """Store the leaves that are not stored yet as the log of that table and key."""
    origin = f"{key}/{table}"
    async with store.log(origin, table) as log:
        stack = [*log.frontier]
        missing = leaves[log.next_entry :]
        for leaf in missing:
            merkle.push(stack, merkle.leaf_hash(leaf))
        await log.append(missing, stack, DAY)
        return LogName(log.id, origin, table)


async def follow(store: FloorStore, log: LogName, end: int) -> Follower:
    follower = Follower(store, Clock(ZONE), log)
    while await follower.step(end):
        pass
    return follower


def rows_of(dsn: str) -> dict[str, list[Any]]:
    """Every row of every table of facts, in one order; terms by what they say."""
    found: dict[str, list[Any]] = {}
    for table in (*TABLES, "progress"):
        whole = execute(dsn, f"select to_jsonb(t) from floor_facts.{table} t")
        found[table] = sorted(str(row) for row in whole)
    found["upto"] = execute(dsn, "select id, facts_upto from floor.log")
    return found


NONE: ShiftReport = {"number": None, "since": "", "until": None, "by": None}


def report_of(kept: KeptFacts, day: date | None = None, shift: int | None = None) -> Any:
    """The report, without the span itself."""

    def within(at: Any) -> bool:
        return (day is None or at.day == day) and (shift is None or at.shift == shift)

    figures = Figures()
    for one in filter(within, kept.rounds.values()):
        figures.rounds += one.outcome == "settled"
        figures.void += one.outcome == "void"
        figures.settle(
            Settlement(s.box, s.bettor, s.hand, s.kind, s.stake, s.outcome, s.odds, s.net, s.clause)
            for s in one.settlements
        )
    for draw in kept.of(DrawFact):
        if within(draw.at):
            drawn = figures.draws.setdefault(draw.terms.weights, {})
            drawn[draw.multiplier] = drawn.get(draw.multiplier, 0) + 1
    account = SpanAccount(figures=figures)
    acts = Counter((act.what, act.by) for act in kept.of(ActFact) if within(act.at))
    for what, named in (
        (VOID, figures.voids),
        (CORRECTION, figures.corrections),
        (SECOND_PERSON, account.second_person),
    ):
        named |= {by: count for (done, by), count in acts.items() if done == what}
    for stretch in filter(within, kept.of(StretchFact)):
        account.ran_ns += stretch.ran_ns
        figures.cards += stretch.cards
        account.shoes += stretch.shoes
    for held in filter(within, kept.of(HeldFact)):
        time = account.holds.setdefault(held.fault, HeldTime())
        time.count += held.count
        time.ns += held.ns
    return {name: value for name, value in report_on(account, NONE).items() if name != "shift"}


ZONE = ZoneInfo("Australia/Brisbane")


class KeptFacts:
    """What a database has behind some batches, and from where one may go on."""

    def __init__(self) -> None:
        self.upto = 0
        self.segment, self.carried = 0, ""
        self.rounds: dict[int, RoundFact] = {}
        self.by_key: dict[tuple[object, ...], Any] = {}

    def take(self, batch: Batch) -> None:
        """Take a batch, the same one again too."""
        if batch.rounds_from is not None:
            low = batch.rounds_from
            self.rounds = {n: one for n, one in self.rounds.items() if n < low} | batch.rounds
        for fact in batch.facts:
            match fact:
                case StretchFact():
                    key: tuple[object, ...] = (fact.segment, str(fact.day), fact.shift)
                case HeldFact():
                    key = (fact.segment, str(fact.day), fact.shift, fact.fault)
                case HoldFact():
                    key = (fact.began.seq, fact.n)
                case _:
                    key = (fact.at.seq, getattr(fact, "n", 0))
            self.by_key[type(fact).__name__, *key] = fact
        self.upto, self.segment, self.carried = batch.upto, batch.segment, batch.carried

    def plain(self) -> dict[str, object]:
        facts = {str(key): asdict(fact) for key, fact in self.by_key.items()}
        rounds = {str(number): asdict(one) for number, one in self.rounds.items()}
        return dict(sorted({**facts, **rounds}.items()))

    def of(self, kind: type[Any]) -> list[Any]:
        return [fact for fact in self.by_key.values() if isinstance(fact, kind)]


def entries_of(directory: Path) -> list[Entry]:
    with JournalReader(directory) as reader:
        return [read_line(line) for line in lines(reader)]


def derived(entries: Iterable[Entry]) -> KeptFacts:
    kept, deriver = KeptFacts(), Deriver(Clock(ZONE))
    for entry in entries:
        deriver.play_entry(entry)
    kept.take(deriver.release_batch())
    return kept


def in_pieces(entries: Sequence[Entry], seed: int) -> KeptFacts:
    """The same, in pieces, by workers that end now and then with what they had not handed over."""
    chance, kept = Random(seed), KeptFacts()
    while kept.upto < entries[-1].seq:
        deriver = begun(kept, entries)
        while deriver.upto < entries[-1].seq:
            most = max(deriver.upto, kept.upto) + chance.randint(1, len(entries) // 8)
            for entry in behind(entries, deriver.upto):
                if entry.seq <= most:
                    deriver.play_entry(entry)
            if chance.random() < 0.3:
                break
            kept.take(deriver.release_batch())
    return kept


def begun(kept: KeptFacts, entries: Sequence[Entry]) -> Deriver:
    if not kept.segment:
        return Deriver(Clock(ZONE))
    snapshot = next(entry for entry in entries if entry.seq == kept.segment)
    return Deriver(Clock(ZONE), snapshot, kept.carried)


def behind(entries: Sequence[Entry], seq: int) -> Sequence[Entry]:
    return [entry for entry in entries if entry.seq > seq]


def made_diary(folder: Path) -> Diary:
    """Two days and three shifts: a void round, an ``open`` that is taken back behind a day's end, a
    correction of a cleared round, and snapshots in between."""
    made = Diary(folder, wall(24, 20))
    made.rounds(2)
    made.order("shift", by="Ida")
    made.rounds(1)
    made.store(snapshot=True)
    made.at = wall(25, 5, 59)
    made.a_round()
    made.store()
    made.at = wall(25, 6, 1)
    made.dealer("next")
    made.store(snapshot=True)
    made.dealer("open", "wager 1 main 200", "undo", "undo")
    made.at = wall(25, 9)
    made.rounds(2)
    made.order("shift", by="Ann")
    made.store(snapshot=True)
    made.at = wall(26, 5, 59)
    for state, remaining in ((0, 0), (1, 384)):
        made.shoe("SHOE_STATE", state=state, remaining=remaining)
    made.rounds(3)
    made.a_void_round()
    assert made.table.entering.leftover
    locked = {"entry": made.table.entering.leftover.number, "last_event": made.events}
    made.take(read_event("gate", locked, "shoe", 7))
    made.store()
    return made
