"""Archiving that is cut off anywhere: one whole journal at every moment."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.journal.store import Journal
from tests.journal.archives import (
    archived,
    going,
    line,
    one_whole_journal,
)
from tests.journal.failing_disk import FailingDisk
from tests.journal.helpers import (
    SESSION,
    card,
    heads_of,
    sample,
    write,
)


@pytest.mark.parametrize("done", [1, 2, 3, 4, 5])
def test_cut_off_between_two_steps(places: tuple[Path, Path], done: int) -> None:
    state, archive = places
    taken = list(islice(going(state, archive), done))
    assert len(taken) == done
    one_whole_journal(state, archive)
    with Journal(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 6
    if done < 4:
        archived(state, archive)
    one_whole_journal(state, archive)
    assert sorted(path.suffix for path in archive.iterdir()) == [".jsonl", ".sqlite3"]


def test_cut_off_at_every_call_to_the_disk(tmp_path: Path, mocker: MockerFixture) -> None:
    """Each sync and each renaming fails once; behind it one whole journal is there, and archiving
    again ends well."""
    disk = FailingDisk(mocker)
    replaced = []
    for number in range(1, 14):
        state, archive = tmp_path / f"state{number}", tmp_path / f"archive{number}"
        archive.mkdir()
        sample(state)
        heads = heads_of(state)
        disk.left = number
        with pytest.raises(OSError, match="Input/output error"):
            dict(going(state, archive, heads))
        disk.left = 0
        one_whole_journal(state, archive)
        replaced.append(bool(line(state, archive)[0]))
        if not replaced[-1]:
            archived(state, archive)
        one_whole_journal(state, archive)
        assert sorted(path.suffix for path in archive.iterdir()) == [".jsonl", ".sqlite3"]
    assert replaced == [False] * 9 + [True] * 4
    sample(tmp_path / "state")
    heads = heads_of(tmp_path / "state")
    disk.left = 14
    dict(going(tmp_path / "state", archive, heads))
    assert disk.left == 1, "there is a call behind the last one that failed"


def test_a_copy_that_was_not_followed_by_a_new_journal_is_only_a_copy(
    places: tuple[Path, Path],
) -> None:
    state, archive = places
    next(going(state, archive))
    write(state, card(7), boot_id="boot-two")
    path = archived(state, archive)
    assert path.name.endswith("-000000000001-000000000011.sqlite3")
    assert len(list(archive.glob("*.sqlite3"))) == 2
    assert line(state, archive) == ([path], "")
