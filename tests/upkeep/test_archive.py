"""Closed journals: a line of files that prove each other, and copies of them."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.journal.errors import CannotArchive, DamagedJournal
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.upkeep.closure import copy_compared
from tests.journal.helpers import SESSION, WALL, card, check, drawn, forging, opened, write
from tests.upkeep.archives import closed, line, well


def test_the_new_journal_goes_on_from_the_archived_one(places: tuple[Path, Path]) -> None:
    state, archive = places
    with JournalReader(state) as reader:
        before, identity, file = reader.head, reader.identity, reader.path.read_bytes()
    path = closed(state)
    assert path.name == f"journal-{identity.hex()}-000000000001-000000000010.sqlite3"
    assert path.read_bytes() == file
    assert path.stat().st_mode & 0o777 == 0o440
    assert well(state)
    assert well(archive, path.name)
    with JournalReader(state) as reader:
        [first] = reader.iterate()
        assert (first.seq, first.type, first.body["table"]) == (11, "snapshot", "as it is")
        named = reader.predecessor
        assert named is not None
        assert (named.identity, named.seq, named.digest) == (identity, before.seq, before.digest)
        assert [boot.boot for boot in reader.boots] == [1, 2, 3]
    assert line(state, archive) == ([path], "")
    assert sorted(found.name for found in state.iterdir()) == [
        "archive",
        "journal.sqlite3",
        "journal.tree",
        "lock",
    ]


def test_numbers_events_and_boots_go_on(places: tuple[Path, Path]) -> None:
    state, _ = places
    closed(state)
    with opened(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 6
        assert journal.latest_stored() == {"shoe": (SESSION, 6)}
        [entry] = journal.append([card(7)], 6_000_000, WALL)
        assert (entry.seq, entry.boot, entry.numbering) == (12, 3, 0)
    with opened(state, boot_id="boot-four") as journal:
        [entry] = journal.append([Draft("start", {})], 1, WALL)
        assert (entry.seq, entry.boot) == (13, 4)
        assert journal.stored("shoe", SESSION) == 7
        assert [found.seq for found in journal.iterate()] == [11, 12, 13]
    assert well(state)


def test_a_renumbered_session_stays_renumbered(places: tuple[Path, Path]) -> None:
    state, _ = places
    anew = Draft("link", {"up": True}, "shoe", SESSION, renumbered=True)
    write(state, anew, card(1), boot_id="boot-two")
    closed(state)
    with opened(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 1
        [entry] = journal.append([card(2)], 6_000_000, WALL)
        assert entry.numbering == 1
    assert well(state)


def test_an_event_that_the_archive_has_is_found_a_second_time(places: tuple[Path, Path]) -> None:
    """The writer would not take it; one that did is found by who verifies the new file alone."""
    state, _ = places
    closed(state)
    with opened(state, boot_id="boot-three") as journal:
        journal.append([card(6)], 6_000_000, WALL)
    assert [str(finding) for finding in check(state).findings] == [
        f"entry 12: is event 6 of shoe, session {SESSION}, but event 6 was stored before it"
    ]


def test_a_line_of_three(places: tuple[Path, Path]) -> None:
    state, archive = places
    first = closed(state)
    write(state, card(7), drawn(9), boot_id="boot-four")
    second = closed(state)
    write(state, card(8), boot_id="boot-five")
    assert line(state, archive) == ([first, second], "")
    assert second.name.endswith("-000000000011-000000000013.sqlite3")
    for path in (first, second):
        assert well(archive, path.name)
    with opened(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 8


# ---- what is refused ----------------------------------------------------------------------------


def test_a_journal_that_has_just_been_begun_is_not_archived(places: tuple[Path, Path]) -> None:
    state, _ = places
    closed(state)
    with pytest.raises(CannotArchive, match="nothing to archive"):
        closed(state)


def test_another_file_of_that_name_stays(places: tuple[Path, Path], tmp_path: Path) -> None:
    path, there = closed(places[0]), tmp_path / "there.sqlite3"
    content = path.read_bytes()
    there.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(CannotArchive, match="another file"):
        copy_compared(path, there)


def test_a_copy_that_is_not_what_was_written_is_noticed(
    places: tuple[Path, Path], tmp_path: Path, mocker: MockerFixture
) -> None:
    path = closed(places[0])
    mocker.patch("controller.upkeep.closure.digest_of", side_effect=(b"one", b"another"))
    with pytest.raises(CannotArchive, match="not what was written"):
        copy_compared(path, tmp_path / "there.sqlite3")
    assert [found.suffix for found in tmp_path.glob("there*")] == [".partial"]


def test_no_file_is_open_to_others_while_it_is_made(
    places: tuple[Path, Path], mocker: MockerFixture
) -> None:
    """Whatever the umask of who gave the command."""
    open_to_others: list[int] = []
    really = os.fsync

    def look(fd: int) -> None:
        mode = os.fstat(fd).st_mode
        open_to_others.extend([mode] if stat.S_ISREG(mode) and mode & 0o007 else [])
        really(fd)

    mocker.patch("os.fsync", look)
    before = os.umask(0)
    try:
        closed(places[0])
    finally:
        os.umask(before)
    assert open_to_others == []


# ---- tampering ----------------------------------------------------------------------------------


def test_a_missing_predecessor_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = closed(state)
    path.unlink()
    files, broken = line(state, archive)
    assert files == []
    assert "goes on from entry 10 of journal" in broken
    assert broken.endswith(f"which is not in {archive}")


def test_a_predecessor_with_another_end_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = closed(state)
    path.chmod(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET digest = zeroblob(32) WHERE seq = 10")
    assert line(state, archive)[1].endswith("does not end with that entry")


def test_a_predecessor_that_cannot_be_read_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = closed(state)
    path.chmod(0o600)
    path.write_bytes(b"nothing")
    assert "cannot be read" in line(state, archive)[1]


@pytest.mark.parametrize("column", ["identity", "seq", "digest"])
def test_another_predecessor_breaks_the_chain(places: tuple[Path, Path], column: str) -> None:
    state, _ = places
    closed(state)
    other = 9 if column == "seq" else bytes(16 if column == "identity" else 32)
    with forging(state) as connection:
        connection.execute(f"UPDATE predecessor SET {column} = ?", (other,))
    assert not check(state).well
    with pytest.raises(DamagedJournal), opened(state, boot_id="boot-three") as journal:
        list(journal.iterate())


def test_an_entry_before_the_first_is_found(places: tuple[Path, Path]) -> None:
    state, _ = places
    closed(state)
    with forging(state) as connection:
        connection.execute(
            "INSERT INTO entry SELECT 9, boot, mono_ns, wall, 'dealer', device, session, "
            "numbering, event_no, t_ms, offer, body, digest FROM entry"
        )
    assert "entry 9: stands before the first entry" in str(check(state).findings[0])
    with pytest.raises(DamagedJournal, match="its first entry is 9"):
        opened(state, boot_id="boot-three")
