"""Signed heads of a running daemon: written, or told that they cannot be; with a key that systemd
hands to the service, which is taken and no file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.control.client import ControlClient
from controller.daemon.journaling import sealing
from controller.daemon.outside import Outside
from controller.evidence.tree import growing
from controller.journal.keys import CREDENTIAL, BadKey, ControllerKey, SecretKey
from controller.journal.reader import JournalReader
from controller.upkeep.signing import CREDENTIALS
from tests.daemon.journaling.aged import awake
from tests.daemon.process import Daemon, Place, running
from tests.daemon.sealed import at_once, heads, journal_at, play, runtime_at, told_of_heads

LISTED = 0o440
"""Mode of a credential that an access control list gives to the service's user."""


@pytest.fixture
def credentials(tmp_path: Path) -> Path:
    made = tmp_path / "credentials"
    made.mkdir()
    return made


def hand_over(credentials: Path, text: str, mode: int = 0o400) -> Path:
    credential = credentials / CREDENTIAL
    credential.write_text(text, encoding="ascii")
    credential.chmod(mode)
    return credential


def told_of_start(place: Place) -> Mapping[str, Any]:
    with JournalReader(place.state) as reader:
        start = reader.last_of_type("start")
    assert start is not None
    sealing = start.body["sealing"]
    assert isinstance(sealing, Mapping)
    return sealing


@pytest.mark.parametrize("mode", [0o400, LISTED])
def test_a_key_that_was_taken_over_raises_no_fault(
    mode: int, place: Place, credentials: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies elsewhere, and is the same key: nothing is held, told or signed otherwise."""
    file = place.state / "key"
    public = ControllerKey(file).public
    assert told_of_start(place)["kept"] == "file"
    hand_over(credentials, file.read_text(), mode)
    file.unlink()
    monkeypatch.setenv(CREDENTIALS, str(credentials))
    told = play(place, "wager 2 main 10")
    assert (told["held"], told["conditions"]) == (None, {})
    sealing = told_of_start(place)
    assert (sealing["kept"], sealing["key"]) == ("credential", public.text)
    assert all(head.is_of(public) for head in heads(place))
    assert not file.exists()


def test_the_log_says_where_the_key_is_from(tmp_path: Path, credentials: Path) -> None:
    place = Place(tmp_path)
    with running(place) as daemon:
        log = daemon.stop()[1]
    file = place.state / "key"
    public = ControllerKey(file).public
    assert f"the key {public.fingerprint} is from the file {file}, made just now" in log
    credential = hand_over(credentials, file.read_text())
    with running(place, {CREDENTIALS: str(credentials)}) as daemon:
        with ControlClient(place.socket) as client:
            assert client.status()["held"] is None
        log = daemon.stop()[1]
    assert f"the key {public.fingerprint} is from the credential {credential}" in log
    assert f"a key still lies in {file}, which is not used" in log
    assert file.read_text().strip() not in log


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [("no key\n", 0o400, "is damaged"), ("a1" * 32, 0o444, "mode 0444, expected 0400 or 0440")],
)
def test_with_a_credential_that_cannot_be_used_nothing_is_written(
    text: str, mode: int, words: str, place: Place, credentials: Path
) -> None:
    """No key is made beside it, and the file of before is not gone back to."""
    (place.state / "key").unlink()
    hand_over(credentials, text, mode)
    before = {file.name: file.read_bytes() for file in place.state.iterdir()}
    daemon = Daemon(place, {CREDENTIALS: str(credentials)})
    status, log = daemon.ended()
    assert (status, words in log) == (2, True)
    assert str(credentials / CREDENTIAL) in log
    assert {file.name: file.read_bytes() for file in place.state.iterdir()} == before


def test_another_credential_of_the_service_is_no_key(place: Place, credentials: Path) -> None:
    (credentials / "another").write_text("a password")
    key = ControllerKey(place.state / "key", credentials)
    assert (key.installed, key.made, key.path) == (False, False, place.state / "key")


def test_what_is_no_file_is_no_credential(tmp_path: Path, credentials: Path) -> None:
    (credentials / CREDENTIAL).mkdir()
    with pytest.raises(BadKey, match=r"a directory, expected a regular.*journal key --install"):
        ControllerKey(tmp_path / "key", credentials)
    assert not (tmp_path / "key").exists()


def test_a_key_is_written_one_way(tmp_path: Path) -> None:
    secret = SecretKey.generate()
    hand_over(tmp_path, f"{secret.text}\n")
    assert ControllerKey(tmp_path / "none", tmp_path).public == secret.public
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        SecretKey.of_text("a1")


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
    outside = Outside(boot_id=lambda: "boot-1", aside=lambda *_: None)

    async def die() -> None:
        if started:
            async with awake(place, outside):
                return
        with journal_at(place) as journal:
            await runtime_at(place, journal, outside).close()

    asyncio.run(die())
    assert [head.seq for head in heads(place)] == [0]
    told = play(place)
    assert (told["held"], told["conditions"]) == (None, {})


def with_heads(place: Place, medium: Path) -> None:
    """Have its heads on that medium."""
    text = place.configuration.read_text(encoding="utf-8")
    text = text.replace("[state]", f'[state]\nheads = "{medium}/heads.jsonl"')
    place.configuration.write_text(text, encoding="utf-8")


def test_heads_that_cannot_be_written_are_told_and_play_goes_on(place: Place) -> None:
    other = Place(place.folder / "other")
    with_heads(other, place.folder / "stick")
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
    with_heads(place, stick)
    monkeypatch.setattr(sealing, "RETRY_S", 0.001)
    async with awake(place, Outside(boot_id=lambda: "boot-1", aside=at_once)) as runtime:
        assert await told_of_heads(runtime, failing=True)
        stick.mkdir()
        await told_of_heads(runtime, failing=False)


def test_a_head_waits_for_its_tree(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a journal whose tree is still being made no head is signed, and nobody is alarmed."""
    monkeypatch.setattr(sealing, "RETRY_S", 0.001)
    other = Place(place.folder / "other")

    async def live() -> None:
        growing_behind = pytest.MonkeyPatch()
        growing_behind.setattr(growing, "AT_ONCE", -1)
        async with awake(other, Outside(boot_id=lambda: "boot-1", aside=at_once)) as runtime:
            await runtime.owner.settled()
            status = await runtime.handler.status()
            assert (status["held"], status["conditions"]) == (None, {})
            assert not (other.state / "heads.jsonl").exists()
            runtime.sealing.tree.frontier_at(1)
            while not (other.state / growing.BEGUN).exists():  # a stop would lose it
                await asyncio.sleep(0.001)
            growing_behind.undo()
            while runtime.sealing.facts["sealed_to"] is None:
                await asyncio.sleep(0.001)

    asyncio.run(live())
    with JournalReader(other.state) as reader:
        start: Mapping[str, Any] = next(iter(reader.iterate())).body
    assert start["sealing"]["heads"] is False
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
