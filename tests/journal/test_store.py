"""Writing: order, chain, what the database refuses, and what a dead writer leaves."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.journal import schema
from controller.journal.canonical import canonical, columns, digest
from controller.journal.errors import AlreadyStored, BadDraft, CommitFailed
from controller.journal.model import Draft, Head
from controller.journal.opening import PAGE_BYTES
from tests.journal.helpers import (
    SESSION,
    WALL,
    card,
    check,
    drawn,
    entry,
    opened,
    raw,
    sample,
    write,
)


def test_entries_come_back_as_they_were_written(tmp_path: Path) -> None:
    written = sample(tmp_path)
    with opened(tmp_path, boot_id="boot-two") as journal:
        assert list(journal.iterate()) == written
        assert list(journal.iterate(after=3, upto=5)) == written[3:5]
        assert journal.head == Head(10, written[-1].digest)
        assert [(boot.boot, boot.boot_id, boot.after_seq) for boot in journal.boots] == [
            (1, "boot-one", 0),
            (2, "boot-two", 6),
        ]
        assert journal.last_of_type("entry") == written[8]
        assert journal.last_of_type("open") is None
    assert [found.seq for found in written] == list(range(1, 11))
    assert [found.boot for found in written] == [1] * 6 + [2] * 4


def test_the_chain_is_as_documented(tmp_path: Path) -> None:
    first, second = write(tmp_path, card(1), drawn(7))
    text = columns(2, 1, "boot-one", 2, WALL, "draw", None, None, None, None, None, 7)
    assert text == f'[2,1,"boot-one",2,"{WALL}","draw",null,null,null,null,null,7]'
    assert second.digest == digest(first.digest, text, canonical(second.body))


def test_a_batch_is_one_transaction(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        assert journal.append([], 1, WALL) == ()
        batch = journal.append([card(1), card(2), entry("close")], 1, WALL)
        assert [found.seq for found in batch] == [1, 2, 3]
        with pytest.raises(AlreadyStored):
            journal.append([entry("next"), card(2)], 2, WALL)
        assert journal.head.seq == 3
    with opened(tmp_path) as journal:
        assert [found.type for found in journal.iterate()] == ["CARD", "CARD", "entry"]


def test_opening_empty_gives_a_head_that_no_other_journal_has(tmp_path: Path) -> None:
    heads = []
    for name in ("a", "b"):
        with opened(tmp_path / name) as journal:
            heads.append(journal.head)
    assert [head.seq for head in heads] == [0, 0]
    assert heads[0].digest != heads[1].digest


def test_durability_is_set_on_the_connection(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        ask = journal.connection.execute
        assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ask("PRAGMA synchronous").fetchone() == (2,)
        assert ask("PRAGMA wal_autocheckpoint").fetchone() == (0,)
        assert ask("PRAGMA page_size").fetchone() == (PAGE_BYTES,)


def test_a_checkpoint_moves_the_log_and_the_next_commit_begins_it_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        for number in range(1, 50):
            journal.append([card(number)], number, WALL)
        grown = journal.wal_bytes
        log, moved = journal.checkpoint()
        assert log == moved > 0
        for number in range(50, 60):
            journal.append([card(number)], number, WALL)
        assert journal.wal_bytes == grown


@pytest.mark.parametrize("draft", [card(2), drawn(7)])
def test_the_database_itself_refuses_a_second_card_or_draw(tmp_path: Path, draft: Draft) -> None:
    write(tmp_path, card(1), card(2), drawn(7))
    with opened(tmp_path) as journal:
        with pytest.raises(AlreadyStored, match=r"entry 4 .* is stored already") as refused:
            journal.append([draft], 9, WALL)
        assert isinstance(refused.value, CommitFailed)
        # Never tried again: the process is to end.
        with pytest.raises(CommitFailed, match="is stored already"):
            journal.append([entry("next")], 10, WALL)
    assert check(tmp_path).well


def test_events_of_other_devices_and_sessions_have_numbers_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, card(1), card(1, device="spare"), card(1, session=5), card(2, session=5))
    with opened(tmp_path) as journal:
        assert journal.latest_stored() == {"shoe": (5, 2), "spare": (SESSION, 1)}
        assert journal.stored("shoe", SESSION) == 1
        assert journal.stored("shoe", 5) == 2
        assert journal.stored("shoe", 6) == 0
        # A shoe that comes back with the session it left with goes on where it was.
        journal.append([card(2)], 9, WALL)
        assert journal.latest_stored()["shoe"] == (SESSION, 2)
        with pytest.raises(AlreadyStored):
            journal.append([card(1)], 10, WALL)


def test_a_session_numbered_anew_is_not_blocked(tmp_path: Path) -> None:
    anew = Draft("link_up", {"last_event": 1}, "shoe", SESSION, renumbered=True)
    with opened(tmp_path) as journal:
        journal.append([card(1), card(2), card(3)], 1, WALL)
        journal.append([anew, card(1)], 2, WALL)
        assert journal.latest_stored() == {"shoe": (SESSION, 1)}
    with opened(tmp_path) as journal:
        assert journal.latest_stored() == {"shoe": (SESSION, 1)}
        assert journal.append([card(2)], 3, WALL)[0].numbering == 1
        journal.append([anew], 4, WALL)
        assert journal.latest_stored() == {"shoe": (SESSION, 0)}
        assert journal.append([anew, card(1)], 5, WALL)[1].numbering == 3
        assert [found.draft for found in journal.iterate(after=6)] == [anew, anew, card(1)]
    assert check(tmp_path).well


def test_what_cannot_be_stored_as_a_number_fails_the_batch_as_a_whole(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        with pytest.raises(CommitFailed, match="entries 1 to 2"):
            journal.append([entry("open"), drawn(1 << 70)], 1, WALL)
        assert not journal.connection.in_transaction


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"type": ""}, "needs a type"),
        ({"type": "draw"}, "a draw has an offer"),
        ({"type": "CARD", "offer": 7}, "only a draw"),
        ({"type": "CARD", "event_no": 1, "device": "shoe", "session": 1}, "t_ms"),
        ({"type": "CARD", "event_no": 1, "session": 1, "t_ms": 1}, "device"),
        ({"type": "link_up", "renumbered": True, "device": "shoe"}, "the session"),
    ],
)
def test_contradictions_are_refused_before_anything_is_written(
    fields: dict[str, object], said: str
) -> None:
    with pytest.raises(BadDraft, match=said):
        Draft(body={}, **fields)  # type: ignore[arg-type]


def test_a_body_that_cannot_be_written_leaves_the_journal_usable(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        with pytest.raises(BadDraft, match=r"stake.*binary fraction"):
            journal.append([Draft("entry", {"stake": 2.5})], 1, WALL)
        assert journal.append([entry("open")], 1, WALL)[0].seq == 1


def test_the_commit_thread_may_take_the_journal_over(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append([entry("start")], 1, WALL)
        thread = threading.Thread(target=journal.append, args=([card(1)], 2, WALL))
        thread.start()
        thread.join()
        assert journal.head.seq == 2


def test_a_full_disk_ends_it(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append([entry("open")], 1, WALL)
        pages = journal.connection.execute("PRAGMA page_count").fetchone()[0]
        journal.connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        with pytest.raises(CommitFailed, match="full"):
            journal.append([Draft("rules", {"text": "x" * 100_000})], 2, WALL)
        with pytest.raises(CommitFailed, match="full"):
            journal.append([entry("next")], 3, WALL)
    with opened(tmp_path) as journal:
        assert journal.head.seq == 1


class Failing:
    """A connection to a disk that fails whatever is asked of it, in a transaction."""

    in_transaction = True

    def execute(self, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
            raise error

    executemany = execute

    def rollback(self) -> None:
        raise sqlite3.OperationalError("disk I/O error, again")


def test_a_disk_that_fails_at_the_rollback_too_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a failed commit: the process then rests, and is started again."""
    with opened(tmp_path) as journal:
        journal.append([entry("open")], 1, WALL)
        with monkeypatch.context() as disk:
            disk.setattr(journal, "connection", Failing())
            with pytest.raises(CommitFailed, match="disk I/O error; its disk"):
                journal.append([card(1), card(2)], 2, WALL)
        with pytest.raises(CommitFailed, match="disk I/O error; its disk"):
            journal.append([entry("next")], 3, WALL)


def test_a_closed_journal_takes_nothing(tmp_path: Path) -> None:
    journal = opened(tmp_path)
    journal.close()
    journal.close()
    with pytest.raises(CommitFailed, match="is closed"):
        journal.append([entry("open")], 1, WALL)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = '{}'",
        "DELETE FROM entry",
        "DELETE FROM boot",
        "DELETE FROM journal",
    ],
)
def test_the_file_is_append_only(tmp_path: Path, statement: str) -> None:
    sample(tmp_path)
    with raw(tmp_path) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)


# How entries are found: by an index, whatever a start asks ---------------------------------------


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
    with opened(tmp_path, boot_id="boot-two") as journal:
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
