"""The play out of its journal: by the last snapshot, as if all of it had been replayed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from controller import ENGINE_VERSION, STORES
from controller.daemon.quiet_moments import EVERY, Snapshots
from controller.forms.json_values import checked
from controller.journal.errors import DamagedJournal, OtherFormat
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from controller.replay import recovery
from controller.replay.counted_table import CountedTable
from controller.replay.recovery import before_round, recover
from controller.replay.replay import MOST_KEPT, Replay, differences, rounds_from
from controller.table.showing.status import status
from controller.table.snapshot import FORMAT, BadSnapshot
from proof.torture.year import DEVICES, Year
from tests.daemon.house import SETTINGS, House, open_house
from tests.daemon.test_restart import ROUND
from tests.journal.helpers import forging, opened

WALL, LATER = "2026-11-21T12:00:00+00:00", "2026-11-21T12:00:01+00:00"


def play_on(state: Path, rounds: int, *, snapshot: bool = False) -> None:
    """Real rounds, and at their end a snapshot if wanted."""
    with opened(state) as journal:
        play = recover(journal, journal.iterate).counted
        year = Year(replace(SETTINGS, devices=DEVICES), journal.head.seq, play)
        for drafts in islice(year.drafts(), rounds):
            journal.append(drafts, journal.head.seq + 1, WALL)
        if snapshot:
            journal.append([Draft("snapshot", year.counted.dump())], journal.head.seq + 1, WALL)


def replayed(state: Path) -> tuple[Replay, list[str]]:
    with JournalReader(state) as reader:
        replay = Replay()
        return replay, differences(replay, reader.iterate())


def test_the_play_is_as_if_everything_had_been_replayed(tmp_path: Path) -> None:
    for rounds in (4, 3, 1):
        play_on(tmp_path, rounds, snapshot=True)
    play_on(tmp_path, 2)
    whole, found = replayed(tmp_path)
    assert not found
    with opened(tmp_path) as journal:
        read: list[int] = []

        def entries(after: int) -> Iterator[Any]:
            read.append(after)
            return journal.iterate(after)

        recovered = recover(journal, entries)
        last = next(journal.snapshots())
        assert read == [last - 1] * 2  # once for the keys of commands
        assert recovered.since == journal.head.seq - last
    assert recovered.differences == []
    assert recovered.counted.dump() == whole.counted.dump()
    assert json.dumps(status(recovered.counted.table)) == json.dumps(status(whole.table))


def test_without_a_snapshot_everything_is_replayed(tmp_path: Path) -> None:
    play_on(tmp_path, 3)
    with opened(tmp_path) as journal:
        recovered = recover(journal, journal.iterate)
        assert recovered.since == journal.head.seq
    assert recovered.counted.dump() == replayed(tmp_path)[0].counted.dump()


@pytest.mark.parametrize("change", [{"engine": "other"}, {"format": 0}, {"table": {}}])
def test_a_snapshot_that_is_not_ours_is_passed_over(tmp_path: Path, change: dict[str, Any]) -> None:
    play_on(tmp_path, 2, snapshot=True)
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        kept = next(journal.snapshots())
        body = recover(journal, journal.iterate).counted.dump()
        journal.append([Draft("snapshot", {**body, **change})], journal.head.seq + 1, WALL)
        recovered = recover(journal, journal.iterate)
        assert recovered.since == journal.head.seq - kept
        assert {**body, **change} != recovered.counted.dump() == body


def test_many_snapshots_of_another_version_are_not_all_looked_at(tmp_path: Path) -> None:
    play_on(tmp_path, 1, snapshot=True)
    with opened(tmp_path) as journal:
        other = Draft("snapshot", {"engine": "other"})
        journal.append([other] * (recovery.MOST_PASSED_OVER + 1), journal.head.seq + 1, WALL)
        recovered = recover(journal, journal.iterate)
        assert recovered.since == journal.head.seq
    assert recovered.counted.table.round_number == 1


def test_differences_behind_the_snapshot_are_told(tmp_path: Path) -> None:
    play_on(tmp_path, 1, snapshot=True)
    with opened(tmp_path) as journal:
        body = {"command": "open", "user": "ida", "after": {"state": "ended"}}
        journal.append([Draft("dealer", body)], journal.head.seq + 1, WALL)
        found = recover(journal, journal.iterate).differences
        seq = journal.head.seq
    assert found[-1] == (
        f"entry {seq} (dealer): state is 'betting' on replay, but the journal has 'ended'"
    )


def test_a_snapshot_that_is_not_what_was_played_is_found_on_replay(tmp_path: Path) -> None:
    play_on(tmp_path, 2)
    with opened(tmp_path) as journal:
        body: dict[str, Any] = recover(journal, journal.iterate).counted.dump()
        body["counters"]["total"]["cards"] += 1
        body["table"]["entering"]["notice"] = "all is well"
        journal.append([Draft("snapshot", body)], journal.head.seq + 1, WALL)
    found = replayed(tmp_path)[1]
    assert len(found) == 2
    assert "counters.total.cards is" in found[0]
    assert "table.entering.notice is None on replay, but the snapshot has 'all is well'" in found[1]


def test_a_snapshot_made_in_mid_round_is_found_on_replay(tmp_path: Path) -> None:
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        body = recover(journal, journal.iterate).counted.dump()
        drafts = [Draft("dealer", {"command": said, "user": "ida"}) for said in ("open", "close")]
        journal.append([*drafts, Draft("snapshot", body)], journal.head.seq + 1, WALL)
    assert "not quiet (" in replayed(tmp_path)[1][-1]


@pytest.mark.parametrize("behind", [0, 5])
def test_what_a_start_reads_is_checked(tmp_path: Path, behind: int) -> None:
    """The snapshot's own digest, and those of the entries behind it."""
    play_on(tmp_path, 1, snapshot=True)
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        seq = next(journal.snapshots()) + behind
    with forging(tmp_path) as connection:
        connection.execute("UPDATE entry SET wall = ? WHERE seq = ?", (LATER, seq))
    with (
        opened(tmp_path) as journal,
        pytest.raises(DamagedJournal, match=f"entry {seq} "),
    ):
        recover(journal, journal.iterate)


@pytest.fixture(scope="module")
def eight_rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of so many, with a snapshot behind the fourth and at the end; it is only read."""
    state = tmp_path_factory.mktemp("eight")
    for rounds in (4, 4):
        play_on(state, rounds, snapshot=True)
    return state


@pytest.mark.parametrize("number", [None, 1, 4, 5, 8, 9])
def test_a_round_is_found_from_the_snapshot_before_it(
    eight_rounds: Path, number: int | None
) -> None:
    with JournalReader(eight_rounds) as reader:
        every = {played["round"]: played for played in rounds_from(reader.iterate())}
        play, entries = before_round(reader, reader.iterate, number)
        found = {played["round"]: played for played in rounds_from(entries, play)}
        assert every.keys() == set(range(1, 9))
        first = 1 if number in (1, 4) else 9 if number == 9 else 5
        assert found == {at: every[at] for at in range(first, 9)}


def test_few_of_many_snapshots_are_read(tmp_path: Path) -> None:
    for _ in range(20):
        play_on(tmp_path, 1, snapshot=True)
    with JournalReader(tmp_path) as reader:
        for number in range(1, 21):
            read: list[int] = []

            def span(after: int, upto: int | None, read: list[int] = read) -> Iterator[Entry]:
                read.append(after)
                return reader.iterate(after, upto)

            play, entries = before_round(reader, span, number)
            assert (0 if play is None else play.table.round_number) == number - 1
            assert next(rounds_from(entries, play))["round"] == number
            assert len(read) <= 7


# ---- when one is written --------------------------------------------------------------------


async def _rounds(house: House) -> None:
    await house.all_up()
    for do in ROUND:
        await do(house)


async def test_one_is_written_at_the_first_quiet_moment_when_it_is_due(tmp_path: Path) -> None:
    async with open_house(tmp_path / "state") as house:
        await _rounds(house)
        for do in ROUND[:6]:
            await do(house)
        house.owner.subscribe(Snapshots(house.owner, since=EVERY).write_if_due)
        for do in ROUND[6:]:
            assert house.entries("snapshot") == []
            await do(house)
        assert house.owner.table.state == "idle"
        assert len(house.entries("snapshot")) == 1
        await house.dealer("open")
        body = house.entries("snapshot")[0]
    async with open_house(tmp_path / "state", known=house.links) as again:
        assert again.differences == []
        assert again.owner.table.round_number == 3
        assert again.verified()
    whole, found = replayed(tmp_path / "state")
    assert not found
    assert body["counters"]["last"]["rounds"] == 1
    assert whole.counted.counters.total.rounds == 2


async def test_a_dealer_who_never_says_next_gets_snapshots_too(tmp_path: Path) -> None:
    """He clears every round with the next ``open``: the table is never idle."""
    async with open_house(tmp_path / "state") as house:
        await house.all_up()
        for do in ROUND[:-1]:
            await do(house)
        house.owner.subscribe(Snapshots(house.owner, since=EVERY).write_if_due)
        await house.dealer("open")
        await house.dealer("wager 4 main 10")
        [body] = house.entries("snapshot")
        assert body["table"]["course"]["phase"] == "betting"
        before = status(house.owner.table)["boxes"]
    async with open_house(tmp_path / "state", known=house.links) as again:
        assert again.differences == []
        assert status(again.owner.table)["boxes"] == before
        await again.dealer("undo")
        assert again.verified()
    assert replayed(tmp_path / "state")[1] == []


async def test_none_is_written_before_it_is_due(tmp_path: Path) -> None:
    async with open_house(tmp_path / "state") as house:
        house.owner.subscribe(Snapshots(house.owner, since=0).write_if_due)
        await _rounds(house)
        assert house.entries("snapshot") == []


def test_play_goes_on_when_none_can_be_made(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with open_house(tmp_path / "state") as house:
            house.owner.table.shoe.book.why = object()  # type: ignore[assignment]
            house.owner.subscribe(Snapshots(house.owner, since=EVERY).write_if_due)
            await _rounds(house)
            assert house.owner.table.state == "idle"
            assert house.entries("snapshot") == []

    asyncio.run(run())
    assert [record.message for record in caplog.records].count("no snapshot can be made") == 1


async def test_counters_are_told_as_committed(tmp_path: Path) -> None:
    async with open_house(tmp_path / "state") as house:
        await _rounds(house)
        told: Any = await house.handler.counters()
        assert told["total"]["rounds"] == 1
        assert told["total"]["presses"] == 1
        assert sum(told["total"]["draws"][0]["multipliers"][at]["drawn"] for at in (0, 1)) == 1


def test_a_journal_may_begin_with_a_snapshot(tmp_path: Path) -> None:
    play_on(tmp_path / "old", 2)
    play = replayed(tmp_path / "old")[0].counted
    with opened(tmp_path / "new") as journal:
        journal.append([Draft("snapshot", {**play.dump(), "carried": []})], 1, WALL)
    play_on(tmp_path / "new", 2)
    whole, found = replayed(tmp_path / "new")
    assert not found
    assert whole.counted.counters.total.rounds == 4
    with opened(tmp_path / "unreadable") as journal:
        journal.append([Draft("snapshot", {"format": 0})], 1, WALL)
    with JournalReader(tmp_path / "unreadable") as reader:
        [told, *_] = Replay().replay_entry(next(iter(reader.iterate())))
    assert "cannot be replayed: a snapshot not of format 1: keep that folder, and begin" in told


def test_a_snapshot_is_compared_on_replay(tmp_path: Path) -> None:
    play_on(tmp_path, 1)
    play = replayed(tmp_path)[0].counted
    body = play.dump()
    assert body["format"] == 1
    assert play.differences(body) == []
    table = checked(dict[str, object], body["table"])
    spoiled = {**body, "table": {**table, "course": {"round_number": 7}}}
    [found] = play.differences(spoiled)
    assert found.startswith("table.course.")
    assert "the snapshot has 7" in found
    assert play.differences({**spoiled, "format": 7}) == []


@pytest.mark.parametrize("engine", [ENGINE_VERSION, "another engine"])
def test_a_table_is_not_opened_on_a_beginning_that_cannot_be_read(
    tmp_path: Path, engine: str
) -> None:
    """By another engine no difference would be told, and the table would begin as a new one."""
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        events = [entry.draft for entry in journal.iterate()]
    unreadable = Draft("snapshot", {"format": 0, "engine": engine, "carried": []})
    with opened(tmp_path / "new") as journal:
        journal.append([unreadable, *events], 1, WALL)
        with pytest.raises(OtherFormat, match=r"its first entry.*is a snapshot not of format 1"):
            recover(journal, journal.iterate)


@pytest.mark.parametrize(
    ("versions", "told"),
    [({"stores": STORES + 1}, "a later version"), ({"stores": STORES}, ""), ({}, ""), (None, "")],
)
def test_a_journal_that_a_later_version_has_played_on_is_not_gone_on_with(
    versions: object, told: str, tmp_path: Path
) -> None:
    """What it has stored would be taken for damage, or worse, left out without a word."""
    with opened(tmp_path) as journal:
        journal.append([Draft("start", {"versions": versions})], 1, WALL)
        if told:
            with pytest.raises(OtherFormat, match=f"{told}.*Install the later version again"):
                recover(journal, journal.iterate)
        else:
            assert recover(journal, journal.iterate).since == 1


def test_no_more_differences_are_kept_than_are_told(tmp_path: Path) -> None:
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        first = next(iter(journal.iterate())).draft
        journal.append([replace(first, body={**first.body, "after": {"x": 1}})] * 99, 9999, WALL)
        assert len(recover(journal, journal.iterate).differences) == MOST_KEPT


@pytest.mark.parametrize("after", [None, "x", [], 49])
def test_an_entry_without_the_form_of_one_is_a_difference(tmp_path: Path, after: object) -> None:
    """Whoever forged it had a start end in a traceback."""
    play_on(tmp_path, 1, snapshot=True)
    with opened(tmp_path) as journal:
        body = {"command": "open", "user": "ida", "key": "1", "after": after}
        journal.append([Draft("dealer", body)], 9999, WALL)
        [difference] = recover(journal, journal.iterate).differences
    assert "what came of it has not the form of that" in difference


@pytest.mark.parametrize("shown", [[], "x", {"at": "x"}, {"at": 1, "answers": 5}])
def test_what_was_shown_without_the_form_of_that_is_not_taken(
    tmp_path: Path, shown: object
) -> None:
    play_on(tmp_path, 1)
    with opened(tmp_path) as journal:
        counted = recover(journal, journal.iterate).counted
        body = {**counted.dump(), "shown": shown}
        journal.append([Draft("snapshot", body)], 9999, WALL)
        assert recover(journal, journal.iterate).differences == []


@pytest.mark.parametrize("given", [[], {}, None, "1", True, 2])
def test_another_format_is_not_read(given: object) -> None:
    with pytest.raises(BadSnapshot):
        CountedTable.load({"format": given})
    assert CountedTable().differences({"format": given, "engine": ENGINE_VERSION}) == []


def test_a_play_of_another_engine_is_not_compared() -> None:
    assert CountedTable().differences({"format": FORMAT, "engine": "other"}) == []
