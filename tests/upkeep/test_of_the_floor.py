"""A journal taken back from the floor: byte for byte what the table signed, or nothing at all."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.tree.checkpoint import vkey_of
from controller.journal.export import lines
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader, closed_files
from controller.journal.schema import FILE_NAME
from controller.upkeep.floor_log import path_of
from controller.upkeep.next_start import leave_checkpoint, marked
from tests.cli.support import ROOT, Ran, Tablectl
from tests.daemon.journaling.aged import LONG_AGO, NOW, closes, play_at, with_archive
from tests.daemon.sealed import play
from tests.upkeep.floors import MIRROR, ReadMirror, altered_root, lost, packed, served
from tests.witness.serving import Answer
from tests.witness.signer import Signer
from tests.witness.tables import Table

ENTRIES = 700
VERIFIER = ROOT / "verifier" / "verify_journal.py"


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Tablectl:
    return Tablectl(capsys)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Played at, stopped, and its journal's key known beside the configuration."""
    made = Table(tmp_path / "table")
    made.fill(ENTRIES)
    play(made)
    return made


def key_of(table: Table) -> ControllerKey:
    return ControllerKey(table.state / "key")


@pytest.fixture
def floor(table: Table, tmp_path: Path) -> Iterator[ReadMirror]:
    """Has all of it."""
    with served(ReadMirror(tmp_path, key_of(table), table.exported())) as mirror:
        table.add_floor(mirror.url, mirror.signer.vkey)
        yield mirror


def recovered(tablectl: Tablectl, table: Table, floor: ReadMirror, *more: object) -> Ran:
    given = ["--state", table.state, "--from", floor.url, "--config", table.configuration]
    return tablectl("journal", "recover", *given, *more)


def verified(tablectl: Tablectl, table: Table) -> Ran:
    given = ["--state", table.state, "--config", table.configuration, "--no-replay"]
    return tablectl("journal", "verify", *given)


def there(state: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in state.iterdir() if one.name != "lock"}


def test_another_box_has_the_journal_again_byte_for_byte(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    before = table.exported()
    lost(table.state)
    ran = recovered(tablectl, table, floor)
    assert ran.code == 0, ran.err
    assert f"{len(before)} entries, up to {len(before)}, taken from {floor.url}" in ran.out
    assert f"it is {floor.origin} as the mirror cosigned it at 2027-01-15" in ran.out
    assert table.exported() == before
    assert sorted(there(table.state)) == [
        FILE_NAME,
        f"{FILE_NAME}.checkpoint",
        f"{FILE_NAME}.recovered",
        "key",
    ]
    assert marked(table.state) == f"it has entries up to {len(before)} from the floor"
    # What nobody has started yet has no signed row, and says so.
    ran = verified(tablectl, table)
    assert (ran.code, "it has no signed row" in ran.out) == (1, True)


def test_the_next_start_is_held_and_vouches_for_all_of_it(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    last = len(table.exported())
    lost(table.state)
    assert recovered(tablectl, table, floor, "--json").code == 0
    told = play(table, resume=True)["held"]
    assert told["fault"] == "heads-doubted"
    assert f"; all of it is in a signed checkpoint of {floor.origin}" in told["reason"]
    start = json.loads(table.exported()[last])["body"]
    assert start["sealing"]["recovered"] == floor.text
    assert start.get("found") is None
    ran = verified(tablectl, table)
    assert ran.code == 0, ran.out
    assert f"the checkpoint of {floor.origin} for entry {last} vouches for what" in ran.out
    assert play(table)["held"] is None


def test_the_verifier_names_what_a_start_believed(
    tablectl: Tablectl, table: Table, floor: ReadMirror, tmp_path: Path
) -> None:
    lost(table.state)
    assert recovered(tablectl, table, floor).code == 0
    play(table, resume=True)
    play(table)
    given = ["--state", table.state, "--config", table.configuration]
    assert tablectl("journal", "export", *given, "--evidence", tmp_path / "ev").code == 0
    lines = (tmp_path / "ev" / "journal.jsonl").read_text("ascii").splitlines()
    for key, status in ((table.vkey, 0), (vkey_of(ControllerKey(tmp_path / "k").public), 1)):
        what: list[str | Path] = [tmp_path / "ev" / "journal.jsonl", "--key", key]
        ran = subprocess.run(
            [sys.executable, VERIFIER, *what, "--heads", tmp_path / "ev" / "heads.jsonl"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, "taken from the floor" in ran.stdout) == (status, True), ran.stdout
    assert len(lines) > floor.size


def test_with_another_key_it_is_vouched_for_all_the_same(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    last = len(table.exported())
    lost(table.state)
    assert recovered(tablectl, table, floor).code == 0
    (table.state / "key").unlink()
    vkeys = table.configuration.with_name("journal.vkey")
    other = ControllerKey(table.state / "key").public
    vkeys.write_text(f"{table.vkey}\n{vkey_of(other)}\n", encoding="ascii")
    told = str(play(table, resume=True))
    assert "heads-doubted" in told
    assert "journal-not-signed" not in told
    ran = verified(tablectl, table)
    assert ran.code == 0, ran.out
    assert f"{floor.origin} for entry {last}" in ran.out


def test_an_earlier_state_is_found_where_anything_knows_more(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    play(table)
    last = len(table.exported())
    for file in table.state.glob(f"{FILE_NAME}*"):
        file.unlink()
    assert recovered(tablectl, table, floor).code == 0
    assert len(table.exported()) == floor.size < last
    told = play(table, resume=True)["held"]
    assert told["fault"] in ("journal-cut", "heads-doubted")
    ran = verified(tablectl, table)
    assert (ran.code, "found journal-cut" in ran.out) == (1, True), ran.out


def test_a_checkpoint_that_is_not_of_all_of_it_vouches_for_nothing(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    """Left by whoever has taken the row away, and altered what is behind the checkpoint."""
    play(table)
    leave_checkpoint(table.state, floor.text)
    with closing(sqlite3.connect(table.state / FILE_NAME)) as connection:
        connection.execute("DELETE FROM signed")
        connection.commit()
    assert play(table, resume=True)["held"]["fault"] == "journal-not-signed"
    assert verified(tablectl, table).code == 1


def test_whoever_alters_it_before_the_start_is_found(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    lost(table.state)
    assert recovered(tablectl, table, floor).code == 0
    with closing(sqlite3.connect(table.state / FILE_NAME)) as connection:
        last = connection.execute("SELECT max(seq) FROM entry").fetchone()[0]
        connection.execute("DROP TRIGGER entry_no_delete")
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'boot_no_delete'"
        ).fetchone()
        connection.execute("DELETE FROM entry WHERE seq = ?", (last,))
        connection.execute(sql.replace("boot", "entry"))
        connection.commit()
    told = str(play(table))
    assert "journal-not-signed" in told
    assert verified(tablectl, table).code == 1


def test_the_journal_that_goes_on_is_made_with_the_boots_of_all(
    tablectl: Tablectl, tmp_path: Path, mocker: MockerFixture
) -> None:
    table = Table(tmp_path / "table")
    with_archive(table, after_days=30)
    for _ in range(2):
        play_at(LONG_AGO, mocker, table)
    (closed,) = closes(table, NOW)
    archive = shutil.copytree(closed.parent, tmp_path / "archive")
    play_at(NOW, mocker, table)
    with JournalReader(closed.parent, closed.name) as reader:
        before = [line.encode("ascii") for line in lines(reader)]
    own = table.exported()
    with served(ReadMirror(tmp_path, key_of(table), [*before, *own])) as floor:
        table.add_floor(floor.url, floor.signer.vkey)
        lost(table.state)
        ran = recovered(tablectl, table, floor)
        assert (ran.code, table.exported()) == (0, own), ran.err
    given = ["--state", table.state, "--config", table.configuration, "--archive", archive]
    assert "boots" not in tablectl("journal", "verify", *given).out
    assert "taken from the floor" in str(play(table, resume=True))
    assert verified(tablectl, table).code == 0


def test_what_was_removed_by_age_is_not_needed(
    tablectl: Tablectl, tmp_path: Path, mocker: MockerFixture
) -> None:
    table = Table(tmp_path / "table")
    with_archive(table, after_days=30)
    table.fill(ENTRIES)
    play_at(LONG_AGO, mocker, table)
    closes(table, NOW)
    play_at(NOW, mocker, table)
    own = table.exported()
    [*_, closed] = closed_files(table.state)
    with JournalReader(closed.parent, closed.name) as reader:
        before = [line.encode("ascii") for line in lines(reader)]
    with served(ReadMirror(tmp_path, key_of(table), [*before, *own])) as floor:
        table.add_floor(floor.url, floor.signer.vkey)
        floor.instead = {f"entries/{n:03d}": (404, {}, b"removed") for n in range(2)}
        lost(table.state)
        assert recovered(tablectl, table, floor).code == 0
        assert table.exported() == own
        assert "taken from the floor" in str(play(table, resume=True))
        assert verified(tablectl, table).code == 0


def test_a_damaged_journal_keeps_what_its_own_row_signs(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    play(table)
    longer = table.exported()
    with closing(sqlite3.connect(table.state / FILE_NAME)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET body = '{}' WHERE seq = 5")
        connection.commit()
    ran = recovered(tablectl, table, floor)
    assert ran.code == 0, ran.err
    assert f"{len(longer) - floor.size} entries behind them added" in ran.out
    assert table.exported() == longer
    assert verified(tablectl, table).code == 0


def test_what_a_copy_lacks_comes_from_the_floor(
    tablectl: Tablectl, table: Table, floor: ReadMirror, tmp_path: Path
) -> None:
    copy = shutil.copytree(table.state, tmp_path / "copy")
    play(table)
    floor.leaves = table.exported()
    floor.size = len(floor.leaves)
    floor.sign(key_of(table))
    lost(table.state)
    given = ["--state", table.state, "--from", copy, "--config", table.configuration]
    assert tablectl("journal", "recover", *given).code == 0
    assert len(table.exported()) < floor.size
    assert recovered(tablectl, table, floor).code == 0
    assert table.exported() == floor.leaves
    assert play(table, resume=True)["held"]["fault"] == "heads-doubted"
    assert verified(tablectl, table).code == 0


def test_a_journal_that_is_well_is_left_alone(
    tablectl: Tablectl, table: Table, floor: ReadMirror
) -> None:
    before = there(table.state)
    ran = recovered(tablectl, table, floor)
    assert (ran.code, "there is nothing to recover" in ran.err) == (3, True)
    assert there(table.state) == before


def altered_byte(floor: ReadMirror, _: Table) -> str:
    leaf = floor.leaves[300]
    floor.leaves[300] = leaf.replace(b'"seq":301', b'"seq":301 ')
    return "are others than the table signed"


def altered_word(floor: ReadMirror, _: Table) -> str:
    floor.leaves[300] = floor.leaves[300].replace(b"not in the group", b"was in the group")
    return "are others than the table signed"


def shorter(floor: ReadMirror, _: Table) -> str:
    number, width = floor.size // 256, floor.size % 256
    floor.instead = {path_of(number, width): (404, {}, b"")}
    return "which its checkpoint has"


def begins_later(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/000": (404, {}, b"removed by age")}
    return "has the beginning of the table's journal no more"


def fewer_in_a_bundle(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/001": packed(floor.leaves[256:500])}
    return "is no bundle of 256"


def forked(floor: ReadMirror, table: Table) -> str:
    """Signed with a key of the collector's owner, under the table's name."""
    floor.leaves[-1] = floor.leaves[-1].replace(b"stop", b"halt")
    forger = ControllerKey(table.folder / "forger")
    mine = f"table-controller/{forger.public.fingerprint[:16]}"
    floor.sign(forger)
    floor.text = floor.text.replace(mine, floor.origin)
    return "was not signed with a key that is known here"


def another_root(floor: ReadMirror, _: Table) -> str:
    floor.text = altered_root(floor.text)
    return "was not signed with a key that is known here"


def another_mirror(floor: ReadMirror, table: Table) -> str:
    floor.sign(key_of(table), Signer(table.folder / "other", MIRROR))
    return f"is not cosigned by {MIRROR}"


def unknown(floor: ReadMirror, _: Table) -> str:
    floor.origin = "table-controller/0123456789abcdef"
    return "has no log of this table"


def ends_in_the_middle(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/001": None}
    return "no answer of use (it was cut off)"


def is_not_packed(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/001": (200, {"Content-Encoding": "gzip"}, b"no gzip at all")}
    return "no answer of use"


def unpacks_for_ever(floor: ReadMirror, _: Table) -> str:
    bomb = gzip.compress(bytes(1 << 26))
    floor.instead = {"entries/001": (200, {"Content-Encoding": "gzip"}, bomb)}
    return "it has more than"


def is_altered_and_says_so(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/001": (503, {}, b"entries 256 to 511 are altered\x1b[2J")}
    return "it answers 503: entries 256 to 511 are altered?[2J"


def leads_elsewhere(floor: ReadMirror, _: Table) -> str:
    floor.instead = {"entries/001": (302, {"Location": floor.url}, b"")}
    return "it answers 302"


def is_no_journal(floor: ReadMirror, _: Table) -> str:
    floor.leaves[300] = b"\xff{"
    return "entry 301, as http://127.0.0.1:"


def hangs(floor: ReadMirror, _: Table) -> str:
    floor.hangs.set()
    return "no answer of use (timed out)"


WRONGS: list[Callable[[ReadMirror, Table], str]] = [
    altered_byte,
    altered_word,
    shorter,
    begins_later,
    fewer_in_a_bundle,
    forked,
    another_root,
    another_mirror,
    unknown,
    ends_in_the_middle,
    is_not_packed,
    unpacks_for_ever,
    is_altered_and_says_so,
    leads_elsewhere,
    is_no_journal,
    hangs,
]


@pytest.mark.parametrize("wrong", WRONGS)
def test_a_floor_that_is_not_right_changes_nothing(
    tablectl: Tablectl,
    table: Table,
    floor: ReadMirror,
    mocker: MockerFixture,
    wrong: Callable[[ReadMirror, Table], str],
) -> None:
    said = wrong(floor, table)
    mocker.patch("controller.upkeep.floor_log.STEP_S", 0.3)
    lost(table.state)
    before = there(table.state)
    ran = recovered(tablectl, table, floor)
    assert (ran.code, said in ran.err) == (1, True), ran.err
    assert there(table.state) == before


def test_a_request_that_failed_is_repeated_once(
    tablectl: Tablectl, table: Table, floor: ReadMirror, mocker: MockerFixture
) -> None:
    asked = floor.answer
    answers: Iterator[Answer | None] = iter([None, (503, {}, b"busy")])
    mocker.patch.object(floor, "answer", lambda path: next(answers, asked(path)))
    before = table.exported()
    lost(table.state)
    assert recovered(tablectl, table, floor).code == 1, "two in a row"
    assert recovered(tablectl, table, floor).code == 0
    assert table.exported() == before


def test_what_it_cannot_do_without(
    tablectl: Tablectl, table: Table, floor: ReadMirror, tmp_path: Path
) -> None:
    lost(table.state)
    vkeys = table.configuration.with_name("journal.vkey")
    vkeys.unlink()
    ran = recovered(tablectl, table, floor)
    assert (ran.code, "no key counts" in ran.err) == (2, True)
    told = table.configuration.read_text(encoding="utf-8")
    table.configuration.write_text(told.partition("[floor]")[0], encoding="utf-8")
    ran = recovered(tablectl, table, floor, "--key", table.vkey)
    assert (ran.code, "has no [floor]" in ran.err) == (2, True)
    table.configuration.write_text(told, encoding="utf-8")
    assert recovered(tablectl, table, floor, "--key", table.vkey).code == 0
    given = ["--from", floor.url, "--config", table.configuration, "--key", table.vkey]
    for url in ("ftp://floor.example/mirror", "http://", "http://floor.example:x/mirror"):
        ran = tablectl("journal", "recover", "--state", table.state, "--from", url, *given[2:])
        assert (ran.code, "expected http://" in ran.err) == (2, True), ran.err
    ran = tablectl("journal", "recover", "--state", tmp_path / "none", *given)
    assert (ran.code, "is no directory" in ran.err) == (1, True)
