"""A journal that is closed on its own disk: one whole journal at every moment, nothing copied."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.recorded import found_in, vouched
from controller.evidence.tree import entries, growing
from controller.journal import schema
from controller.journal.errors import CannotArchive
from controller.journal.model import Draft
from controller.journal.reader import ARCHIVE, JournalReader, closed_files
from controller.upkeep.closure import tidy
from tests.journal.failing_disk import FailingDisk
from tests.journal.helpers import KEY, SESSION, card, heads_of, opened, sample, write
from tests.upkeep.archives import closed, going, one_whole_journal, well


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path / "state"
    sample(made)
    return made


def test_the_file_itself_is_put_aside_and_a_new_one_goes_on(state: Path) -> None:
    path = state / schema.FILE_NAME
    inode, content = path.stat().st_ino, path.read_bytes()
    file = closed(state)
    assert (file.stat().st_ino, file.read_bytes()) == (inode, content)
    assert file.stat().st_mode & 0o777 == 0o440
    assert file.stat().st_nlink == 1
    assert closed_files(state) == [file]
    assert path.stat().st_ino != inode
    with JournalReader(state) as reader:
        assert reader.predecessor is not None
        assert (reader.predecessor.seq, reader.head.seq) == (10, 11)
    write(state, card(7), boot_id="boot-four")
    assert well(file.parent, file.name)
    assert well(state)


def test_files_are_listed_in_the_order_of_their_entries(state: Path) -> None:
    first = closed(state)
    write(state, card(7), boot_id="boot-four")
    second = closed(state)
    assert closed_files(state) == [first, second]


@pytest.mark.parametrize("done", range(1, 7))
def test_cut_off_between_two_steps(state: Path, done: int) -> None:
    assert len(list(islice(going(state), done))) == done
    tidy(state)
    one_whole_journal(state, state / ARCHIVE)
    names = {file.suffix for file in (state / ARCHIVE).iterdir()}
    assert names == ({".sqlite3", ".jsonl"} if done >= 4 else set())
    with opened(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 6
    if done < 4:
        closed(state)
    one_whole_journal(state, state / ARCHIVE)


def test_cut_off_at_every_call_to_the_disk(tmp_path: Path, mocker: MockerFixture) -> None:
    disk = FailingDisk(mocker)
    number, replaced = 0, []
    while True:
        number += 1
        state = tmp_path / f"state{number}"
        sample(state)
        heads_of(state)
        disk.left = number
        try:
            closed(state)
        except (OSError, CannotArchive):
            disk.left = 0
        else:
            break
        tidy(state)
        one_whole_journal(state, state / ARCHIVE)
        replaced.append(bool(closed_files(state)))
        if not replaced[-1]:
            closed(state)
        one_whole_journal(state, state / ARCHIVE)
    assert number > 10
    assert replaced == sorted(replaced)


def test_a_second_name_of_the_journal_is_no_closed_file(state: Path) -> None:
    taken = dict(islice(going(state), 2))
    assert taken["named again"].stat().st_nlink == 2
    assert closed_files(state) == []
    tidy(state)
    assert not taken["named again"].exists()
    assert well(state)


def test_a_reader_goes_on_with_the_file_that_was_closed(state: Path) -> None:
    """The nightly verification has it open all the while: SQLite then leaves its log."""
    path = state / schema.FILE_NAME
    with opened(state, boot_id="boot-two") as journal:
        journal.append([card(7)], 100, "2026-11-21T00:00:00+00:00")
        reader = JournalReader(state)
        entries = reader.iterate()
        assert next(entries).seq == 1
    assert path.with_name(f"{path.name}-wal").exists()
    file = closed(state)
    assert not path.with_name(f"{path.name}-wal").exists()
    assert [entry.seq for entry in entries] == list(range(2, 12))
    write(state, card(8), boot_id="boot-two")
    assert [entry.seq for entry in reader.iterate()] == list(range(1, 12))
    reader.close()
    assert well(state)
    assert well(file.parent, file.name)
    with JournalReader(state) as newer:
        assert newer.head.seq == 13


def test_nothing_is_closed_under_somebody_in_the_middle_of_a_look(state: Path) -> None:
    with opened(state, boot_id="boot-two") as journal:
        journal.append([card(7)], 100, "2026-11-21T00:00:00+00:00")
        reader = sqlite3.connect(f"file:{state / schema.FILE_NAME}?mode=ro", uri=True)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()
        journal.append([card(8)], 101, "2026-11-21T00:00:00+00:00")
    with closing(reader), pytest.raises(CannotArchive, match="read by another program"):
        closed(state)
    assert closed_files(state) == []
    one = closed(state)
    assert well(one.parent, one.name)


def test_a_tree_that_was_lost_is_not_waited_for(state: Path, mocker: MockerFixture) -> None:
    """A start is ended by its manager after some minutes, and the next would begin again."""
    (state / entries.TREE_FILE).unlink(missing_ok=True)
    mocker.patch.object(growing, "AT_ONCE", 5)
    with pytest.raises(CannotArchive, match="grows beside play"):
        closed(state)
    assert well(state)
    mocker.stopall()
    assert well(closed(state).parent, closed_files(state)[0].name)


def test_where_there_are_no_hard_links_it_is_said(state: Path, mocker: MockerFixture) -> None:
    mocker.patch("os.link", side_effect=OSError(1, "Operation not permitted"))
    with pytest.raises(CannotArchive, match="where the file system knows hard links"):
        closed(state)
    assert well(state)


def test_tidying_leaves_what_is_not_ours(state: Path) -> None:
    file = closed(state)
    other = state / ARCHIVE / "note.txt"
    other.write_text("by hand")
    with JournalReader(state) as reader:
        name = f"journal-{reader.identity.hex()}-000000000001-000000000009.heads.jsonl"
    leftover = state / ARCHIVE / name
    leftover.write_text("")
    file.chmod(0o640)
    tidy(state)
    assert other.exists()
    assert not leftover.exists()
    assert file.stat().st_mode & 0o777 == 0o440


@pytest.mark.parametrize("fault", ["journal-not-signed", "journal-cut"])
def test_what_a_start_found_goes_along_whatever_was_resumed(state: Path, fault: str) -> None:
    found = {"journal": "00" * 16, "seq": 10, "digest": "00" * 32, "row": None, "wrong": "no row"}
    answer = {"by": "Sue", "why": "the inspector was told", "after": {"ended": [fault]}}
    start = Draft("start", {"found": {**found, "fault": fault}})
    write(state, start, Draft("supervisor", answer), boot_id="boot-three")
    closed(state)
    with JournalReader(state) as reader:
        [first] = reader.iterate()
        [told] = found_in(first)
        assert told == {**found, "fault": fault}
        assert vouched(reader, [KEY.public]).remarks == []
    write(state, card(7), boot_id="boot-four")
    closed(state)
    with JournalReader(state) as reader:
        assert [found_in(one) for one in reader.iterate()] == [[told]]
