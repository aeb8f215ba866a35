"""The write-ahead log before SQLite sees it: what is a torn tail, and what was damaged."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from struct import unpack_from

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from controller.journal import opening
from controller.journal.errors import DamagedJournal
from controller.journal.log_check import FRAME, HEADER, Sums, check_log
from controller.journal.opening import LONG_LOG_BYTES, PAGE_BYTES
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.upkeep.second_copy import JournalCopy
from tests.journal.helpers import SESSION, WALL, card, check, entry, moved_whole, opened

LOG = FILE_NAME + "-wal"
FRAME_BYTES = FRAME.size + PAGE_BYTES


def as_it_lay(folder: Path, *, cards: int = 12, checkpoint_after: int = 0) -> Path:
    """The files of a journal whose process was killed."""
    live, left = folder / "live", folder / "left"
    left.mkdir()
    with opened(live, boot_id="boot") as journal:
        for number in range(1, cards + 1):
            journal.append([card(number)], number, WALL)
            if number == checkpoint_after:
                journal.checkpoint()
        for name in (FILE_NAME, LOG):
            shutil.copy(live / name, left)
    return left


def frames(left: Path) -> int:
    return ((left / LOG).stat().st_size - HEADER.size) // FRAME_BYTES


def change(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        old = file.read(1)
        file.seek(at)
        file.write(bytes([old[0] ^ 0x10]))


def start_of(frame: int) -> int:
    """Where a frame begins, counted from 1."""
    return HEADER.size + (frame - 1) * FRAME_BYTES


def test_a_log_as_a_killed_process_leaves_it_is_well(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path)
    check_log(left / FILE_NAME)
    with opened(left, boot_id="boot") as journal:
        assert len(list(journal.iterate())) == 12


def test_a_log_that_was_begun_anew_keeps_frames_of_the_old_one(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path, checkpoint_after=9)
    check_log(left / FILE_NAME)
    assert check(left).entries == 12


@pytest.mark.parametrize("cut", [1, 20, FRAME_BYTES, FRAME_BYTES + 5])
def test_a_torn_commit_is_no_damage(tmp_path: Path, cut: int) -> None:
    left = as_it_lay(tmp_path)
    os.truncate(left / LOG, (left / LOG).stat().st_size - cut)
    check_log(left / FILE_NAME)


def test_frames_of_a_torn_commit_may_come_in_any_order(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path)
    change(left / LOG, start_of(frames(left) - 1) + 100)  # the page before the one that commits
    check_log(left / FILE_NAME)
    with opened(left, boot_id="boot") as journal:
        assert journal.head.seq == 11


def torn(journal: Journal, into: Path, cards: int) -> None:
    """The journal's files after a power cut during a commit of that number of cards: the first
    frame that it wrote has not reached the disk, all others have."""
    stored = journal.stored("shoe", SESSION)
    drafts = [card(stored + number) for number in range(1, cards + 1)]
    torn_by(journal.path, into, lambda: journal.append(drafts, 1 << 41, WALL))


def torn_by(path: Path, into: Path, commit: Callable[[], object]) -> None:
    """The same of any journal's file and any commit."""
    into.mkdir()
    log = path.with_name(LOG)
    before = log.read_bytes()
    commit()
    for name in (FILE_NAME, LOG):
        shutil.copy(log.with_name(name), into)
    after = log.read_bytes()
    same = next(at for at in range(len(after)) if at >= len(before) or after[at] != before[at])
    frame = max(0, same - HEADER.size) // FRAME_BYTES
    change(into / LOG, HEADER.size + frame * FRAME_BYTES + 500)


def test_commits_torn_at_several_power_cuts_are_no_damage(tmp_path: Path) -> None:
    """What the first leaves behind the log's good end must not add up with what the second does."""
    with opened(tmp_path / "first", boot_id="one") as journal:
        journal.append([card(1)], 1, WALL)
        torn(journal, tmp_path / "second", 60)
    with opened(tmp_path / "second", boot_id="two") as journal:
        assert journal.head.seq == 1
        journal.append([entry("start")], 2, WALL)
        torn(journal, tmp_path / "third", 6)
    with opened(tmp_path / "third", boot_id="three") as journal:
        assert [found.type for found in journal.iterate()] == ["CARD", "entry"]


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Another program in the middle of reading the journal, from now on."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN")
        before = other.execute("SELECT count(*) FROM entry").fetchone()
        yield
        assert other.execute("SELECT count(*) FROM entry").fetchone() == before


def test_a_reader_at_the_start_does_not_have_torn_commits_add_up(tmp_path: Path) -> None:
    """It keeps the log from being begun anew, and what is written goes on behind its good end."""
    with opened(tmp_path / "first", boot_id="one") as journal:
        journal.append([card(1)], 1, WALL)
        torn(journal, tmp_path / "second", 60)
    with reading(tmp_path / "second"), opened(tmp_path / "second", boot_id="two") as journal:
        journal.append([entry("start")], 2, WALL)
        torn(journal, tmp_path / "third", 6)
        assert [found.type for found in journal.iterate()] == ["CARD", "entry"] + ["CARD"] * 6
    with opened(tmp_path / "third", boot_id="three") as journal:
        assert [found.type for found in journal.iterate()] == ["CARD", "entry"]
    assert check(tmp_path / "third").well


def test_the_first_commits_of_a_log_that_was_begun_anew_do_not_add_up(tmp_path: Path) -> None:
    """SQLite finds such a log to be empty, and begins it with the very salts that it had."""
    with opened(tmp_path / "first", boot_id="one") as journal:
        journal.append([card(1)], 1, WALL)
        assert moved_whole(journal)
        journal.append([card(2)], 2, WALL)
        assert moved_whole(journal)
        torn(journal, tmp_path / "second", 60)
    with opened(tmp_path / "second", boot_id="two") as journal:
        assert journal.head.seq == 2
        torn(journal, tmp_path / "third", 6)
    with opened(tmp_path / "third", boot_id="three") as journal:
        assert journal.head.seq == 2
        torn(journal, tmp_path / "fourth", 3)
    with opened(tmp_path / "fourth", boot_id="four") as journal:
        assert journal.head.seq == 2


def test_a_log_that_somebody_else_is_moving_is_cut_with_the_next_entry(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    with opened(tmp_path / "first", boot_id="one") as journal:
        journal.append([card(1)], 1, WALL)
        torn(journal, tmp_path / "second", 60)
    with reading(tmp_path / "second"), opened(tmp_path / "second", boot_id="two") as journal:
        left = journal.wal_bytes
        untold = [(-1, -1), mocker.DEFAULT]
        mocker.patch.object(opening, "checkpoint", wraps=opening.checkpoint, side_effect=untold)
        journal.append([entry("start")], 2, WALL)
        assert journal.wal_bytes == left
        journal.append([entry("open")], 3, WALL)
        assert journal.wal_bytes < left
        journal.append([entry("close")], 4, WALL)
    assert check(tmp_path / "second").well


def test_commits_of_a_copy_torn_at_several_power_cuts_are_no_damage(tmp_path: Path) -> None:
    with opened(tmp_path / "state", boot_id="one") as journal:
        journal.append([card(number) for number in range(1, 90)], 1, WALL)
        with JournalReader(tmp_path / "state") as reader:
            copy = JournalCopy(tmp_path / "first", reader)
            copy.copy_next(1)
            torn_by(copy.path, tmp_path / "second", partial(copy.copy_next, 60))
            copy.close()
            copy = JournalCopy(tmp_path / "second", reader)
            assert (copy.last, copy.copy_next(1)) == (1, 1)
            torn_by(copy.path, tmp_path / "third", partial(copy.copy_next, 6))
            copy.close()
            copy = JournalCopy(tmp_path / "third", reader)
            assert (copy.last, copy.copy_next()) == (2, 87)
            copy.close()


@pytest.mark.parametrize("within", [0, 5, 8, 12, 16, FRAME.size, FRAME.size + 500])
def test_a_frame_changed_before_the_last_commit_is_damage(tmp_path: Path, within: int) -> None:
    left = as_it_lay(tmp_path)
    before = (left / FILE_NAME).read_bytes()
    for frame in range(1, frames(left) - 3):
        change(left / LOG, start_of(frame) + within)
        with pytest.raises(DamagedJournal, match=r"frame .* of .*-wal do not fit"):
            opened(left, boot_id="boot")
        change(left / LOG, start_of(frame) + within)
    assert (left / FILE_NAME).read_bytes() == before
    assert sorted(path.name for path in left.iterdir()) == [FILE_NAME, LOG, "lock"]
    with opened(left, boot_id="boot") as journal:
        assert journal.head.seq == 12


def test_what_was_moved_into_the_file_was_no_torn_commit(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path, checkpoint_after=12)
    change(left / LOG, start_of(frames(left)) + FRAME.size + 7)
    with pytest.raises(DamagedJournal):
        check_log(left / FILE_NAME)


@pytest.mark.parametrize("at", range(HEADER.size))
def test_a_changed_header_is_damage_while_the_log_is_needed(tmp_path: Path, at: int) -> None:
    left = as_it_lay(tmp_path)
    change(left / LOG, at)
    with pytest.raises(DamagedJournal, match=r"the header of .*-wal was changed"):
        check_log(left / FILE_NAME)


def test_a_changed_header_is_none_once_all_is_in_the_file(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path, checkpoint_after=12)
    change(left / LOG, 20)
    check_log(left / FILE_NAME)
    assert check(left).entries == 12


def test_a_log_without_its_file_is_damage(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path)
    os.truncate(left / FILE_NAME, 0)
    with pytest.raises(DamagedJournal, match="gone or empty"):
        opened(left)
    (left / FILE_NAME).unlink()
    with pytest.raises(DamagedJournal, match="gone or empty"):
        opened(left)
    assert not (left / FILE_NAME).exists()


def test_a_file_that_was_cut_is_damage_where_the_log_does_not_have_the_rest(
    tmp_path: Path,
) -> None:
    left = as_it_lay(tmp_path, cards=40, checkpoint_after=36)
    length = (left / FILE_NAME).stat().st_size
    os.truncate(left / FILE_NAME, length - 3 * PAGE_BYTES)
    with pytest.raises(DamagedJournal, match="do not fit"):
        check_log(left / FILE_NAME)


def test_a_log_of_nothing_is_no_log(tmp_path: Path) -> None:
    left = as_it_lay(tmp_path, checkpoint_after=12)
    (left / LOG).write_bytes(bytes(5000))
    check_log(left / FILE_NAME)


def test_any_page_size_and_any_bytes(tmp_path: Path) -> None:
    """Whatever lies there, it is judged and not stumbled over."""
    random = Random(4)
    for length in (1, 31, 32, 33, 700, 5000):
        (tmp_path / LOG).write_bytes(random.randbytes(length))
        for head in (b"", b"x", b"SQLite format 3\0\x00\x00", b"SQLite format 3\0\x00\x01"):
            (tmp_path / FILE_NAME).write_bytes(head + random.randbytes(300 * bool(head)))
            with contextlib.suppress(DamagedJournal):
                check_log(tmp_path / FILE_NAME)


# ---- long logs --------------------------------------------------------------------------------


def long_log(folder: Path, size: int) -> Path:
    """As :func:`as_it_lay`, with a log that has not been moved into the file for long."""
    left = folder / "left"
    left.mkdir()
    text = "x" * (1 << 18)
    with opened(folder / "live", boot_id="boot") as journal:
        while journal.wal_bytes <= size:
            journal.append([entry(text)], journal.head.seq + 1, WALL)
        for name in (FILE_NAME, LOG):
            shutil.copy(folder / "live" / name, left)
    return left


def test_a_long_log_takes_little_memory(tmp_path: Path) -> None:
    left = long_log(tmp_path, 16 << 20)
    tracemalloc.start()
    try:
        check_log(left / FILE_NAME)
        assert tracemalloc.get_traced_memory()[1] < 6 << 20
        tracemalloc.reset_peak()
        change(left / LOG, 3)
        with pytest.raises(DamagedJournal, match="the header of"):
            check_log(left / FILE_NAME)
        assert tracemalloc.get_traced_memory()[1] < 6 << 20
    finally:
        tracemalloc.stop()


def test_damage_is_found_in_every_piece_of_a_long_log(tmp_path: Path) -> None:
    left = long_log(tmp_path, 3 << 20)
    for frame in range(1, frames(left) - 300, 97):
        change(left / LOG, start_of(frame) + FRAME.size + 11)
        with pytest.raises(DamagedJournal, match="do not fit"):
            check_log(left / FILE_NAME)
        change(left / LOG, start_of(frame) + FRAME.size + 11)
    check_log(left / FILE_NAME)


def test_a_start_tells_of_a_log_that_was_not_moved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    left = long_log(tmp_path, 1 << 20)
    with opened(left, boot_id="boot"):
        assert caplog.text == ""
    (tmp_path / "again").mkdir()
    left = long_log(tmp_path / "again", LONG_LOG_BYTES)
    with opened(left, boot_id="boot") as journal:
        assert journal.head.seq > 100
    assert "-wal has 34 MB, expected less than 1" in caplog.text


@given(st.data())
def test_sums_are_those_of_the_format(data: st.DataObject) -> None:
    """Against the two additions of the format's description, in both spellings."""
    big_endian, count = data.draw(st.booleans()), data.draw(st.integers(1, 4))
    words = data.draw(st.sampled_from([2, 6, 34, 128]))
    blocks = data.draw(st.binary(min_size=4 * words * count, max_size=4 * words * count))
    sums = Sums(4 * words, range(words), big_endian=big_endian)
    a = b = x = y = 0
    for number, own in enumerate(sums.by_block(blocks)):
        for at in range(4 * words * number, 4 * words * (number + 1), 8):
            first, second = unpack_from(">2I" if big_endian else "<2I", blocks, at)
            a = (a + first + b) & 0xFFFFFFFF
            b = (b + second + a) & 0xFFFFFFFF
        x, y = sums.after(own, x, y)
        assert (x, y) == (a, b)
