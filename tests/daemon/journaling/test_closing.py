"""When the daemon closes its journal at a start."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.model import ArchiveSettings
from controller.configuration.reading import load_configuration
from controller.control.protocol import Request
from controller.daemon.quiet_moments import EVERY
from controller.journal.reader import ARCHIVE, JournalReader, closed_files
from controller.journal.schema import FILE_NAME
from controller.upkeep import next_start
from controller.upkeep.due import MOST_AGAIN, close_if_due, due, first_written
from controller.upkeep.signing import signing_of
from tests.daemon.house import DEALER
from tests.daemon.journaling.aged import LONG_AGO, NOW, awake, closes, outside, play_at, well
from tests.daemon.process import Place, running
from tests.daemon.sealed import play


@pytest.mark.parametrize(
    ("settings", "bytes_", "first", "why"),
    [
        (ArchiveSettings(), 1 << 40, LONG_AGO, ""),
        (ArchiveSettings(after_days=30), 0, LONG_AGO, "its first entry is 40 days old"),
        (ArchiveSettings(after_days=40), 0, LONG_AGO, ""),
        (ArchiveSettings(after_days=30), 0, None, ""),
        (ArchiveSettings(after_days=30), 0, NOW + timedelta(days=90), ""),
        (ArchiveSettings(after_mb=5), (5 << 20) + 1, LONG_AGO, "it has 5 MiB"),
        (ArchiveSettings(after_mb=5), 5 << 20, LONG_AGO, ""),
    ],
)
def test_it_is_due_by_age_or_size(
    settings: ArchiveSettings, bytes_: int, first: datetime | None, why: str
) -> None:
    assert due(settings, bytes_, first, NOW) == why


def test_a_start_plays_again_for_it_what_lies_between_two_snapshots_twice() -> None:
    assert MOST_AGAIN == 2 * EVERY


def test_a_start_closes_what_is_due(old: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    before = well(old.state)
    (file,) = closes(old)
    assert "for its first entry is 40 days old" in caplog.text
    assert well(file.parent, file.name) == before
    with JournalReader(old.state) as reader:
        assert first_written(reader) == NOW
    told = play(old, "open", "wager 1 main 10", outside=outside(NOW))
    assert told["held"] is None
    assert closes(old, NOW + timedelta(days=29)) == [file]
    assert well(old.state) > before


def test_nothing_is_closed_in_mid_round_and_what_is_open_goes_on(
    old: Place, mocker: MockerFixture
) -> None:
    play_at(LONG_AGO, mocker, old, "open", "wager 1 main 10")
    assert closes(old) == []
    told = play(old, outside=outside(NOW))
    assert (told["state"], told["boxes"]["1"]["wagers"]["a"]) == ("betting", {"main": "10.00"})


def test_without_the_section_nothing_is_closed(tmp_path: Path, mocker: MockerFixture) -> None:
    place = Place(tmp_path)
    play_at(LONG_AGO, mocker, place)
    assert closes(place) == []


def test_it_is_closed_once_where_that_is_asked_for(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """``tablectl journal archive`` leaves the request, and takes it away behind the copy."""
    caplog.set_level(logging.INFO)
    with JournalReader(place.state) as reader:
        next_start.request_closing(place.state, reader.identity)
    assert closes(place) == []
    assert "is not: the table is not between rounds (betting)" in caplog.text
    play(place, "undo", "undo")
    (file,) = closes(place)
    assert "for 'tablectl journal archive' asked for it" in caplog.text
    assert play(place)["held"] is None
    assert closes(place) == [file]  # it named that one
    assert well(place.state) > well(file.parent, file.name)


def test_a_journal_without_a_head_is_left_and_the_table_opened(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    (old.state / "heads.jsonl").write_text("")
    assert closes(old) == []
    assert "heads.jsonl has no head of it" in caplog.text


async def test_a_journal_is_left_while_its_second_copy_is_behind(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """A closed one is copied no more: what the copy has not would be in one place."""
    async with awake(old, outside(LONG_AGO)) as runtime:
        runtime.owner.condition("copy-failing", "its medium does not answer")
        await runtime.owner.settled()
    config = load_configuration(old.configuration)
    close_if_due(replace(config, copy=old.folder / "copy"), signing_of(config), outside(NOW))
    assert closed_files(old.state) == []
    assert "and is not: its second copy in" in caplog.text
    assert len(closes(old)) == 1, "there is no second copy any more"


def test_a_start_does_not_wait_for_a_medium_of_heads_that_hangs(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    answers = threading.Event()
    hangs = mocker.patch("controller.upkeep.due.last_head")
    hangs.side_effect = lambda *_: answers.wait(20)
    mocker.patch("controller.upkeep.due.ANSWERED_S", 0.01)
    try:
        assert closes(old) == []
    finally:
        answers.set()
    assert "heads.jsonl cannot be read: its medium does not answer" in caplog.text


def test_a_directory_that_another_process_owns_is_left(old: Place) -> None:
    with running(old):
        assert closes(old) == []


def test_a_closed_journal_that_lies_in_its_place_again_is_told(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """With its heads: nothing else knows that it went on. It is not closed a second time."""
    heads = (old.state / "heads.jsonl").read_bytes()
    (file,) = closes(old)
    shutil.copy(file, old.state / FILE_NAME)
    (old.state / "heads.jsonl").write_bytes(heads)
    (old.state / FILE_NAME).chmod(0o640)
    assert closes(old) == [file]
    assert f"is not: it was closed as {file}" in caplog.text
    held = play(old, outside=outside(NOW))["held"]
    assert held["fault"] == "journal-cut"
    assert f"it was closed as {file}" in held["reason"]


def test_a_cut_off_closing_is_tidied_up_behind(old: Place) -> None:
    archive = old.state / ARCHIVE
    archive.mkdir()
    os.link(old.state / FILE_NAME, archive / f"journal-00-{1:012d}-{2:012d}.sqlite3")
    closes(old, LONG_AGO)
    assert list(archive.iterdir()) == []


def test_heads_that_were_left_go_and_those_of_another_journal_stay(old: Place) -> None:
    """Somebody may have moved that journal away by hand, and may want them."""
    archive = old.state / ARCHIVE
    archive.mkdir()
    with JournalReader(old.state) as reader:
        own = reader.identity.hex()
    for identity in (own, "00" * 16):
        (archive / f"journal-{identity}-{1:012d}-{2:012d}.heads.jsonl").touch()
    closes(old, LONG_AGO)
    assert [file.name[:11] for file in archive.iterdir()] == ["journal-000"]


def test_a_closing_whose_end_fails_is_not_denied(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    error = OSError(28, "No space left on device")
    mocker.patch("controller.upkeep.successor.shorten", side_effect=error)
    caplog.set_level("INFO")
    assert len(closes(old)) == 1
    assert "the journal was closed as " in caplog.text
    assert "is not:" not in caplog.text
    assert "not tidied up behind it: [Errno 28]" in caplog.text
    well(old.state)


def test_a_service_that_may_give_no_file_away_closes_its_journal(
    old: Place, mocker: MockerFixture
) -> None:
    """Its unit filters the calls, for itself as well; found on a plain machine."""
    mocker.patch("os.geteuid", return_value=1000)
    for call in ("os.chown", "os.fchown", "os.lchown"):
        mocker.patch(call, side_effect=PermissionError(1, "Operation not permitted"))
    assert len(closes(old)) == 1
    well(old.state)


def test_what_people_were_shown_and_answered_goes_on_with_it(old: Place) -> None:
    """The closed file may be taken away; a command is not carried out again for that."""
    seen: list[dict[str, object]] = []

    async def scenario(wall: datetime) -> None:
        async with awake(old, outside(wall)) as runtime:
            for command in ("open", "undo"):
                request = Request(1, "dealer", command, key=command)
                seen.append(dict(await runtime.handler.command(request, DEALER)))
            seen.append({"at": (await runtime.handler.status())["at"]})

    asyncio.run(scenario(LONG_AGO))
    (file,) = closes(old)
    file.unlink()
    asyncio.run(scenario(NOW))
    assert seen[3:] == [*({**one, "again": True} for one in seen[:2]), seen[2]]
