"""An index that does not fit the entries is found, whatever is wrong with it, by all who look."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.evidence.recorded import doubts_of, vouched
from controller.evidence.scrub import Walk, indexes, problems_of_pages
from controller.journal.errors import DamagedJournal
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from tests.journal.helpers import card, check, drawn, entry, write

INDEXES = ["entry_event", "entry_draw", "entry_mark"]
LAST = {"entry_event": card(9), "entry_draw": drawn(9), "entry_mark": Draft("start", {})}


def made_as(directory: Path, index: str, change: Callable[[str], str]) -> None:
    """The index is made by other SQL than the file says."""
    with closing(sqlite3.connect(directory / FILE_NAME, isolation_level=None)) as connection:
        [(sql,)] = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (index,))
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(f"DROP INDEX {index}")
        connection.execute(change(sql))
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, index))


def without_it(directory: Path, index: str, statement: str) -> None:
    """Something is done to the entries while the index is not kept."""
    path = directory / FILE_NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        row = connection.execute("SELECT * FROM sqlite_schema WHERE name = ?", (index,)).fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = ?", (index,))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", row)


def empty(sql: str) -> str:
    return sql.partition(" WHERE ")[0].partition("\n")[0] + " WHERE seq < 0"


def wider(sql: str) -> str:
    also = {"entry_event": "device IS NULL", "entry_draw": "type = 'entry'"}
    name = sql.partition(" ON ")[0].rpartition(" ")[2]
    return sql.replace("WHERE ", f"WHERE {also.get(name, 'seq > 0')} OR ")


def other_columns(sql: str) -> str:
    before, _, behind = sql.partition("(")
    return f"{before}(mono_ns{behind[behind.index(')') :]}"


DAMAGE: dict[str, Callable[[Path, str], None]] = {
    "has lost all entries": lambda place, index: made_as(place, index, empty),
    "has lost one entry": lambda place, index: without_it(
        place,
        index,
        "INSERT INTO entry SELECT seq + 1, boot, mono_ns + 1, wall, type, device, session, "
        "numbering, event_no + 1, t_ms, offer + 1, body, digest FROM entry "
        "ORDER BY seq DESC LIMIT 1",
    ),
    "has entries of other kinds": lambda place, index: made_as(place, index, wider),
    "has an entry that is gone": lambda place, index: without_it(
        place, index, "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)"
    ),
    "has them under other keys": lambda place, index: made_as(place, index, other_columns),
}


@pytest.mark.parametrize("index", INDEXES)
@pytest.mark.parametrize("damage", DAMAGE)
def test_an_index_that_does_not_fit_is_found(tmp_path: Path, index: str, damage: str) -> None:
    others = [LAST[name] for name in INDEXES if name != index]
    write(tmp_path, card(1), card(2), drawn(3), *others, entry("open"), LAST[index])
    assert check(tmp_path).well
    DAMAGE[damage](tmp_path, index)
    with JournalReader(tmp_path) as reader:
        assert any(index in line for line in problems_of_pages(reader.connection))
        walk = Walk(reader)
        with pytest.raises(DamagedJournal) as raised:
            walk.step()
    if damage != "has lost one entry":  # what was put there does not follow, which is found first
        assert index in raised.value.what
    found = [finding.what for finding in check(tmp_path).findings]
    assert any(index in what for what in found), found


def test_they_are_counted_in_more_pages_than_one(tmp_path: Path) -> None:
    write(tmp_path, *(card(number) for number in range(1, 400)))
    with JournalReader(tmp_path) as reader:
        by_name = {one.name: one for one in indexes(reader.connection)}
        assert by_name.keys() == set(INDEXES)
        assert by_name["entry_event"].stored(reader.connection) == 399
        assert by_name["entry_event"].wanted(reader.connection) == 399
        assert by_name["entry_draw"].stored(reader.connection) == 0


def test_between_two_pages_a_count_can_be_interrupted(tmp_path: Path) -> None:
    """A daemon that ends does not wait until the index of a year was read."""
    steps: list[int] = []
    for first in (1, 50):
        write(tmp_path, *(card(number) for number in range(first, 10 * first)))
        with JournalReader(tmp_path) as reader:
            [index] = [one for one in indexes(reader.connection) if one.name == "entry_event"]
            steps.append(0)

            def count() -> None:
                steps[-1] += 1

            reader.connection.set_progress_handler(count, 1)
            index.stored(reader.connection)
    assert steps[1] > steps[0]


def test_nothing_is_open_while_what_was_found_is_looked_at(tmp_path: Path) -> None:
    """Whoever takes only the first of it leaves no long read behind."""
    write(tmp_path, card(1), Draft("start", {}))
    made_as(tmp_path, "entry_mark", wider)
    with JournalReader(tmp_path) as reader:
        told = [reader.connection.in_transaction for _ in problems_of_pages(reader.connection)]
    assert told
    assert not any(told)


def test_what_starts_have_found_is_looked_for_beside_the_index(tmp_path: Path) -> None:
    """Whoever has the file can take a start record out of the index, and no digest covers that."""
    found = {"journal": "00" * 16, "seq": 1, "digest": "00" * 32, "row": None, "wrong": "cut"}
    record = Draft("start", {"found": {**found, "fault": "journal-cut"}})
    write(tmp_path, Draft("start", {}), record, Draft("start", {}))
    made_as(tmp_path, "entry_mark", lambda sql: f"{sql.replace('WHERE ', 'WHERE seq <> 2 AND (')})")
    with JournalReader(tmp_path) as reader:
        assert [one.seq for one in reader.starts()] == [3, 1]
        assert [one.seq for one in reader.starts(by_index=False)] == [3, 2, 1]
        assert vouched(reader, [], by_index=True).findings == []
        assert [one.seq for one in vouched(reader, []).findings] == [2]
        assert [one.seq for one in doubts_of(reader, []).findings] == [2]
