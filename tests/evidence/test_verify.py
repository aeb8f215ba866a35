"""Every kind of forgery is found, and named by the entry that it was done to."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.evidence.verify import verify
from controller.journal import rows
from controller.journal.chain import digest_of
from controller.journal.errors import DamagedJournal, NotAJournal
from controller.journal.model import Entry
from controller.journal.opening import PAGE_BYTES
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from tests.journal.helpers import card, check, drawn, faults, forging, opened, raw, sample, write

DIGEST = "was changed, or does not follow from the entry before it (digest differs)"


def test_a_sound_journal_is_well_and_an_empty_one(tmp_path: Path) -> None:
    written = sample(tmp_path)
    report = check(tmp_path)
    assert report.well
    assert (report.entries, report.last_seq, report.head) == (10, 10, written[-1].digest.hex())
    write(tmp_path / "empty")
    assert check(tmp_path / "empty").well


@pytest.mark.parametrize(
    "change",
    [
        """body = '{"card_uid":0,"flags":0,"rank":1,"remaining":384,"suit":3}'""",
        "mono_ns = mono_ns + 1",
        "wall = '2026-11-21T00:00:00+00:00'",
        "type = 'KEY'",
        "device = 'spare'",
        "session = 1",
        "event_no = 99",
        "t_ms = 0",
        "numbering = 1",
        "digest = zeroblob(32)",
    ],
)
def test_a_changed_column_is_found(tmp_path: Path, change: str) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        connection.execute(f"UPDATE entry SET {change} WHERE seq = 3")
    assert (3, DIGEST) in faults(tmp_path)


ADDED = """INSERT INTO entry SELECT 11, boot, 11, wall, type, device, session, numbering,
event_no + 1, t_ms, offer, body, digest FROM entry WHERE seq = 8"""


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["""UPDATE entry SET body = '{"box":3}' WHERE seq = 6"""], [(6, DIGEST)]),
        (
            ["DELETE FROM entry WHERE seq IN (2, 5, 6, 7)"],
            [(2, "is missing"), (5, "is missing, with all up to entry 7")],
        ),
        (
            ["DELETE FROM entry WHERE seq = 9", "UPDATE entry SET seq = 9 WHERE seq = 10"],
            [(9, DIGEST)],
        ),
        ([ADDED], [(11, DIGEST)]),
        (
            ["DROP INDEX entry_draw", "UPDATE entry SET offer = 7 WHERE seq = 10"],
            [
                (10, DIGEST),
                (10, "is a second draw for offer 7, drawn by entry 6"),
                (None, "the file has lost 'entry_draw', which guards its entries"),
                (None, "its header says freelist_count 1, expected 0"),
            ],
        ),
    ],
    ids=["changed", "removed", "closed up", "added", "drawn twice"],
)
def test_each_change_is_one_finding(
    tmp_path: Path, statements: list[str], found: list[tuple[int | None, str]]
) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        for statement in statements:
            connection.execute(statement)
    assert faults(tmp_path) == found


def test_swapped_entries_are_found(tmp_path: Path) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        for old, new in ((2, 90), (4, 2), (90, 4)):
            connection.execute("UPDATE entry SET seq = ? WHERE seq = ?", (new, old))
    found = faults(tmp_path)
    assert {seq for seq, what in found if what == DIGEST} == {2, 3, 4, 5}
    assert any("before it" in what for _, what in found)


def test_an_entry_chained_anew_does_not_fit_the_next(tmp_path: Path) -> None:
    sample(tmp_path)
    forge(tmp_path, 6, """'{"box":3,"multiplier":100}'""")
    assert faults(tmp_path) == [(7, DIGEST)]


def test_lost_and_foreign_guards_are_named(tmp_path: Path) -> None:
    sample(tmp_path)
    harmless = "CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN SELECT 1; END"
    with raw(tmp_path) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute(harmless)
    assert faults(tmp_path) == [(None, "'entry_no_update' is not as a controller makes it")]
    with forging(tmp_path, tidy=False) as connection:
        connection.execute("CREATE TABLE note (x)")
    found = [what for _, what in faults(tmp_path)]
    assert "the file has lost 'entry_no_delete', which guards its entries" in found
    assert "the file has 'note', which no controller made" in found


def test_a_changed_boot_is_found_at_its_entries(tmp_path: Path) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        connection.execute("UPDATE boot SET boot_id = 'another' WHERE boot = 2")
    assert [seq for seq, _ in faults(tmp_path)] == [7, 8, 9, 10]


def test_clocks_and_boots_out_of_order_are_found(tmp_path: Path) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        connection.execute("UPDATE entry SET mono_ns = 0 WHERE seq = 3")
        connection.execute("UPDATE entry SET boot = 3 WHERE seq = 5")
    found = faults(tmp_path)
    assert (3, "was made at 0 ns of its boot, before the entry that it follows") in found
    assert (5, "belongs to boot 3, which the journal does not know") in found
    assert (6, "belongs to boot 1, the entry before it to boot 3") in found


def test_a_cut_tail_shows_against_a_digest_known_from_elsewhere(tmp_path: Path) -> None:
    written = sample(tmp_path)
    anchors = {4: written[3].digest, 10: written[9].digest}
    with JournalReader(tmp_path) as reader:
        assert verify(reader, anchors).well
    with forging(tmp_path) as connection:
        connection.execute("DELETE FROM entry WHERE seq > 8")
    with JournalReader(tmp_path) as reader:
        assert verify(reader).well
        assert [str(finding) for finding in verify(reader, anchors).findings] == [
            "entry 10: is known from elsewhere, but the journal ends with entry 8"
        ]
        wrong = verify(reader, {4: bytes(32)})
        assert [finding.seq for finding in wrong.findings] == [4]


def test_entries_of_another_journal_do_not_fit(tmp_path: Path) -> None:
    sample(tmp_path / "a")
    write(tmp_path / "b")
    with forging(tmp_path / "b") as connection:
        connection.execute("ATTACH ? AS other", (str(tmp_path / "a" / FILE_NAME),))
        connection.execute("INSERT INTO main.entry SELECT * FROM other.entry")
        connection.execute("DELETE FROM main.boot")
        connection.execute("INSERT INTO main.boot SELECT * FROM other.boot")
    assert faults(tmp_path / "b") == [(1, DIGEST)]


def test_the_play_of_the_entries_is_checked_by_whoever_can(tmp_path: Path) -> None:
    written = sample(tmp_path)
    seen: list[Entry] = []

    def replay(entry: Entry) -> list[str]:
        seen.append(entry)
        return ["gives another state"] if entry.seq == 4 else []

    with JournalReader(tmp_path) as reader:
        report = verify(reader, on_entry=replay)
    assert seen == written
    assert [str(finding) for finding in report.findings] == ["entry 4: gives another state"]


def test_a_damaged_page_is_reported_and_not_raised(tmp_path: Path) -> None:
    write(tmp_path, *(card(number) for number in range(1, 400)), drawn(1))
    path = tmp_path / FILE_NAME
    data = bytearray(path.read_bytes())
    data[-PAGE_BYTES:] = b"\xff" * PAGE_BYTES
    path.write_bytes(data)
    report = check(tmp_path)
    assert not report.well
    assert any("malformed" in finding.what for finding in report.findings)


def test_a_file_cut_short_is_refused_at_the_opening(tmp_path: Path) -> None:
    write(tmp_path, *(card(number) for number in range(1, 400)))
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[: -3 * PAGE_BYTES])
    with pytest.raises(NotAJournal, match="damaged"):
        check(tmp_path)


def forge(directory: Path, seq: int, body: str) -> None:
    """Change an entry's body and compute its digest as the controller would."""
    with forging(directory) as connection:
        connection.execute(f"UPDATE entry SET body = {body} WHERE seq = {seq}")
        before, row = (
            page[0]
            for page in (
                next(rows.pages(connection, number - 1, number)) for number in (seq - 1, seq)
            )
        )
        boot_id = rows.boots(connection)[row[1] - 1].boot_id
        connection.execute(
            "UPDATE entry SET digest = ? WHERE seq = ?",
            (digest_of(row, boot_id, before[12]), seq),
        )


def test_a_boot_that_no_entry_has_is_told(tmp_path: Path) -> None:
    """No digest covers it: the next start would go on with a boot that somebody has invented."""
    sample(tmp_path)
    with raw(tmp_path) as connection:
        connection.execute("INSERT INTO boot VALUES (3, 'boot-three', 'then', 10)")
    assert faults(tmp_path) == [(None, "boot 3 is in the table of boots, and has no entry")]
    with pytest.raises(DamagedJournal, match="boot 3 has no entry"):
        opened(tmp_path)
