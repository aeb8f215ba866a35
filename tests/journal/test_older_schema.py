"""Files of every schema that there ever was: read, verified, exported and archived as they are."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from controller.evidence.checks.examine import examine
from controller.evidence.checks.scrub import Walk
from controller.evidence.checks.stats import collect
from controller.evidence.checks.verify import verify
from controller.journal.errors import DamagedJournal
from controller.journal.export import lines
from controller.journal.line import ARCHIVE, line_of
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME, MIGRATIONS, SIGNED_SINCE
from controller.upkeep.recover import recover
from tests.journal.helpers import (
    KEY,
    WALL,
    as_version,
    card,
    check,
    faults,
    forging,
    opened,
    raw,
    sample,
    write,
)
from tests.upkeep.archives import closed
from tests.upkeep.test_recover import damage

VERSIONS = range(1, SIGNED_SINCE + 1)
PUBLISHED = (
    "66969b9e63f340e3",
    "bc43c8860253d604",
)


def test_what_tables_have_run_is_never_changed() -> None:
    found = ("\n".join(statements) for statements in MIGRATIONS[: len(PUBLISHED)])
    assert tuple(sha256(text.encode()).hexdigest()[:16] for text in found) == PUBLISHED


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_read_as_it_is(tmp_path: Path, version: int) -> None:
    written = sample(tmp_path / "new")
    older = as_version(version, tmp_path / "new", tmp_path / "older")
    before = (older / FILE_NAME).read_bytes()
    with JournalReader(older) as reader, JournalReader(tmp_path / "new") as new:
        assert list(reader.iterate()) == list(written)
        assert (reader.head, reader.predecessor) == (new.head, None)
        assert verify(reader) == verify(new)
        assert list(lines(reader)) == list(lines(new))
        assert collect(reader).by_type == collect(new).by_type
        assert list(reader.snapshots()) == []
        last = reader.last_of_type("draw")
        assert last is not None
        assert last.seq == 10
    assert examine(older, [KEY.public]).well
    assert sorted(path.name for path in older.iterdir()) == [FILE_NAME]
    assert (older / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize("version", VERSIONS)
def test_what_was_changed_in_it_is_found(tmp_path: Path, version: int) -> None:
    sample(tmp_path / "new")
    older = as_version(version, tmp_path / "new", tmp_path / "older")
    with forging(older) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
        connection.execute("DROP INDEX entry_draw")
    assert [seq for seq, _ in faults(older)] == [4, None, None]  # the index, and the page it left


def walked(directory: Path) -> int:
    with JournalReader(directory) as reader:
        walk = Walk(reader)
        while not walk.done:
            walk.step()
        return walk.seq


@pytest.mark.parametrize("version", VERSIONS)
def test_the_scrubber_takes_it_as_it_is(tmp_path: Path, version: int) -> None:
    """A copy to which no writer has come yet, because its medium hangs, is not damaged by that."""
    sample(tmp_path / "new")
    older = as_version(version, tmp_path / "new", tmp_path / "older")
    assert walked(older) == 10
    with raw(older) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(DamagedJournal, match="'mine' not as a controller makes it"):
        walked(older)


@pytest.mark.parametrize(("claimed", "real"), [*pairwise(VERSIONS), *pairwise(reversed(VERSIONS))])
def test_a_file_that_claims_another_version_is_found(
    tmp_path: Path, claimed: int, real: int
) -> None:
    sample(tmp_path / "new")
    older = as_version(real, tmp_path / "new", tmp_path / "older")
    with raw(older) as connection:
        connection.execute(f"PRAGMA user_version = {claimed}")
    assert not check(older).well


def test_it_goes_to_the_archive_and_stays_readable_there(tmp_path: Path) -> None:
    sample(tmp_path / "new")
    state = as_version(1, tmp_path / "new", tmp_path / "state")
    archive = state / ARCHIVE
    first = closed(state)
    write(state, card(7), card(8), boot_id="boot-four")
    second = closed(state)
    with JournalReader(state) as reader:
        assert line_of(reader, archive) == ([first, second], "")
    with JournalReader(archive, first.name) as reader:
        assert reader.connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert verify(reader).well


def test_a_copy_of_an_older_version_recovers_a_journal(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    copy = as_version(1, tmp_path / "state", tmp_path / "copy")
    damage(tmp_path / "state", 4)
    assert recover(tmp_path / "state", copy, [KEY.public]).last_seq == 10
    assert check(tmp_path / "state").well
    with opened(tmp_path / "state", boot_id="boot-three") as journal:
        assert journal.append([card(7)], 1, "")[0].seq == 11


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    sample(tmp_path / "new")
    as_version(1, tmp_path / "new", tmp_path / "old")
    with opened(tmp_path / "old", boot_id="boot-two") as journal:
        assert list(journal.snapshots()) == []
        journal.append([Draft("snapshot", {})], 1_000, WALL)
        assert list(journal.snapshots()) == [11]
    assert check(tmp_path / "old").well
