"""Signed heads of a running daemon: written, or told that they cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.daemon.journaling import sealing
from controller.daemon.outside import Outside
from controller.evidence.tree import growing
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from tests.daemon.process import Place, running
from tests.daemon.sealed import at_once, heads, journal_at, play, runtime_at


def test_start_and_stop_are_signed(place: Place) -> None:
    with JournalReader(place.state) as reader:
        entries = list(reader.iterate())
        identity = reader.identity.hex()
    digests = {entry.seq: entry.digest.hex() for entry in entries}
    signed = heads(place)
    public = ControllerKey(place.state / "key").public
    assert all(head.is_of(public) for head in signed)
    assert {(head.journal, head.table, head.boot) for head in signed} == {(identity, "T1", 1)}
    assert [head.seq for head in signed] == sorted(head.seq for head in signed)
    assert signed[0].seq == 0
    assert signed[-1].seq == entries[-1].seq
    assert entries[-1].type == "stop"
    assert all(digests[head.seq] == head.digest for head in signed[1:])
    start: Mapping[str, Any] = entries[0].body
    assert start["sealing"]["key"] == public.text
    assert start["digests"].keys() == {
        "program",
        "libraries",
        "configuration",
        "rules",
        "readings",
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
    assert told["journal"]["key"] == ControllerKey(place.state / "key").public.fingerprint
    assert len(told["program"]["digest"]) == 64


@pytest.mark.parametrize("started", [False, True])
def test_a_first_start_that_dies_raises_no_alarm_later(tmp_path: Path, *, started: bool) -> None:
    place = Place(tmp_path)

    async def die() -> None:
        with journal_at(place) as journal:
            outside = Outside(boot_id=lambda: "boot-1", aside=lambda *_: None)
            runtime = runtime_at(place, journal, outside)
            if started:
                runtime.committer.start()
                await runtime.submit_start()
            await runtime.close()
            if started:
                runtime.committer.close()

    asyncio.run(die())
    assert [head.seq for head in heads(place)] == [0]
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})


def test_heads_that_cannot_be_written_are_told_and_play_goes_on(place: Place) -> None:
    other = Place(place.folder / "other")
    text = other.configuration.read_text(encoding="utf-8")
    text = text.replace("[state]", f'[state]\nheads = "{place.folder}/stick/heads.jsonl"')
    other.configuration.write_text(text, encoding="utf-8")
    told = play(other, "open")
    assert told["held"] is None
    assert "there is no " in told["conditions"]["heads-failing"]
    (place.folder / "stick").mkdir()
    told = play(other)
    assert (told["held"], told["conditions"]) == (None, {})
    (place.folder / "stick" / "heads.jsonl").unlink()
    play(other)
    assert play(other)["held"]["fault"] == "heads-doubted"  # they were there, and are gone


async def test_heads_are_tried_again_without_anything_happening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, stick = Place(tmp_path), tmp_path / "stick"
    text = place.configuration.read_text(encoding="utf-8")
    text = text.replace("[state]", f'[state]\nheads = "{stick}/heads.jsonl"')
    place.configuration.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sealing, "RETRY_S", 0.001)
    with journal_at(place) as journal:
        world = Outside(boot_id=lambda: "boot-1", aside=at_once)
        runtime = runtime_at(place, journal, world)
        runtime.committer.start()
        await runtime.submit_start()
        over = asyncio.Event()

        def changed() -> None:
            if "heads-failing" not in runtime.owner.table.holds.conditions:
                over.set()

        runtime.owner.subscribe(changed)
        assert "heads-failing" in (await runtime.handler.status())["conditions"]
        stick.mkdir()
        await asyncio.wait_for(over.wait(), 20)
        await runtime.close()
        runtime.committer.close()


def test_a_head_waits_for_its_tree(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a journal whose tree is still being made no head is signed, and nobody is alarmed."""
    monkeypatch.setattr(sealing, "RETRY_S", 0.001)
    other = Place(place.folder / "other")

    async def live() -> None:
        with journal_at(other) as journal:
            world = Outside(boot_id=lambda: "boot-1", aside=at_once)
            with pytest.MonkeyPatch.context() as behind:
                behind.setattr(growing, "AT_ONCE", -1)
                runtime = runtime_at(other, journal, world)
                runtime.committer.start()
                await runtime.submit_start()
                await runtime.owner.settled()
                status = await runtime.handler.status()
                assert (status["held"], status["conditions"]) == (None, {})
                assert not (other.state / "heads.jsonl").exists()
                runtime.sealing.tree.frontier_at(1)
                while not (other.state / growing.BEGUN).exists():  # a stop would lose it
                    await asyncio.sleep(0.001)
            while runtime.sealing.facts["sealed_to"] is None:
                await asyncio.sleep(0.001)
            await runtime.close()
            runtime.committer.close()
            start: Mapping[str, Any] = next(iter(journal.iterate())).body
            assert start["sealing"]["heads"] is False

    asyncio.run(live())
    assert all(head.checkpoint for head in heads(other))
    assert (play(other)["held"], play(other)["conditions"]) == (None, {})


def test_a_tree_that_cannot_be_made_is_told_and_play_goes_on(tmp_path: Path) -> None:
    place = Place(tmp_path)
    tree = place.state / "journal.tree"
    place.state.mkdir(parents=True, exist_ok=True)
    tree.symlink_to(tmp_path / "elsewhere")
    told = play(place, "open")
    assert told["held"] is None
    assert f"{tree}: it is a symbolic link" in told["conditions"]["heads-failing"]
    assert not (place.state / "heads.jsonl").exists()
    tree.unlink()
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})
    assert heads(place)[-1].checkpoint
