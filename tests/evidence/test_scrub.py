"""The walk over a whole journal: every entry, every index, and nothing held up meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.evidence.scrub import STEP, Walk
from controller.journal import commits, rows
from controller.journal.errors import DamagedJournal
from controller.journal.model import Draft, Head
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from tests.journal.helpers import (
    KEY,
    SESSION,
    WALL,
    card,
    check,
    drawn,
    forging,
    moved_whole,
    opened,
    raw,
    sample,
)
from tests.journal.test_signed import no_row, no_table, own_key, two_rows


def walked(directory: Path, end: Callable[[], Head] | None = None) -> int:
    """Walk to the end; how many steps it took."""
    steps = 0
    with JournalReader(directory) as reader:
        walk = Walk(reader, end)
        while not walk.done:
            walk.step()
            steps += 1
    return steps


def test_a_whole_journal_is_walked_over_beside_its_writer(tmp_path: Path) -> None:
    anew = Draft("link", {"up": True}, "shoe", SESSION, renumbered=True)
    first = [card(1), card(2), drawn(3), anew, card(1), Draft("start", {}), Draft("snapshot", {})]
    with opened(tmp_path, boot_id="boot") as journal:
        journal.append(first, 1, WALL)
        journal.append([card(n) for n in range(2, 3 * STEP)], 2, WALL)
        with JournalReader(tmp_path) as reader:
            walk = Walk(reader, lambda: journal.head)
            walk.step()
            assert walk.seq == STEP
            # Between two steps nothing is held: the log can be moved and begun anew.
            assert moved_whole(journal)
            journal.append([card(n) for n in range(3 * STEP, 4 * STEP)], 3, WALL)
            while not walk.done:
                walk.step()
            assert walk.seq == journal.head.seq
    assert walked(tmp_path) == 5


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE entry SET wall = 'x' WHERE seq = 3", "entry 3 was changed"),
        ("DELETE FROM entry WHERE seq = 4", "entry 4 is missing"),
        ("UPDATE entry SET digest = zeroblob(32) WHERE seq = 10", "entry 10 was changed"),
        ("UPDATE boot SET wall = 'then' WHERE boot = 2", "the beginning of boot 2 was changed"),
        ("UPDATE boot SET after_seq = 5 WHERE boot = 2", "the beginning of boot 2 was changed"),
    ],
)
def test_what_was_changed_is_found(tmp_path: Path, statement: str, told: str) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        connection.execute(statement)
    with pytest.raises(DamagedJournal) as raised:
        walked(tmp_path)
    assert raised.value.what.partition(",")[0] == told


@pytest.mark.parametrize(
    ("sql", "instead"),
    [
        (b"CREATE TRIGGER entry_no_update", b"CREATE TRIGGXR entry_no_update"),
        (b"entry_drawentry", b"entry_dra\xffentry"),  # a name that is no text
    ],
)
def test_a_schema_that_sqlite_cannot_read_is_damage(
    tmp_path: Path, sql: bytes, instead: bytes
) -> None:
    sample(tmp_path)
    path = tmp_path / FILE_NAME
    assert path.read_bytes().count(sql) == 1
    path.write_bytes(path.read_bytes().replace(sql, instead))
    with pytest.raises(DamagedJournal) as raised:
        walked(tmp_path)
    assert "cannot be read" in raised.value.what
    assert not check(tmp_path).well


def test_an_end_that_is_not_the_writers_is_found(tmp_path: Path) -> None:
    written = sample(tmp_path)
    assert walked(tmp_path, lambda: Head(10, written[-1].digest)) == 1
    for head in (Head(10, written[-2].digest), Head(11, written[-1].digest)):
        with pytest.raises(DamagedJournal, match="made durable by this process"):
            walked(tmp_path, lambda head=head: head)  # type: ignore[misc]


def test_pages_that_belong_to_nothing_are_found(tmp_path: Path) -> None:
    """The start does not look for them: they do no harm to what is read."""
    sample(tmp_path)
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    content[28:32] = (len(content) // 1024 + 1).to_bytes(4, "big")
    path.write_bytes(content + bytes(1024))
    with opened(tmp_path, boot_id="boot-two") as journal:
        assert len(list(journal.iterate())) == 10
    with pytest.raises(DamagedJournal, match="never used"):
        walked(tmp_path)


def earlier_row(connection: sqlite3.Connection) -> None:
    """That of an earlier commit, genuine."""
    digest = connection.execute("SELECT digest FROM entry WHERE seq = 3").fetchone()[0]
    commits.store_signature(connection, KEY, rows.identity(connection), (3, digest), WALL)


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (None, ""),
        (earlier_row, "entries 4 to 10 are covered by no signature"),
        (own_key, "is not signed with a key that is known here"),
        (no_row, "it has no signed row"),
        (no_table, "the table of it is not there"),
        (two_rows, "the table of it is not as a controller makes it"),
    ],
)
def test_a_row_that_was_exchanged_under_a_running_table_is_found(
    tmp_path: Path, forge: Callable[[sqlite3.Connection], object] | None, told: str
) -> None:
    sample(tmp_path)
    with raw(tmp_path) as connection:
        if forge:
            forge(connection)
    with JournalReader(tmp_path) as reader:
        walk = Walk(reader, lambda: reader.head, [KEY.public])
        if not told:
            walk.step()
            return
        with pytest.raises(DamagedJournal) as found:
            walk.step()
    assert told in found.value.what
