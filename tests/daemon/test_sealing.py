"""Signed heads of a running daemon, and what they show when its journal was cut or exchanged."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.cli.main import main
from controller.daemon import sealing
from controller.daemon.box import Box
from controller.daemon.configuration import load_configuration
from controller.daemon.outside import Outside
from controller.journal.heads import SignedHead, heads_in
from controller.journal.keys import BoxKey
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.table.events import Event
from tests.daemon.house import DEALER
from tests.daemon.process import Place, running


def heads(place: Place) -> list[SignedHead]:
    found = [head for _, head in heads_in(place.state / "heads.jsonl")]
    assert all(isinstance(head, SignedHead) for head in found)
    return [head for head in found if isinstance(head, SignedHead)]


def play(
    place: Place, *commands: str, resume: bool = False, outside: Outside | None = None
) -> dict[str, Any]:
    """Start the box, give the commands, stop; the status as it was after the start."""
    config = load_configuration(place.configuration)

    async def live() -> dict[str, Any]:
        with Journal(place.state, boot_id="boot-1") as journal:
            world = outside or Outside(boot_id=lambda: "boot-1", aside=at_once)
            loop = asyncio.get_running_loop()
            box = Box(config, journal, world, loop, pytest.fail, journal.iterate)
            box.committer.start()
            await box.begin()
            told = dict(await box.owner.status())
            for command in commands:
                await box.owner.dealer(command, DEALER)
            if resume:
                await box.owner.supervisor("resume", "Sue", "the inspector was told", DEALER)
                assert (await box.owner.status())["held"] is None
            await box.close()
            box.owner.submit(Event("stop", {}))
            await box.owner.settled()
            box.committer.close()
            box.sealing.last().join(5.0)
        return told

    return asyncio.run(live())


def at_once(_: object, work: Callable[[], str], then: Callable[[str], None]) -> None:
    """Beside the loop there is nobody else."""
    then(work())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that was played at and stopped."""
    made = Place(tmp_path)
    play(made, "open", "wager 1 main 10")
    return made


def test_start_and_stop_are_signed(place: Place) -> None:
    with JournalReader(place.state) as reader:
        entries = list(reader.iterate())
        identity = reader.identity.hex()
    digests = {entry.seq: entry.digest.hex() for entry in entries}
    signed = heads(place)
    public = BoxKey(place.state / "key").public
    assert all(head.is_of(public) for head in signed)
    assert {(head.journal, head.table, head.boot) for head in signed} == {(identity, "T1", 1)}
    assert [head.seq for head in signed] == sorted(head.seq for head in signed)
    assert signed[0].seq == 0
    assert signed[-1].seq == entries[-1].seq
    assert entries[-1].type == "stop"
    assert all(digests[head.seq] == head.digest for head in signed[1:])
    start = entries[0].body
    assert start["sealing"]["key"] == public.text
    assert start["digests"].keys() == {
        "program",
        "libraries",
        "configuration",
        "rules",
        "weights",
    }


def test_a_daemon_signs_its_last_entry_before_it_ends(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon:
        status, log = daemon.stop()
    assert status == 0, log
    with JournalReader(place.state) as reader:
        last = reader.last_of_type("stop")
        assert last is not None
        assert heads(place)[-1].seq == last.seq == reader.head.seq


def test_a_sound_journal_starts_without_a_word(place: Place) -> None:
    told = play(place)
    assert told["held"] is None
    assert told["conditions"] == {}
    assert told["journal"]["sealed_to"] <= told["journal"]["head"]
    assert told["journal"]["key"] == BoxKey(place.state / "key").public.fingerprint
    assert len(told["program"]["digest"]) == 64


def cut(place: Place, count: int = 3) -> None:
    """The last entries are gone, with all that SQLite would show of it."""
    path = place.state / "journal.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_delete")
        connection.execute(
            "DELETE FROM entry WHERE seq > (SELECT max(seq) FROM entry) - ?", (count,)
        )
        connection.execute(
            """CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
            BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"""
        )
        connection.execute("VACUUM")


def restore(place: Place) -> None:
    """The journal of an earlier day is put back; the table is played on with it elsewhere."""
    copy = place.folder / "copy.sqlite3"
    shutil.copy(place.state / "journal.sqlite3", copy)
    play(place, "wager 2 main 10")
    shutil.copy(copy, place.state / "journal.sqlite3")


def rewrite(place: Place) -> None:
    """The end is written anew, well chained and of the same length."""
    with JournalReader(place.state) as reader:
        last = list(reader.iterate())[-1]
    cut(place, 1)
    with Journal(place.state, boot_id="boot-1") as journal:
        journal.append([last.draft], last.mono_ns, "2026-11-20T12:00:00+00:00")


def exchange(place: Place) -> None:
    """The journal of another table, or a new one, lies in its place."""
    (place.state / "journal.sqlite3").unlink()


def lose_heads(place: Place) -> None:
    (place.state / "heads.jsonl").unlink()


def spoil_heads(place: Place) -> None:
    (place.state / "heads.jsonl").write_text("{}\n" * 4, encoding="ascii")


def exchange_key(place: Place) -> None:
    (place.state / "key").unlink()


def open_key(place: Place) -> None:
    (place.state / "key").chmod(0o644)


@pytest.mark.parametrize(
    ("tamper", "fault", "said"),
    [
        (cut, "journal-cut", "are missing"),
        (restore, "journal-cut", "are missing"),
        (rewrite, "journal-differs-from-head", "is another one in the journal now"),
        (exchange, "journal-differs-from-head", "this one does not go on"),
        (lose_heads, "heads-doubted", "none of the heads"),
        (spoil_heads, "heads-doubted", "none of the heads"),
        (exchange_key, "heads-doubted", "the key is"),
        (open_key, "heads-doubted", "mode 0644"),
    ],
)
def test_what_was_done_to_it_meanwhile_holds_the_table(
    place: Place, tamper: Callable[[Place], None], fault: str, said: str
) -> None:
    tamper(place)
    held = play(place)["held"]
    assert (held["fault"], held["remedies"]) == (fault, ["resume"])
    assert said in held["reason"]
    again = play(place, resume=True)["held"]
    assert said in again["reason"], "held until a supervisor says who and why"
    assert play(place)["held"] is None


@pytest.mark.parametrize("started", [False, True])
def test_a_first_start_that_dies_raises_no_alarm_later(tmp_path: Path, *, started: bool) -> None:
    place = Place(tmp_path)
    config = load_configuration(place.configuration)

    async def die() -> None:
        loop = asyncio.get_running_loop()
        with Journal(place.state, boot_id="boot-1") as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=lambda *_: None)
            box = Box(config, journal, outside, loop, pytest.fail, journal.iterate)
            if started:
                box.committer.start()
                await box.begin()
            await box.close()
            if started:
                box.committer.close()

    asyncio.run(die())
    assert [head.seq for head in heads(place)] == [0]
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})


@pytest.mark.parametrize("tamper", [lose_heads, spoil_heads, exchange_key])
def test_a_start_that_dies_hides_nothing_from_the_next(
    place: Place, tamper: Callable[[Place], None]
) -> None:
    tamper(place)
    config = load_configuration(place.configuration)

    async def die() -> None:
        loop = asyncio.get_running_loop()
        with Journal(place.state, boot_id="boot-1") as journal:
            box = Box(config, journal, Outside(), loop, pytest.fail, journal.iterate)
            await box.close()

    asyncio.run(die())
    assert play(place)["held"]["fault"] == "heads-doubted"


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (None, None),
        (lose_heads, "heads-doubted"),
        (exchange_key, "heads-doubted"),
        (exchange, "journal-differs-from-head"),
    ],
)
def test_what_was_done_to_it_behind_an_archive_holds_the_table(
    tmp_path: Path, tamper: Callable[[Place], None] | None, fault: str | None
) -> None:
    place = Place(tmp_path)
    play(place)
    (tmp_path / "archive").mkdir()
    command = ["journal", "archive", "--state", str(place.state), "--to", str(tmp_path / "archive")]
    assert main(command) == 0
    if tamper is not None:
        tamper(place)
    held = play(place)["held"]
    assert (held and held["fault"]) == fault


def test_heads_that_cannot_be_written_are_told_and_play_goes_on(place: Place) -> None:
    other = Place(place.folder / "other")
    text = other.configuration.read_text(encoding="utf-8")
    text = text.replace("[state]", f'[state]\nheads = "{place.folder}/stick/heads.jsonl"')
    other.configuration.write_text(text, encoding="utf-8")
    told = play(other, "open")
    assert told["held"] is None
    assert "No such file" in told["conditions"]["heads-failing"]
    (place.folder / "stick").mkdir()
    told = play(other)
    assert (told["held"], told["conditions"]) == (None, {})
    assert (place.folder / "stick" / "heads.jsonl").exists()


def test_heads_are_tried_again_without_anything_happening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, stick = Place(tmp_path), tmp_path / "stick"
    text = place.configuration.read_text(encoding="utf-8")
    text = text.replace("[state]", f'[state]\nheads = "{stick}/heads.jsonl"')
    place.configuration.write_text(text, encoding="utf-8")
    config = load_configuration(place.configuration)
    monkeypatch.setattr(sealing, "SEAL_S", 0.001)

    async def live() -> None:
        with Journal(place.state, boot_id="boot-1") as journal:
            world = Outside(boot_id=lambda: "boot-1", aside=at_once)
            loop = asyncio.get_running_loop()
            box = Box(config, journal, world, loop, pytest.fail, journal.iterate)
            box.committer.start()
            await box.begin()
            over = asyncio.Event()

            def changed() -> None:
                if "heads-failing" not in box.owner.table.conditions:
                    over.set()

            box.owner.subscribe(changed)
            assert "heads-failing" in (await box.owner.status())["conditions"]
            stick.mkdir()
            await asyncio.wait_for(over.wait(), 20)
            await box.close()
            box.committer.close()

    asyncio.run(live())


class Slow:
    """A medium that takes its time: work waits here until it is let go."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], str], Callable[[str], None]]] = []

    def __call__(self, _: object, work: Callable[[], str], then: Callable[[str], None]) -> None:
        self.waiting.append((work, then))

    def go(self) -> None:
        work, then = self.waiting.pop(0)
        then(work())


def test_nothing_waits_for_a_slow_medium_and_the_newest_head_follows(tmp_path: Path) -> None:
    place, slow = Place(tmp_path), Slow()
    config = load_configuration(place.configuration)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        with Journal(place.state, boot_id="boot-1") as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=slow)
            box = Box(config, journal, outside, loop, pytest.fail, journal.iterate)
            box.committer.start()
            await box.begin()
            await asyncio.sleep(0)
            assert len(slow.waiting) == 1
            box.owner.condition("clock-stepped", "by an hour")
            await box.owner.settled()
            box.sealing.seal()
            box.sealing.seal()
            assert len(slow.waiting) == 1
            slow.go()
            slow.go()
            assert not slow.waiting
            assert heads(place)[-1].seq == journal.head.seq == box.sealing.facts["sealed_to"]
            await box.close()
            box.committer.close()

    asyncio.run(run())


@pytest.fixture
def hanging(mocker: MockerFixture) -> Iterator[threading.Event]:
    """Whatever is asked of a medium in :mod:`controller.daemon.sealing` hangs until it is set."""
    go = threading.Event()
    mocker.patch.object(sealing, "ANSWERED_S", 0.01)
    yield go
    go.set()


@pytest.mark.parametrize(
    ("call", "said"),
    [("last_head", "heads.jsonl cannot be read: it does not answer"), ("BoxKey", "the key ")],
)
def test_a_start_does_not_wait_for_heads_or_a_key_that_hang(
    place: Place, hanging: threading.Event, mocker: MockerFixture, call: str, said: str
) -> None:
    real = getattr(sealing, call)

    def hang(*asked: Any) -> Any:
        hanging.wait()
        return real(*asked)

    before = heads(place)
    mocker.patch.object(sealing, call, hang)
    held = play(place)["held"]
    assert held["fault"] == "heads-doubted"
    assert said in held["reason"]
    assert "does not answer" in held["reason"]
    mocker.patch.object(sealing, call, real)
    assert heads(place)[: len(before)] == before
    assert play(place, resume=True)["held"]["fault"] == "heads-doubted"
    assert play(place)["held"] is None


@pytest.mark.parametrize("call", ["has_head", "append_head"])
def test_a_first_start_does_not_wait_for_a_medium_that_hangs(
    tmp_path: Path, hanging: threading.Event, mocker: MockerFixture, call: str
) -> None:
    place, real = Place(tmp_path), getattr(sealing, call)

    def hang(*asked: Any) -> Any:
        hanging.wait()
        return real(*asked)

    mocker.patch.object(sealing, call, hang)
    config = load_configuration(place.configuration)

    async def run() -> None:
        loop, slow = asyncio.get_running_loop(), Slow()
        with Journal(place.state, boot_id="boot-1") as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=slow)
            box = Box(config, journal, outside, loop, pytest.fail, journal.iterate)
            box.committer.start()
            await box.begin()
            status = await box.owner.status()
            assert status["held"] is None
            assert "its medium does not answer" in status["conditions"]["heads-failing"]
            hanging.set()
            while slow.waiting:
                slow.go()
            await box.close()
            box.committer.close()
            box.sealing.last().join(5.0)
            start = next(iter(journal.iterate()))
            assert start.body["sealing"] is None  # none is known to be there
            assert heads(place)[-1].seq == journal.head.seq

    asyncio.run(run())
    mocker.patch.object(sealing, call, real)
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})


def test_heads_whose_medium_hangs_during_play_are_told(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(sealing, "SEAL_S", 0.001)
    mocker.patch.object(sealing, "HANGS_S", 0.0)
    place, slow = Place(tmp_path), Slow()
    config = load_configuration(place.configuration)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        with Journal(place.state, boot_id="boot-1") as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=slow)
            box = Box(config, journal, outside, loop, pytest.fail, journal.iterate)
            box.committer.start()
            changed = asyncio.Event()
            box.owner.subscribe(changed.set)

            async def until(*, failing: bool) -> None:
                while ("heads-failing" in box.owner.table.conditions) is not failing:
                    changed.clear()
                    await asyncio.wait_for(changed.wait(), 20)

            await box.begin()
            box.owner.condition("clock-stepped", "by an hour")
            await until(failing=True)
            said = box.owner.table.conditions["heads-failing"]
            assert said.endswith("heads.jsonl: its medium does not answer")
            assert len(slow.waiting) == 1  # it is not asked again before it has answered
            slow.go()
            await until(failing=False)
            await box.close()
            while slow.waiting:
                slow.go()
            box.committer.close()

    asyncio.run(run())
