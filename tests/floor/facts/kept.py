"""Facts as a store keeps them, in memory; and a journal's facts, derived in any pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from controller.journal.export import lines, read_line
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.journal_chain import Clock
from floor.facts.deriving import Deriver
from floor.facts.kinds import Batch, HeldFact, HoldFact, RoundFact, StretchFact

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
        """Everything in one order."""
        facts = {str(key): asdict(fact) for key, fact in self.by_key.items()}
        rounds = {str(number): asdict(one) for number, one in self.rounds.items()}
        return dict(sorted({**facts, **rounds}.items()))

    def of(self, kind: type[Any]) -> list[Any]:
        """The facts of a kind."""
        return [fact for fact in self.by_key.values() if isinstance(fact, kind)]


def entries_of(directory: Path) -> list[Entry]:
    """The entries of a journal, out of its lines."""
    with JournalReader(directory) as reader:
        return [read_line(line) for line in lines(reader)]


def derived(entries: Iterable[Entry]) -> KeptFacts:
    """All facts of these entries, derived at once."""
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
    """A worker that goes on from what is kept."""
    if not kept.segment:
        return Deriver(Clock(ZONE))
    snapshot = next(entry for entry in entries if entry.seq == kept.segment)
    return Deriver(Clock(ZONE), snapshot, kept.carried)


def behind(entries: Sequence[Entry], seq: int) -> Sequence[Entry]:
    """The entries after that one."""
    return [entry for entry in entries if entry.seq > seq]
