"""The facts of a journal say what the table's own shift report says of it; they do not depend on
how its entries came, nor on where somebody began again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller import ENGINE_VERSION
from controller.journal.model import Draft
from controller.journal.reader import PATTERN, JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.journal_chain import Clock
from controller.replay.replay import draft_of
from controller.replay.shift_reports import NoSuchSpan, WantedSpan, find_report
from controller.table.events.event import Reported
from controller.table.events.reading import read_event
from controller.table.showing.status import status
from floor.facts.columns import shown_table
from floor.facts.deriving import Deriver, Underivable
from floor.facts.kinds import (
    ActFact,
    HoldFact,
    LinkFact,
    OddFact,
    ShiftFact,
    StartFact,
    StretchFact,
)
from tests.cli.shifts.diary import Diary, wall
from tests.floor.facts.kept import ZONE, KeptFacts, derived, entries_of, in_pieces, report_of
from tests.journal.helpers import opened
from tests.replay.course.played import BEGAN, eventful, void, write
from tests.table.live.driver import MBS, Live, live
from tests.table.live.scripted import LiveScript


def test_it_is_what_the_status_says() -> None:
    held = Live(MBS)
    held.say("open", "wager 1 main 10", "close")
    held.down("shoe")
    for table in (Live(MBS).table, eventful().table, held.table):
        told, said = shown_table(table), status(table)
        assert told is not None
        assert (told["rules"], told["state"]) == (said["rules"], said["state"])
        assert told["conditions"] == said["conditions"]
        assert (told["held"] is None) == (said["held"] is None)
        if told["held"] is not None and said["held"] is not None:
            assert all(said["held"].get(key) == value for key, value in told["held"].items())
        assert {name: link["up"] for name, link in told["links"].items()} == {
            name: device["link"] == "up" for name, device in said["devices"].items()
        }
    assert status(held.table)["held"] is not None


EACH = int(os.environ.get("TABLE_EACH", "6"))
"""Of so many rounds worked out by hand one is played; 1: all."""

ROUNDS = Path(__file__).resolve().parents[2] / "rounds"


def told(directory: Path, wanted: WantedSpan, archives: Path | None = None) -> Any:
    with JournalReader(directory) as reader:
        report = find_report(reader, lambda: [archives] if archives else [], wanted, Clock(ZONE))
    return {name: value for name, value in report.items() if name not in ("shift", "day")}


def check_days(directory: Path, kept: KeptFacts, archives: Path | None = None) -> int:
    """Every day and every shift is as the table says; the number of days."""
    days = {one.day for one in kept.rounds.values()}
    days |= {getattr(fact, "day", None) or fact.at.day for fact in kept.of(StartFact)}
    for day in sorted(days):
        assert report_of(kept, day=day) == told(directory, day, archives), day
    number = 0
    while True:
        try:
            expected = told(directory, number, archives)
        except NoSuchSpan:
            return len(days)
        assert report_of(kept, shift=number) == expected, number
        number += 1


def all_of(table: Live, folder: Path) -> KeptFacts:
    """The facts of what was played there, which are the same in pieces, and as the table says."""
    entries = entries_of(write(table, folder))
    kept = derived(entries)
    assert check_days(folder, kept) == 1
    assert kept.plain() == in_pieces(entries, 1).plain()
    return kept


def test_an_eventful_round(tmp_path: Path) -> None:
    kept = all_of(eventful(), tmp_path)
    ended = {(hold.fault, hold.by, hold.why) for hold in kept.of(HoldFact)}
    assert ("power-failure", "Sue", "the cards lie as before <b>&") in ended, ended
    assert all(hold.until is not None for hold in kept.of(HoldFact))
    links = [link for link in kept.of(LinkFact) if link.device == "shoe"]
    shoe = [(link.up, link.serial, link.firmware) for link in links]
    assert shoe[0] == (True, "shoe-1", "1.0.0")
    assert (False, "shoe-1", "1.0.0") in shoe
    assert len(kept.of(StartFact)) == 2
    squares = 10_000**2 + (5_000 + 2_000) ** 2 + 20_000**2  # who share a box are one wager
    assert [(one.staked, one.squares) for one in kept.rounds.values()] == [(37_000, squares)]


def test_a_void_round_has_who_did_what(tmp_path: Path) -> None:
    acts = {(act.what, act.by, act.said, act.why) for act in all_of(void(), tmp_path).of(ActFact)}
    of_two = {
        (what, "Lim B.", "", "I saw it too")
        for what in ("void", "void after draw", "second person")
    }
    assert acts >= of_two | {("order", "Tan A.", "void", "the wrong button")}


def _lines() -> Iterator[Any]:
    """Of each document's rounds with corrections, irregularities and two faults."""
    for path in sorted(ROUNDS.glob("*.jsonl")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines()):
            line = json.loads(text)
            if "expect" in line and number % EACH == 0:
                yield pytest.param(line["script"], id=f"{path.stem} {number}")


@pytest.mark.parametrize("script", list(_lines()))
def test_rounds_of_every_document(script: Any, tmp_path: Path) -> None:
    table, result = LiveScript.result(script)
    directory = write(table.live, tmp_path)
    kept = derived(entries_of(directory))
    assert check_days(directory, kept) == 1
    (one,) = kept.rounds.values()
    assert (one.outcome, one.terms.document) == (result["outcome"], script["rules"])
    told_of = [(s.box, s.bettor, s.kind, s.outcome, s.clause) for s in one.settlements]
    live = table.live.table.rnd
    assert live is not None
    assert told_of == [(s.box, s.bettor, s.kind, s.outcome, s.clause) for s in live.settlements]


def brought_back() -> Live:
    """Rounds that are brought back when they were cleared, and behind an ``open`` that is taken
    back; one that is made void."""
    table = Live()
    for wager, cards in (("10", "KC 8D 5C 9D"), ("20", "KS 8H 5S 9H"), ("30", "KH 8S 5H 9S")):
        table.say("open", f"wager 1 main {wager}", "close")
        table.deal(cards)
        table.play("next", "sue: correct 3 6C", "sue: done", "next", "open", "wager 1 main 50")
        table.play("undo", "undo", "sue: correct 3 4C", "sue: done")
        if table.state == "play.decide":
            table.play("stand 1", "KD")
        table.say("next")
    table.play("open", "wager 1 main 10", "close", "QC 8C 5D", "sue: void")
    return table


def with_snapshots(table: Live, directory: Path) -> Path:
    """The journal of what was played there, with a snapshot at every quiet moment."""
    play = CountedTable()
    with opened(directory, boot_id="boot-1") as journal:
        for number, line in enumerate(table.events):
            event = read_event(**json.loads(line))
            t_ms = event.event_no * 100 if isinstance(event, Reported) else None
            drafts = [draft_of(event, play.apply(event), t_ms=t_ms)]
            if play.quiet:
                drafts.append(Draft("snapshot", play.dump()))
            wall = (BEGAN + timedelta(minutes=number)).isoformat(timespec="milliseconds")
            journal.append(drafts, number * 60 * 10**9, wall)
    return directory


@pytest.mark.parametrize("made", [brought_back, eventful])
def test_a_snapshot_at_every_quiet_moment_changes_nothing(made: Any, tmp_path: Path) -> None:
    table = made()
    directory = with_snapshots(table, tmp_path / "snapshots")
    kept = derived(entries := entries_of(directory))
    assert len({fact.segment for fact in kept.of(StretchFact)}) > 3
    assert not kept.of(OddFact)
    check_days(directory, kept)
    for seed in range(10):
        assert kept.plain() == in_pieces(entries, seed).plain(), seed


def test_days_and_shifts_of_a_journal_with_snapshots(diary: Diary) -> None:
    entries = entries_of(diary.state)
    kept = derived(entries)
    assert check_days(diary.state, kept) == 2
    assert [(one.number, one.by) for one in kept.of(ShiftFact)] == [(1, "Ida"), (2, "Ann")]
    for seed in range(12):
        assert kept.plain() == in_pieces(entries, seed).plain(), seed


def test_a_journal_that_goes_on_from_an_archived_one(diary: Diary, tmp_path: Path) -> None:
    """Begun in the middle, and behind all that came before."""
    before = entries_of(diary.state)
    (archive := tmp_path / "archive").mkdir()
    diary.archive(archive)
    diary.at = wall(26, 8)
    diary.rounds(2)
    diary.store(snapshot=True)
    diary.rounds(1)
    diary.store()
    behind = entries_of(diary.state)
    assert behind[0].type == "snapshot"
    alone = derived(behind)
    assert report_of(alone, day=date(2026, 11, 26)) != {}
    assert sorted(alone.rounds) == [11, 12, 13]
    (closed,) = (file.name for file in archive.glob(PATTERN))
    with JournalReader(archive, closed) as old:
        assert old.head.seq >= before[-1].seq
        whole = [*old.iterate(), *behind]
    kept = derived(whole)
    assert check_days(diary.state, kept, archive) == 3
    for seed in range(4):
        assert kept.plain() == in_pieces(whole, seed).plain()


def test_an_entry_that_plays_otherwise_is_told(tmp_path: Path) -> None:
    entries = entries_of(write(live(), tmp_path))
    start, *_, last = entries
    versions = {**start.body, "versions": {"engine": ENGINE_VERSION, "format": 1}}
    entries[0] = replace(start, draft=replace(start.draft, body=versions))
    other = {**last.body, "after": {"state": "idle"}}
    entries[-1] = replace(last, draft=replace(last.draft, body=other))
    odd = [(one.at.seq, one.words) for one in derived(entries).of(OddFact)]
    assert (last.seq, "state is 'deal.first_cards' on replay, but the journal has 'idle'") in odd
    assert {seq for seq, _ in odd} == {last.seq}
    entries[0] = start  # of an engine that nobody knows: it is no difference
    assert not derived(entries).of(OddFact)


def test_what_cannot_be_read_ends_it(tmp_path: Path) -> None:
    first, *_ = entries = entries_of(write(Live(), tmp_path))
    other = replace(first, draft=replace(first.draft, body={**first.body, "versions": {}}))
    with pytest.raises(Underivable, match="not of format 1"):
        Deriver(Clock(ZONE)).play_entry(other)
    deriver = Deriver(Clock(ZONE))
    for entry in entries:
        deriver.play_entry(entry)
    later = replace(entries[-1], seq=entries[-1].seq + 1, draft=Draft("dealer", {"command": 7}))
    with pytest.raises(Underivable, match="has not the form"):
        deriver.play_entry(later)
