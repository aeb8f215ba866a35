"""The copier, step by step: what it does, and what it tells of."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from controller.forms.json_values import checked
from controller.journal.schema import FILE_NAME
from controller.upkeep.copier import POLL_S, RETRY_S
from controller.upkeep.second_copy import SLICE
from tests.daemon.journaling.copied import bench, end
from tests.journal.helpers import check, forging


def test_the_copy_is_kept_in_step(tmp_path: Path) -> None:
    with bench(tmp_path, 2 * SLICE + 5) as table:
        assert [table.copier.step() for _ in range(4)] == [0.0, 0.0, POLL_S, POLL_S]
        assert table.copier.facts["last"] == table.journal.head.seq
        table.play(3)
        assert table.copier.behind() is None
        assert table.copier.step() == POLL_S
        assert table.copier.facts["last"] == table.journal.head.seq
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
        assert "something stands there already" in what
        facts: dict[str, Any] = table.copier.facts
        assert facts["fault"] == f"copy-failing: {what}"
        table.copy.unlink()
        assert table.copier.step() == POLL_S
        assert table.told[1:] == [("copy-failing", "the copy is level again", False)]
        assert facts["fault"] is None
        assert facts["last"] == 3


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


def test_a_copy_that_hangs_while_the_table_plays_is_said_once(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copier.report_if_hung(0)
        assert table.told == []  # it is at rest

        def last() -> int:
            table.copier.report_if_hung()
            assert table.told == []  # it is not long since it began
            table.copier.report_if_hung(0)
            table.copier.report_if_hung(0)
            return 3

        table.copier._last = last
        assert table.copier.step() == POLL_S
        assert table.told == [
            ("copy-failing", "its medium does not answer", True),
            ("copy-failing", "the copy is level again", False),
        ]


def test_a_damaged_copy_is_said_and_play_goes_on(tmp_path: Path) -> None:
    with bench(tmp_path, 3) as table:
        table.copy.mkdir()
        (table.copy / FILE_NAME).write_bytes(b"this is no database" * 100)
        assert table.copier.step() == RETRY_S
        assert table.told[0][0] == "copy-failing"
        assert "it is damaged: " in table.told[0][1]
        (table.copy / FILE_NAME).unlink()  # another medium is put in
        assert table.copier.step() == POLL_S
        assert table.copier.facts["last"] == 3


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
        assert table.copier.facts["last"] == 10  # the stop has the last entries copied too
    assert check(tmp_path / "copy").last_seq == 10


def test_a_stop_does_not_wait_for_a_copy_that_is_far_behind(tmp_path: Path) -> None:
    with bench(tmp_path, 20 * SLICE) as table:
        table.copier.start()
        end(table.copier)
        assert checked(int, table.copier.facts["last"] or 0) < table.journal.head.seq
        end(table.copier, 10)  # what was left is the next start's
