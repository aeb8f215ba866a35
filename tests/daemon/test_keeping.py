"""The copier and the scrubber, step by step: what they do, and what they tell of."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.daemon import copying, scrubbing
from controller.daemon import keeping as keeping_module
from controller.daemon.configuration import load_configuration
from controller.daemon.copying import POLL_S, RETRY_S, Copier
from controller.daemon.keeping import JournalBehindCopy, Keeping, must_not_be_gone
from controller.daemon.scrubbing import PAUSE_S, Scrubber
from controller.journal.copying import SLICE, JournalCopy
from controller.journal.errors import DiskFailed
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.scrub import STEP, Walk
from controller.journal.store import Journal
from tests.daemon.process import Place
from tests.journal.helpers import SESSION, WALL, card, check, entry, forging

Told = list[tuple[str, str, bool]]


class Bench:
    """A journal that is open and played on, with its copier and scrubber."""

    def __init__(self, folder: Path) -> None:
        self.state, self.copy = folder / "state", folder / "copy"
        self.journal = Journal(self.state, boot_id="boot")
        self.cards = self.journal.stored("shoe", SESSION)
        self.told: Told = []
        self.copier = Copier(
            self.state,
            self.copy,
            lambda: self.journal.head.seq,
            self.tell,
        )
        self.scrubber = self.scrub()
        self.of_copy = Scrubber(self.copy, "copy-damaged", self.tell)

    def tell(self, fault: str, what: str, there: bool) -> None:
        self.told.append((fault, what, there))

    def scrub(self, state: Path | None = None, *, hurried: bool = False) -> Scrubber:
        return Scrubber(
            state or self.state,
            "journal-damaged",
            self.tell,
            lambda: self.journal.head,
            hurried=hurried,
        )

    def play(self, cards: int) -> None:
        drafts = [card(self.cards + number) for number in range(1, cards + 1)]
        self.cards += cards
        self.journal.append(drafts, self.cards, WALL)


def with_copy(folder: Path) -> Place:
    place = Place(folder)
    text = place.configuration.read_text("utf-8")
    text = text.replace("[control]", f'copy = "{folder / "copy"}"\n[control]')
    place.configuration.write_text(text, "utf-8")
    return place


def end(thread: Copier | Scrubber, within_s: float = 0) -> None:
    """Have it end; a copier copies on for that time."""
    if isinstance(thread, Copier):
        thread.end(time.monotonic() + within_s)
    else:
        thread.end()
    thread.join(time.monotonic() + 10)


@contextmanager
def bench(folder: Path, cards: int = 0) -> Iterator[Bench]:
    made = Bench(folder)
    try:
        if cards:
            made.play(cards)
        yield made
    finally:
        end(made.copier)
        end(made.scrubber)
        end(made.of_copy)
        made.journal.close()


def test_the_copy_is_kept_in_step(tmp_path: Path) -> None:
    with bench(tmp_path, 2 * SLICE + 5) as table:
        assert [table.copier.step() for _ in range(4)] == [0.0, 0.0, POLL_S, POLL_S]
        assert table.copier.told["last"] == table.journal.head.seq
        table.play(3)
        assert table.copier.behind() is None
        assert table.copier.step() == POLL_S
        assert table.copier.told["last"] == table.journal.head.seq
        table.play(2)
        assert table.copier.step() == POLL_S
    assert table.told == []
    assert check(tmp_path / "copy").head == check(tmp_path / "state").head


def test_a_medium_that_is_gone_and_comes_back(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copy.touch()  # no directory: the medium is not there
        assert table.copier.behind() is None
        assert [table.copier.step(), table.copier.step()] == [RETRY_S, RETRY_S]
        [(fault, what, there)] = table.told
        assert (fault, there) == ("copy-failing", True)
        assert "copy must name a directory on another medium" in what
        assert table.copier.told["fault"] == f"copy-failing: {what}"
        table.copy.unlink()
        assert table.copier.step() == POLL_S
        assert table.told[1:] == [("copy-failing", "the copy is level again", False)]
        assert table.copier.told["fault"] is None
        assert table.copier.told["last"] == 3


def test_what_stood_at_the_last_stop_is_over_when_the_copy_is_level(tmp_path: Path) -> None:
    with bench(tmp_path, SLICE + 3) as table:
        table.copier.stood(["copy-failing", "copy-damaged", "copy-differs", "disk-low"])
        assert table.copier.step() == 0.0
        assert table.told == []
        assert table.copier.step() == POLL_S
        said = "the copy is level again"
        assert table.told == [
            ("copy-damaged", said, False),  # it was begun anew
            ("copy-differs", said, False),
            ("copy-failing", said, False),
        ]
        assert table.copier.step() == POLL_S
        assert len(table.told) == 3


def test_a_copy_that_was_found_damaged_is_not_well_for_being_level(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copier.step()
        end(table.copier)
        table.told.clear()
        table.copier.stood(["copy-damaged"])
        assert table.copier.step() == POLL_S
        assert table.told == []


def test_without_a_copy_what_was_wrong_with_it_is_over(tmp_path: Path) -> None:
    place = Place(tmp_path)
    told: Told = []

    def condition(fault: str, detail: str = "", *, present: bool = True) -> None:
        told.append((fault, detail, present))

    with Journal(place.state) as journal, closing(asyncio.new_event_loop()) as loop:
        keeping = Keeping(load_configuration(place.configuration), journal, loop)
        keeping.start(condition, {"copy-failing": "gone", "disk-low": "9 days"})
        keeping.close(time.monotonic() + 10)
    assert told == [("copy-failing", "there is no second copy any more", False)]


def test_a_start_ends_what_stood_from_before(tmp_path: Path) -> None:
    place = with_copy(tmp_path)
    config = load_configuration(place.configuration)

    async def live() -> str:
        over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def condition(fault: str, detail: str = "", *, present: bool = True) -> None:
            if fault == "copy-failing":
                over.set_result(detail if not present else "there")

        with Journal(place.state) as journal:
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            keeping.start(condition, {"copy-failing": "gone"})
            try:
                return await asyncio.wait_for(over, 20)
            finally:
                keeping.close(time.monotonic() + 10)

    assert asyncio.run(live()) == "the copy is level again"


class Hanging:
    """A medium of the copy that hangs until it is let go: opening it does not return."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.go = threading.Event()
        mocker.patch.object(copying, "JournalCopy", self._open)

    def _open(self, place: Path, reader: JournalReader) -> JournalCopy:
        self.go.wait()
        return JournalCopy(place, reader)


def test_a_start_does_not_wait_for_a_copy_that_hangs(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(keeping_module, "COMPARED_S", 0.01)
    hanging = Hanging(mocker)
    config = load_configuration(with_copy(tmp_path).configuration)
    told: Told = []

    async def live() -> None:
        level = asyncio.Event()

        def condition(fault: str, detail: str = "", *, present: bool = True) -> None:
            if fault == "copy-failing":
                told.append((fault, detail, present))
                if not present:
                    level.set()

        with Journal(config.state_directory) as journal:
            journal.append([entry("open")], 1, WALL)
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            try:
                keeping.start(condition, {})
                for _ in range(3):
                    await asyncio.sleep(0)
                assert told == [("copy-failing", "its medium does not answer", True)]
                hanging.go.set()
                await asyncio.wait_for(level.wait(), 20)
            finally:
                hanging.go.set()
                keeping.close(time.monotonic() + 10)

    asyncio.run(live())
    assert told[1:] == [("copy-failing", "the copy is level again", False)]
    assert check(tmp_path / "copy").last_seq == 1


def test_a_start_that_fails_otherwise_leaves_the_copy_alone(tmp_path: Path) -> None:
    config = load_configuration(with_copy(tmp_path).configuration)
    with Journal(config.state_directory) as journal, closing(asyncio.new_event_loop()) as loop:
        journal.append([entry("open")], 1, WALL)
        keeping = Keeping(config, journal, loop)
        keeping.close(time.monotonic() + 10)
    assert check(tmp_path / "copy").entries == 0


def test_a_copy_that_hangs_while_the_table_plays_is_said_once(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copier.mind(0)
        assert table.told == []  # it is at rest

        def last() -> int:
            table.copier.mind()
            assert table.told == []  # it is not long since it began
            table.copier.mind(0)
            table.copier.mind(0)
            return 3

        table.copier._last = last
        assert table.copier.step() == POLL_S
        assert table.told == [
            ("copy-failing", "its medium does not answer", True),
            ("copy-failing", "the copy is level again", False),
        ]


def test_no_journal_is_made_where_a_copy_hangs(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(keeping_module, "COMPARED_S", 0.01)
    config = load_configuration(with_copy(tmp_path).configuration)
    go, size = threading.Event(), keeping_module._size

    def sized(path: Path) -> int | None:
        if path.parent == config.copy:
            go.wait()
        return size(path)

    mocker.patch.object(keeping_module, "_size", sized)
    with pytest.raises(JournalBehindCopy, match="does not answer"):
        must_not_be_gone(config)
    Journal(config.state_directory).close()
    must_not_be_gone(config)  # there is one: the copy is not asked
    go.set()


def test_a_damaged_copy_is_said_and_play_goes_on(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copy.mkdir()
        (table.copy / FILE_NAME).write_bytes(b"this is no database" * 100)
        assert table.copier.step() == RETRY_S
        assert table.told[0][0] == "copy-failing"
        assert "it is damaged: " in table.told[0][1]
        (table.copy / FILE_NAME).unlink()  # another medium is put in
        assert table.copier.step() == POLL_S
        assert table.copier.told["last"] == 3


def test_a_journal_that_lost_its_end_is_told_before_play(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        shutil.copytree(table.state, tmp_path / "older" / "state")
        table.play(2)
        table.copier.step()
    shutil.copytree(tmp_path / "copy", tmp_path / "older" / "copy")
    with bench(tmp_path / "older") as table:
        assert table.copier.behind() == "the journal ends with entry 3, its copy goes on to 5"
        # Where it turns out only later, since the medium was away at the start:
        assert table.copier.step() == RETRY_S
        table.play(1)
        assert table.copier.step() == RETRY_S
        assert table.told == [
            (
                "journal-behind-copy",
                "the journal ends with entry 3, its copy goes on to 5",
                True,
            )
        ]
    assert check(tmp_path / "older" / "copy").last_seq == 5


def test_a_copy_that_tells_another_story_is_not_written_to(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copier.step()
    shutil.rmtree(tmp_path / "state")
    with bench(tmp_path, 4) as table:
        assert table.copier.behind() is None
        assert table.copier.step() == RETRY_S
        assert table.told == [("copy-differs", "they are two different journals", True)]
    assert check(tmp_path / "copy").last_seq == 3


def test_what_does_not_follow_in_the_journal_is_told_of_the_journal(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        with forging(table.state) as connection:
            connection.execute("UPDATE entry SET body = '{}' WHERE seq = 2")
        assert table.copier.step() == RETRY_S
        told = "entry 2 was changed, or does not follow from the entry before it"
        assert table.told == [("journal-damaged", told, True)]
    assert check(tmp_path / "copy").entries == 0


def test_the_thread_copies_by_itself_and_ends(tmp_path: Path) -> None:
    with bench(tmp_path, 5) as table:
        table.copier.start()
        table.play(5)
        end(table.copier, 10)
        assert table.copier.told["last"] == 10  # the stop has the last entries copied too
    assert check(tmp_path / "copy").last_seq == 10


def test_a_stop_does_not_wait_for_a_copy_that_is_far_behind(tmp_path: Path) -> None:
    with bench(tmp_path, 20 * SLICE) as table:
        table.copier.start()
        end(table.copier)
        assert (table.copier.told["last"] or 0) < table.journal.head.seq
        end(table.copier, 10)  # what was left is the next start's


def test_a_walk_rests_and_is_begun_again(tmp_path: Path) -> None:
    with bench(tmp_path, 2 * STEP + 3) as table:
        table.copier.step()
        rests = [table.scrubber.step() for _ in range(2)]
        assert all(rests)
        assert table.scrubber.told == {"walks": 0, "checked": 2 * STEP, "fault": None}
        assert table.scrubber.step() == PAUSE_S
        assert table.told == [("journal-damaged", "every entry was looked at again", False)]
        rests = [table.of_copy.step() for _ in range(3)]
        assert rests[-1] == PAUSE_S
        assert table.told[1:] == [("copy-damaged", "every entry was looked at again", False)]
        assert table.scrubber.told == {"walks": 1, "checked": 2 * STEP + 3, "fault": None}
        # With damage standing from before it hurries, until it has been over everything once.
        again = table.scrub(hurried=True)
        assert [again.step() for _ in range(3)] == [0.0, 0.0, PAUSE_S]
        assert 0 < again.step() < PAUSE_S
        end(again)


def test_a_walk_that_a_table_waits_for_is_soon_begun_anew(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody speaks to a device until it is over: an error that passes must not cost an hour."""
    passing = [
        DiskFailed("it cannot be opened"),
        sqlite3.OperationalError("disk I/O error"),
        OSError(5, "Input/output error"),
    ]
    then = [passing[0], None, *passing[1:], None, None, passing[1]]
    really = Walk.step

    def step(walk: Walk) -> None:
        if error := then.pop(0):
            raise error
        really(walk)

    mocker.patch.object(Walk, "step", step)
    with bench(tmp_path, STEP + 3) as table:
        hurried = table.scrub(hurried=True)
        wanted = [60.0, 0.0, 60.0, 60.0, 0.0, PAUSE_S]
        assert [hurried.step() for _ in range(6)] == wanted
        assert table.told == [("journal-damaged", "every entry was looked at again", False)]
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 3
        for error, text in zip(passing, said, strict=True):
            assert f"{table.state} could not be looked at whole: {error}. No device" in text
            assert "tried again in 60 s" in text
        assert hurried.step() == PAUSE_S  # nobody waits for this one
        ended = table.scrub(hurried=True)
        ended.end()
        then.append(sqlite3.OperationalError("interrupted"))
        assert ended.step() == PAUSE_S
        assert len(caplog.records) == 3


def test_damage_is_told_once(tmp_path: Path) -> None:
    with bench(tmp_path, 9) as table:
        table.copier.step()
        for place in (table.state, table.copy):
            with forging(place) as connection:
                connection.execute("UPDATE entry SET body = '{}' WHERE seq = 4")
        scrubbers = table.scrubber, table.of_copy
        assert [one.step() for one in scrubbers * 3] == [PAUSE_S] * 6
        told = "entry 4 was changed, or does not follow from the entry before it"
        assert table.told == [("journal-damaged", told, True), ("copy-damaged", told, True)]
        assert [one.told["fault"] for one in scrubbers] == [
            f"{table.state}: {told}",
            f"{table.copy}: {told}",
        ]


def test_a_file_exchanged_under_the_running_table_is_found(tmp_path: Path) -> None:
    with bench(tmp_path, 9) as table:
        shutil.copytree(table.state, tmp_path / "older")
        table.play(1)
        other = table.scrub(tmp_path / "older")
        assert other.step() == PAUSE_S
        end(other)
        told = "entry 10, made durable by this process, is not in it"
        assert table.told == [("journal-damaged", told, True)]


def test_a_place_that_is_not_there_yet_is_no_damage(tmp_path: Path) -> None:
    with bench(tmp_path, 1) as table:
        assert table.of_copy.step() == PAUSE_S  # there is no copy so far
        assert table.told == []


def test_a_copy_that_is_written_to_again_meanwhile_is_no_damage(tmp_path: Path) -> None:
    with bench(tmp_path, 3 * STEP) as table:
        table.copier.step()
        end(table.copier)  # its medium was away, and has just come back
        table.of_copy.step()  # a step into the copy, which is at rest
        table.play(3 * STEP)
        assert table.copier.step() == POLL_S
        with forging(table.copy) as connection:  # pages change under the reader's hands
            connection.execute("UPDATE entry SET wall = 'x' WHERE seq > ?", (STEP,))
            connection.execute("PRAGMA wal_checkpoint")
        while table.of_copy.step() != PAUSE_S:
            pass
        assert [told for told in table.told if told[2]] == []


def test_a_copy_that_hangs_does_not_keep_the_journal_from_being_looked_at(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    config = load_configuration(with_copy(tmp_path).configuration)
    mocker.patch.object(scrubbing, "PAUSE_S", 0.001)
    go, asked = threading.Event(), threading.Event()

    def read(place: Path) -> JournalReader:
        if place == config.copy:
            asked.set()
            go.wait()
        return JournalReader(place)

    mocker.patch.object(scrubbing, "JournalReader", read)

    async def live() -> Any:
        walked = asyncio.Event()

        def condition(fault: str, detail: str = "", *, present: bool = True) -> None:
            if asked.is_set() and keeping.facts()["scrub"]["walks"] > walks:
                walked.set()

        with Journal(config.state_directory) as journal:
            journal.append([entry("open")], 1, WALL)
            keeping = Keeping(config, journal, asyncio.get_running_loop())
            try:
                keeping.start(condition, {})
                assert await asyncio.to_thread(asked.wait, 20)
                walks = keeping.facts()["scrub"]["walks"]
                await asyncio.wait_for(walked.wait(), 20)
                return keeping.facts()["scrub"]
            finally:
                go.set()
                keeping.close(time.monotonic() + 10)

    assert asyncio.run(live())["fault"] is None


def test_the_threads_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "POLL_S", 0.001)
    with bench(tmp_path, 5 * STEP) as table:
        table.copier.start()
        table.scrubber.start()
        table.of_copy.start()
        for _ in range(20):
            table.journal.append([entry("open")], table.cards, WALL)
        end(table.scrubber)
        end(table.of_copy)
        end(table.copier, 10)
        assert table.copier.told["last"] == table.journal.head.seq
    assert [told for told in table.told if told[2]] == []
