"""Every commit is signed in its own transaction: the row, what it covers, and what is forged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.evidence.recorded import doubted_to, doubts_of, found_at_start, vouched
from controller.journal import commits, rows, schema
from controller.journal.commits import UNCOVERED, Cover, SignedCommit, read_cover, signed_text
from controller.journal.errors import AlreadyStored
from controller.journal.model import Draft, Head
from controller.journal.reader import JournalReader
from tests.journal.helpers import (
    KEY,
    OTHER_KEY,
    WALL,
    card,
    cover,
    entry,
    forging,
    heads_of,
    opened,
    raw,
    sample,
    write,
)
from tests.upkeep.archives import closed
from tests.upkeep.test_second_copy import copied


def test_each_commit_replaces_the_row(tmp_path: Path) -> None:
    with opened(tmp_path, boot_id="one") as journal:
        assert cover(tmp_path) == Cover(None, journal.head, "")
        for number in (1, 2, 3):
            entries = journal.append([card(2 * number), card(2 * number + 1)], number, WALL)
            with raw(tmp_path) as connection:
                [row] = connection.execute("SELECT * FROM signed").fetchall()
            _, seq, digest, wall, fingerprint, signature = row
            last = entries[-1]
            assert (seq, digest, wall) == (last.seq, last.digest, WALL)
            assert fingerprint == KEY.public.fingerprint
            text = signed_text(journal.identity, last.seq, last.digest, WALL)
            assert text.decode().split("\n") == [
                "table-controller commit 1",
                journal.identity.hex(),
                str(last.seq),
                last.digest.hex(),
                WALL,
                "",
            ]
            assert KEY.public.verifies(text, signature)
            assert cover(tmp_path).wrong == ""


def test_the_row_stays_where_a_process_goes_on(tmp_path: Path) -> None:
    """No page is written as it was: in a torn log it would look like one that was moved."""
    sample(tmp_path)
    with raw(tmp_path) as connection:
        cookie = connection.execute("PRAGMA schema_version").fetchone()
    write(tmp_path, entry("open"), boot_id="boot-three")
    with raw(tmp_path) as connection:
        assert connection.execute("PRAGMA schema_version").fetchone() == cookie
        assert connection.execute("SELECT count(*), max(seq) FROM signed").fetchone() == (1, 11)


def test_a_transaction_that_fails_leaves_the_row_of_the_one_before(tmp_path: Path) -> None:
    sample(tmp_path)
    with opened(tmp_path, boot_id="boot-two") as journal, pytest.raises(AlreadyStored):
        journal.append([card(6)], 9, WALL)  # which is stored
    assert (cover(tmp_path).upto, cover(tmp_path).wrong) == (10, "")


Forge = Callable[[sqlite3.Connection], object]


def no_row(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM signed")


def no_table(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE signed")
    connection.execute("VACUUM")  # free pages would be seen before


def two_rows(connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT * FROM signed").fetchone()
    no_table(connection)
    connection.execute("CREATE TABLE signed (one, seq, digest, wall, key, signature)")
    connection.executemany("INSERT INTO signed VALUES (?,?,?,?,?,?)", [row, row])


def no_text(connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT * FROM signed").fetchone()
    no_table(connection)
    connection.execute("CREATE TABLE signed (one, seq, digest, wall, key, signature)")
    connection.execute("INSERT INTO signed VALUES (?,?,?,?,?,?)", (*row[:3], 7, *row[4:]))


def a_view(connection: sqlite3.Connection) -> None:
    """It shows the genuine row, and nothing can be put into it."""
    [row] = connection.execute("SELECT quote(seq), quote(digest), wall, key FROM signed")
    [signature] = connection.execute("SELECT quote(signature) FROM signed").fetchone()
    no_table(connection)
    connection.execute(
        "CREATE VIEW signed AS SELECT 1 AS one, {} AS seq, {} AS digest, '{}' AS wall, "
        "'{}' AS key, {} AS signature".format(*row, signature)
    )


def own_key(connection: sqlite3.Connection) -> None:
    last, identity = rows.head(connection), rows.identity(connection)
    commits.store_signature(connection, OTHER_KEY, identity, last, WALL)


def own_key_under_our_name(connection: sqlite3.Connection) -> None:
    own_key(connection)
    connection.execute("UPDATE signed SET key = ?", (KEY.fingerprint,))


def other_journal(connection: sqlite3.Connection) -> None:
    commits.store_signature(connection, KEY, bytes(16), rows.head(connection), WALL)


def other_wall(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE signed SET wall = 'then'")


def cut(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM entry WHERE seq = 10")


def end_rewritten(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE entry SET digest = zeroblob(32) WHERE seq = 10")


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (no_row, "it has no signed row, expected one"),
        (no_table, "the table of it is not there"),
        (two_rows, "the table of it is not as a controller makes it"),
        (no_text, "the table of it is not as a controller makes it"),
        (a_view, "the table of it is not as a controller makes it"),
        (own_key, "is not signed with a key that is known here"),
        (own_key_under_our_name, "is not signed with a key that is known here"),
        (other_journal, "is not signed with a key that is known here"),
        (other_wall, "is not signed with a key that is known here"),
        (cut, "entry 10 was signed, and the journal ends with entry 9"),
        (end_rewritten, "entry 10 is another one than was signed"),
    ],
)
def test_what_a_forger_leaves_is_not_covered(tmp_path: Path, forge: Forge, said: str) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        forge(connection)
    found = cover(tmp_path)
    assert said in found.wrong
    assert found.upto == 0
    with opened(tmp_path, boot_id="boot-three") as journal:  # it is for the start to hold the table
        assert journal.cover([KEY.public]).wrong == found.wrong
        if forge not in (cut, end_rewritten):
            journal.append([entry("open")], 1, WALL)
            assert cover(tmp_path).wrong == ""
    with raw(tmp_path) as connection:
        assert schema.expected_objects() == schema.objects(connection) or forge is cut


@pytest.mark.parametrize("count", [1, 3])
def test_entries_behind_the_row_are_covered_by_no_signature(tmp_path: Path, count: int) -> None:
    """Forged in the state directory; on its way in a copy."""
    sample(tmp_path)
    row = cover(tmp_path).row
    assert row is not None
    write(tmp_path, *map(entry, "abc"[:count]))
    with raw(tmp_path) as connection:
        commits.copy(connection, row)
    which = "entry 11 is" if count == 1 else "entries 11 to 13 are"
    assert cover(tmp_path).wrong == f"{which} {UNCOVERED}"
    assert cover(tmp_path).upto == 10


def test_a_copy_on_its_way_is_level_again(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    assert copied(tmp_path) == 10
    assert cover(tmp_path / "copy") == cover(tmp_path / "state")


def test_what_goes_on_is_signed_at_once_and_the_closed_file_keeps_its_row(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    before = cover(tmp_path / "state").row
    file = closed(tmp_path / "state")
    found = cover(tmp_path / "state")
    assert (found.upto, found.wrong) == (11, "")
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as connection:
        kept = read_cover(connection, [KEY.public])
    connection.close()
    assert (kept.row, kept.wrong) == (before, "")


def test_an_empty_one_has_nothing_to_sign(tmp_path: Path) -> None:
    opened(tmp_path).close()
    assert cover(tmp_path).wrong == ""
    with raw(tmp_path) as connection:
        no_table(connection)
    assert "the table of it is not there" in cover(tmp_path).wrong


def test_a_successor_without_its_row_is_forged(tmp_path: Path) -> None:
    sample(tmp_path)
    heads_of(tmp_path)
    closed(tmp_path)
    with raw(tmp_path) as connection:
        no_row(connection)
    assert "it has no signed row" in cover(tmp_path).wrong


# ---- what a start has found ---------------------------------------------------------------------


def start(directory: Path, **told: object) -> Draft:
    """A start record that found another key, whose row is good, or something else."""
    found = cover(directory)
    with JournalReader(directory) as reader:
        body = found_at_start("heads-doubted", "another key", reader.identity, found)
    return Draft("start", {"found": {**body, **told}})


def test_a_key_that_is_known_is_a_remark(tmp_path: Path) -> None:
    sample(tmp_path)
    write(tmp_path, start(tmp_path), boot_id="boot-three")
    with JournalReader(tmp_path) as reader:
        told = vouched(reader, [KEY.public])
        assert (told.findings, len(told.remarks)) == ([], 1)
        [named] = vouched(reader, [OTHER_KEY.public]).findings
    assert (named.seq, "vouches for nothing before it: another key" in named.what) == (11, True)


@pytest.mark.parametrize("name", ["journal", "digest"])
@pytest.mark.parametrize("text", ["zz" * 16, "AB" * 32, "00", "\u0661" * 64, ""])
def test_what_is_no_hexadecimal_is_told_and_ends_no_check(
    tmp_path: Path, name: str, text: str
) -> None:
    sample(tmp_path)
    write(tmp_path, start(tmp_path, **{name: text}), start(tmp_path), boot_id="boot-three")
    with JournalReader(tmp_path) as reader:
        told = doubts_of(reader, [KEY.public])
    [finding] = told.findings
    assert finding.seq == 11
    assert "not of the form of that: journal or digest is not in hexadecimal" in finding.what
    assert len(told.remarks) == 1, "and the next one is looked at"


def test_a_start_record_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    sample(tmp_path)
    write(tmp_path, start(tmp_path), boot_id="boot-three")
    with forging(tmp_path) as connection:
        connection.execute("UPDATE entry SET body = '{' WHERE seq = 11")
    with JournalReader(tmp_path) as reader:
        [finding] = doubts_of(reader, [KEY.public]).findings
    assert finding.what.startswith("what starts have found cannot be read: ")


def test_half_a_surrogate_was_signed_by_nobody(tmp_path: Path) -> None:
    """The text of a start record can tell of a clock that no row can have."""
    sample(tmp_path)
    row = cover(tmp_path).row
    assert row is not None
    kept = SignedCommit.of_json({**row.as_json(), "wall": "\ud800"})
    assert kept is not None
    assert kept.is_of(bytes(16), [KEY.public]) is None
    write(tmp_path, start(tmp_path), boot_id="boot-three")
    with forging(tmp_path) as connection:
        body = f"""replace(body, '{WALL}', '\\ud800')"""
        connection.execute(f"UPDATE entry SET body = {body} WHERE seq = 11")
    with JournalReader(tmp_path) as reader:
        assert len(doubts_of(reader, [KEY.public]).findings) == 1


def test_nobody_vouches_up_to_the_last_that_is_unknown(tmp_path: Path) -> None:
    sample(tmp_path)
    with JournalReader(tmp_path) as reader:
        here, name = reader.cover([KEY.public]), reader.identity
    found = found_at_start("heads-doubted", "another key", name, here)
    earlier = Cover(None, Head(7, b"x" * 32), "")
    unsigned = found_at_start("journal-not-signed", "no row", name, earlier)
    assert doubted_to([], [KEY.public]) == 0
    assert doubted_to([found], [KEY.public]) == 0
    assert doubted_to([found], [OTHER_KEY.public]) == 10
    assert doubted_to([{**found, "row": None}], [KEY.public]) == 10
    assert doubted_to([unsigned, found], [KEY.public]) == 7
    assert doubted_to([unsigned, found], [OTHER_KEY.public]) == 10
