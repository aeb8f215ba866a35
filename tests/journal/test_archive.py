"""Archiving: one whole journal at every moment, and a line of files that prove each other."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.journal import schema
from controller.journal.archive import Heads, Moment, line_of, steps
from controller.journal.errors import CannotArchive, DamagedJournal
from controller.journal.keys import BoxKey
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.sealed import look
from controller.journal.store import Journal
from controller.journal.verify import verify
from tests.journal.helpers import (
    SESSION,
    WALL,
    as_version,
    card,
    check,
    drawn,
    forging,
    heads_of,
    sample,
    write,
)

MOMENT = Moment("boot-three", 5_000_000, WALL)
SNAPSHOT: dict[str, Any] = {"table": "as it is"}


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A state directory with a journal of ten entries, and an archive."""
    state, archive = tmp_path / "state", tmp_path / "archive"
    archive.mkdir()
    sample(state)
    return state, archive


def archived(state: Path, archive: Path) -> Path:
    return dict(going(state, archive))["copied"]


def going(state: Path, archive: Path, heads: Heads | None = None) -> Iterator[tuple[str, Path]]:
    return steps(state, archive, SNAPSHOT, MOMENT, heads or heads_of(state))


def line(state: Path, archive: Path) -> tuple[list[Path], str]:
    with JournalReader(state) as reader:
        return line_of(reader, archive)


def well(directory: Path, name: str = schema.FILE_NAME) -> bool:
    with JournalReader(directory, name) as reader:
        report = verify(reader)
        assert report.well, report.findings
        return report.well


def test_the_new_journal_goes_on_from_the_archived_one(places: tuple[Path, Path]) -> None:
    state, archive = places
    with JournalReader(state) as reader:
        before, identity, file = reader.head, reader.identity, reader.path.read_bytes()
    path = archived(state, archive)
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
    assert sorted(found.name for found in state.iterdir()) == ["journal.sqlite3", "lock"]


def test_numbers_events_and_boots_go_on(places: tuple[Path, Path]) -> None:
    state, archive = places
    archived(state, archive)
    with Journal(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 6
        assert journal.latest_stored() == {"shoe": (SESSION, 6)}
        [entry] = journal.append([card(7)], 6_000_000, WALL)
        assert (entry.seq, entry.boot, entry.numbering) == (12, 3, 0)
    with Journal(state, boot_id="boot-four") as journal:
        [entry] = journal.append([Draft("start", {})], 1, WALL)
        assert (entry.seq, entry.boot) == (13, 4)
        assert journal.stored("shoe", SESSION) == 7
        assert [found.seq for found in journal.iterate()] == [11, 12, 13]
    assert well(state)


def test_a_renumbered_session_stays_renumbered(places: tuple[Path, Path]) -> None:
    state, archive = places
    anew = Draft("link", {"up": True}, "shoe", SESSION, renumbered=True)
    write(state, anew, card(1), boot_id="boot-two")
    archived(state, archive)
    with Journal(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 1
        [entry] = journal.append([card(2)], 6_000_000, WALL)
        assert entry.numbering == 1
    assert well(state)


def test_an_event_that_the_archive_has_is_found_a_second_time(places: tuple[Path, Path]) -> None:
    """The writer would not take it; one that did is found by who verifies the new file alone."""
    state, archive = places
    archived(state, archive)
    with Journal(state, boot_id="boot-three") as journal:
        journal.append([card(6)], 6_000_000, WALL)
    assert [str(finding) for finding in check(state).findings] == [
        f"entry 12: is event 6 of shoe, session {SESSION}, but event 6 was stored before it"
    ]


def test_a_line_of_three(places: tuple[Path, Path]) -> None:
    state, archive = places
    first = archived(state, archive)
    write(state, card(7), drawn(9), boot_id="boot-four")
    second = archived(state, archive)
    write(state, card(8), boot_id="boot-five")
    assert line(state, archive) == ([first, second], "")
    assert second.name.endswith("-000000000011-000000000013.sqlite3")
    for path in (first, second):
        assert well(archive, path.name)
    with Journal(state, boot_id="boot-three") as journal:
        assert journal.stored("shoe", SESSION) == 8


# ---- cut off anywhere -------------------------------------------------------------------------


def one_whole_journal(state: Path, archive: Path) -> None:
    """The table can be started on exactly one journal, and nothing of what was stored is gone."""
    assert well(state)
    files, broken = line(state, archive)
    assert broken == ""
    held: list[int] = []
    for path in files:
        with JournalReader(archive, path.name) as reader:
            held += [entry.seq for entry in reader.iterate()]
    with JournalReader(state) as reader:
        held += [entry.seq for entry in reader.iterate()]
    assert held in (list(range(1, 11)), list(range(1, 12)))
    assert shown(state) == []


def shown(state: Path) -> list[tuple[str, str]]:
    """What a start finds with the signed heads; a key that no entry tells of is that of the box."""
    key = BoxKey(state.with_name(f"{state.name}-key")).public
    heads = state.with_name(f"{state.name}-heads.jsonl")
    with Journal(state, boot_id="boot-three") as journal:
        return list(look(journal, heads, key))


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
    left = 0

    def failing(real: Any) -> Any:
        def call(*arguments: Any, **more: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise OSError(5, "Input/output error")
            return real(*arguments, **more)

        return call

    mocker.patch("os.fsync", failing(os.fsync))
    mocker.patch("pathlib.Path.replace", failing(Path.replace))
    replaced = []
    for number in range(1, 14):
        state, archive = tmp_path / f"state{number}", tmp_path / f"archive{number}"
        archive.mkdir()
        sample(state)
        heads = heads_of(state)
        left = number
        with pytest.raises(OSError, match="Input/output error"):
            dict(going(state, archive, heads))
        left = 0
        one_whole_journal(state, archive)
        replaced.append(bool(line(state, archive)[0]))
        if not replaced[-1]:
            archived(state, archive)
        one_whole_journal(state, archive)
        assert sorted(path.suffix for path in archive.iterdir()) == [".jsonl", ".sqlite3"]
    assert replaced == [False] * 9 + [True] * 4
    sample(tmp_path / "state")
    heads = heads_of(tmp_path / "state")
    left = 14
    dict(going(tmp_path / "state", archive, heads))
    assert left == 1, "there is a call behind the last one that failed"


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


# ---- what is refused --------------------------------------------------------------------------


def test_a_journal_with_a_log_beside_it_is_not_archived(places: tuple[Path, Path]) -> None:
    state, archive = places
    with Journal(state, boot_id="boot-two"), pytest.raises(CannotArchive, match="was not stopped"):
        archived(state, archive)
    assert list(archive.iterdir()) == []


def test_a_journal_that_has_just_been_begun_is_not_archived(places: tuple[Path, Path]) -> None:
    state, archive = places
    archived(state, archive)
    with pytest.raises(CannotArchive, match="nothing to archive"):
        archived(state, archive)


def test_another_file_of_that_name_stays(places: tuple[Path, Path]) -> None:
    state, archive = places
    next(going(state, archive))
    [path] = archive.iterdir()
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(CannotArchive, match="another file"):
        archived(state, archive)
    one_whole_journal(state, archive)


def test_a_copy_that_is_not_what_was_written_is_noticed(
    places: tuple[Path, Path], mocker: MockerFixture
) -> None:
    state, archive = places
    mocker.patch("controller.journal.archive._digest_of", side_effect=(b"one", b"another"))
    with pytest.raises(CannotArchive, match="not what was written"):
        archived(state, archive)
    assert [path.suffix for path in archive.iterdir()] == [".partial"]


# ---- tampering --------------------------------------------------------------------------------


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
        archived(*places)
    finally:
        os.umask(before)
    assert open_to_others == []


def test_a_missing_predecessor_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = archived(state, archive)
    path.unlink()
    files, broken = line(state, archive)
    assert files == []
    assert "goes on from entry 10 of journal" in broken
    assert broken.endswith(f"which is not in {archive}")


def test_a_predecessor_with_another_end_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = archived(state, archive)
    path.chmod(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET digest = zeroblob(32) WHERE seq = 10")
    assert line(state, archive)[1].endswith("does not end with that entry")


def test_a_predecessor_that_cannot_be_read_is_named(places: tuple[Path, Path]) -> None:
    state, archive = places
    path = archived(state, archive)
    path.chmod(0o600)
    path.write_bytes(b"nothing")
    assert "cannot be read" in line(state, archive)[1]


@pytest.mark.parametrize("column", ["identity", "seq", "digest"])
def test_another_predecessor_breaks_the_chain(places: tuple[Path, Path], column: str) -> None:
    state, archive = places
    archived(state, archive)
    other = 9 if column == "seq" else bytes(16 if column == "identity" else 32)
    with forging(state) as connection:
        connection.execute(f"UPDATE predecessor SET {column} = ?", (other,))
    assert not check(state).well
    with pytest.raises(DamagedJournal), Journal(state, boot_id="boot-three") as journal:
        list(journal.iterate())


def test_an_entry_before_the_first_is_found(places: tuple[Path, Path]) -> None:
    state, archive = places
    archived(state, archive)
    with forging(state) as connection:
        connection.execute(
            "INSERT INTO entry SELECT 9, boot, mono_ns, wall, 'dealer', device, session, "
            "numbering, event_no, t_ms, offer, body, digest FROM entry"
        )
    assert "entry 9: stands before the first entry" in str(check(state).findings[0])
    with pytest.raises(DamagedJournal, match="its first entry is 9"):
        Journal(state, boot_id="boot-three")


# ---- older files, and how entries are found ---------------------------------------------------


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    sample(tmp_path / "new")
    as_version(1, tmp_path / "new", tmp_path / "old")
    with Journal(tmp_path / "old", boot_id="boot-two") as journal:
        assert list(journal.snapshots()) == []
        journal.append([Draft("snapshot", {})], 1_000, WALL)
        assert list(journal.snapshots()) == [11]
    assert well(tmp_path / "old")


PLANS = (
    ("SELECT seq FROM entry WHERE type = 'snapshot' AND seq < 9 ORDER BY seq DESC LIMIT 1", "mark"),
    ("SELECT min(device) FROM entry WHERE numbering IS NOT NULL AND device > 'a'", "event"),
    (
        """SELECT min(session) FROM entry WHERE numbering IS NOT NULL AND device = 'a'
        AND session > 1""",
        "event",
    ),
    (
        """SELECT numbering, event_no, seq FROM entry WHERE numbering IS NOT NULL AND device = 'a'
        AND session = 1 ORDER BY device DESC, session DESC, numbering DESC, event_no DESC
        LIMIT 1""",
        "event",
    ),
)


def test_a_start_asks_only_what_an_index_answers(tmp_path: Path, mocker: MockerFixture) -> None:
    """Every statement of an opening and a look for the last snapshot: none reads all entries, and
    none sorts."""
    sample(tmp_path)
    seen: list[str] = []
    real = sqlite3.connect

    def connect(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **more)
        connection.set_trace_callback(seen.append)
        return connection

    mocker.patch("sqlite3.connect", connect)
    with Journal(tmp_path, boot_id="boot-two") as journal:
        list(journal.snapshots())
        list(journal.iterate(8))
    mocker.stopall()
    asked = [text for text in seen if text.lstrip().startswith("SELECT") and "entry" in text]
    assert len(asked) > 5
    with closing(sqlite3.connect(tmp_path / schema.FILE_NAME)) as connection:
        for text in asked:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}")]
            ends = "LIMIT 1" in text or "min(seq)" in text
            scans = [step for step in plan if step.startswith("SCAN entry")]
            assert not any("TEMP B-TREE" in step for step in plan), (text, plan)
            assert not scans or ends, (text, plan)


@pytest.mark.parametrize(("query", "index"), PLANS)
def test_indexes_are_used(tmp_path: Path, query: str, index: str) -> None:
    sample(tmp_path)
    with closing(sqlite3.connect(tmp_path / schema.FILE_NAME)) as connection:
        [plan] = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
    assert plan.startswith("SEARCH entry USING")
    assert f"INDEX entry_{index}" in plan
