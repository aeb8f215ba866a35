"""A journal taken back from the floor: byte for byte what the table signed, or nothing at all."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
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
from tests.cli.support import Ran, Tablectl
from tests.daemon.journaling.aged import LONG_AGO, NOW, closes, play_at, with_archive
from tests.daemon.sealed import play
from tests.upkeep.floors import MIRROR, ReadMirror, altered_root, lost, packed, served
from tests.verifier.support import verifier
from tests.witness.serving import Answer
from tests.witness.signer import Signer
from tests.witness.tables import Table

ENTRIES = 700


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Tablectl:
    return Tablectl(capsys)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that was played at and stopped."""
    made = Table(tmp_path_factory.mktemp("played") / "table")
    made.fill(ENTRIES)
    play(made)
    return made.folder


@pytest.fixture
def table(played: Path, tmp_path: Path) -> Table:
    """A copy of it; its journal's key is known beside the configuration."""
    return Table(shutil.copytree(played, tmp_path / "table"))


@pytest.fixture
def floor(table: Table, tmp_path: Path) -> Iterator[ReadMirror]:
    """Has all of it."""
    with served(ReadMirror(tmp_path, key_of(table), table.exported())) as mirror:
        table.add_floor(mirror.url, mirror.signer.vkey)
        yield mirror


@dataclass
class Box:
    """A table whose journal is on a floor, or comes back from there."""

    table: Table
    floor: ReadMirror
    tablectl: Tablectl

    def tell(self, verb: str, *more: object) -> Ran:
        given = ("--state", self.table.state, "--config", self.table.configuration)
        return self.tablectl("journal", verb, *given, *more)

    def recovered(self, *more: object) -> Ran:
        return self.tell("recover", "--from", self.floor.url, *more)

    def verified(self) -> Ran:
        return self.tell("verify", "--no-replay")


@pytest.fixture
def box(table: Table, floor: ReadMirror, tablectl: Tablectl) -> Box:
    return Box(table, floor, tablectl)


def key_of(table: Table) -> ControllerKey:
    return ControllerKey(table.state / "key")


def there(state: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in state.iterdir() if one.name != "lock"}


def test_another_box_has_the_journal_again_byte_for_byte(box: Box) -> None:
    before = box.table.exported()
    lost(box.table.state)
    ran = box.recovered()
    assert ran.code == 0, ran.err
    assert f"{len(before)} entries, up to {len(before)}, taken from {box.floor.url}" in ran.out
    assert f"it is {box.floor.origin} as the mirror cosigned it at 2027-01-15" in ran.out
    assert box.table.exported() == before
    assert sorted(there(box.table.state)) == [
        FILE_NAME,
        f"{FILE_NAME}.checkpoint",
        f"{FILE_NAME}.recovered",
        "key",
    ]
    assert marked(box.table.state) == f"it has entries up to {len(before)} from the floor"
    # What nobody has started yet has no signed row, and says so.
    ran = box.verified()
    assert (ran.code, "it has no signed row" in ran.out) == (1, True)


def test_the_next_start_is_held_and_vouches_for_all_of_it(box: Box) -> None:
    last = len(box.table.exported())
    lost(box.table.state)
    assert box.recovered("--json").code == 0
    told = play(box.table, resume=True)["held"]
    assert told["fault"] == "heads-doubted"
    assert f"; all of it is in a signed checkpoint of {box.floor.origin}" in told["reason"]
    start = json.loads(box.table.exported()[last])["body"]
    assert start["sealing"]["recovered"] == box.floor.text
    assert start.get("found") is None
    ran = box.verified()
    assert ran.code == 0, ran.out
    assert f"the checkpoint of {box.floor.origin} for entry {last} vouches for what" in ran.out
    assert play(box.table)["held"] is None


def test_the_verifier_names_what_a_start_believed(box: Box, tmp_path: Path) -> None:
    lost(box.table.state)
    assert box.recovered().code == 0
    play(box.table, resume=True)
    play(box.table)
    assert box.tell("export", "--evidence", tmp_path / "ev").code == 0
    lines = (tmp_path / "ev" / "journal.jsonl").read_text("ascii").splitlines()
    for key, status in ((box.table.vkey, 0), (vkey_of(ControllerKey(tmp_path / "k").public), 1)):
        heads = ("--heads", tmp_path / "ev" / "heads.jsonl", "--key", key)
        ran = verifier(tmp_path / "ev" / "journal.jsonl", *heads)
        assert (ran.status, "taken from the floor" in ran.text) == (status, True), ran.text
    assert len(lines) > box.floor.size


def test_with_another_key_it_is_vouched_for_all_the_same(box: Box) -> None:
    last = len(box.table.exported())
    lost(box.table.state)
    assert box.recovered().code == 0
    (box.table.state / "key").unlink()
    vkeys = box.table.configuration.with_name("journal.vkey")
    other = ControllerKey(box.table.state / "key").public
    vkeys.write_text(f"{box.table.vkey}\n{vkey_of(other)}\n", encoding="ascii")
    told = str(play(box.table, resume=True))
    assert "heads-doubted" in told
    assert "journal-not-signed" not in told
    ran = box.verified()
    assert ran.code == 0, ran.out
    assert f"{box.floor.origin} for entry {last}" in ran.out


def test_an_earlier_state_is_found_where_anything_knows_more(box: Box) -> None:
    play(box.table)
    last = len(box.table.exported())
    for file in box.table.state.glob(f"{FILE_NAME}*"):
        file.unlink()
    assert box.recovered().code == 0
    assert len(box.table.exported()) == box.floor.size < last
    told = play(box.table, resume=True)["held"]
    assert told["fault"] in ("journal-cut", "heads-doubted")
    ran = box.verified()
    assert (ran.code, "found journal-cut" in ran.out) == (1, True), ran.out


def test_a_checkpoint_that_is_not_of_all_of_it_vouches_for_nothing(box: Box) -> None:
    """Left by whoever has taken the row away, and altered what is behind the checkpoint."""
    play(box.table)
    leave_checkpoint(box.table.state, box.floor.text)
    with closing(sqlite3.connect(box.table.state / FILE_NAME)) as connection:
        connection.execute("DELETE FROM signed")
        connection.commit()
    assert play(box.table, resume=True)["held"]["fault"] == "journal-not-signed"
    assert box.verified().code == 1


def test_whoever_alters_it_before_the_start_is_found(box: Box) -> None:
    lost(box.table.state)
    assert box.recovered().code == 0
    with closing(sqlite3.connect(box.table.state / FILE_NAME)) as connection:
        last = connection.execute("SELECT max(seq) FROM entry").fetchone()[0]
        connection.execute("DROP TRIGGER entry_no_delete")
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'boot_no_delete'"
        ).fetchone()
        connection.execute("DELETE FROM entry WHERE seq = ?", (last,))
        connection.execute(sql.replace("boot", "entry"))
        connection.commit()
    told = str(play(box.table))
    assert "journal-not-signed" in told
    assert box.verified().code == 1


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
        ran = Box(table, floor, tablectl).recovered()
        assert (ran.code, table.exported()) == (0, own), ran.err
    given = ["--state", table.state, "--config", table.configuration, "--archive", archive]
    assert "boots" not in tablectl("journal", "verify", *given).out
    assert "taken from the floor" in str(play(table, resume=True))
    assert Box(table, floor, tablectl).verified().code == 0


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
        assert Box(table, floor, tablectl).recovered().code == 0
        assert table.exported() == own
        assert "taken from the floor" in str(play(table, resume=True))
        assert Box(table, floor, tablectl).verified().code == 0


def test_a_damaged_journal_keeps_what_its_own_row_signs(box: Box) -> None:
    play(box.table)
    longer = box.table.exported()
    with closing(sqlite3.connect(box.table.state / FILE_NAME)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET body = '{}' WHERE seq = 5")
        connection.commit()
    ran = box.recovered()
    assert ran.code == 0, ran.err
    assert f"{len(longer) - box.floor.size} entries behind them added" in ran.out
    assert box.table.exported() == longer
    assert box.verified().code == 0


def test_what_a_copy_lacks_comes_from_the_floor(box: Box, tmp_path: Path) -> None:
    copy = shutil.copytree(box.table.state, tmp_path / "copy")
    play(box.table)
    box.floor.leaves = box.table.exported()
    box.floor.size = len(box.floor.leaves)
    box.floor.sign(key_of(box.table))
    lost(box.table.state)
    assert box.tell("recover", "--from", copy).code == 0
    assert len(box.table.exported()) < box.floor.size
    assert box.recovered().code == 0
    assert box.table.exported() == box.floor.leaves
    assert play(box.table, resume=True)["held"]["fault"] == "heads-doubted"
    assert box.verified().code == 0


def test_a_journal_that_is_well_is_left_alone(box: Box) -> None:
    before = there(box.table.state)
    ran = box.recovered()
    assert (ran.code, "there is nothing to recover" in ran.err) == (3, True)
    assert there(box.table.state) == before


def altered(leaf: int, old: bytes, new: bytes, said: str) -> Callable[[Box], str]:
    """A leaf of it is another."""

    def wrong(box: Box) -> str:
        box.floor.leaves[leaf] = box.floor.leaves[leaf].replace(old, new)
        return said

    return wrong


def instead(path: str, answer: Answer | None, said: str) -> Callable[[Box], str]:
    """To that path it says something else."""

    def wrong(box: Box) -> str:
        box.floor.instead = {path: answer}
        return said

    return wrong


def shorter(box: Box) -> str:
    number, width = box.floor.size // 256, box.floor.size % 256
    box.floor.instead = {path_of(number, width): (404, {}, b"")}
    return "which its checkpoint has"


def fewer_in_a_bundle(box: Box) -> str:
    box.floor.instead = {"entries/001": packed(box.floor.leaves[256:500])}
    return "is no bundle of 256"


def forked(box: Box) -> str:
    """Signed with a key of the collector's owner, under the table's name."""
    floor = box.floor
    floor.leaves[-1] = floor.leaves[-1].replace(b"stop", b"halt")
    forger = ControllerKey(box.table.folder / "forger")
    mine = f"table-controller/{forger.public.fingerprint[:16]}"
    floor.sign(forger)
    floor.text = floor.text.replace(mine, floor.origin)
    return "was not signed with a key that is known here"


def another_root(box: Box) -> str:
    box.floor.text = altered_root(box.floor.text)
    return "was not signed with a key that is known here"


def another_mirror(box: Box) -> str:
    box.floor.sign(key_of(box.table), Signer(box.table.folder / "other", MIRROR))
    return f"is not cosigned by {MIRROR}"


def unknown(box: Box) -> str:
    box.floor.origin = "table-controller/0123456789abcdef"
    return "has no log of this table"


def hangs(box: Box) -> str:
    box.floor.hangs.set()
    return "no answer of use (timed out)"


PACKED = {"Content-Encoding": "gzip"}
OTHERS = "are others than the table signed"
AWAY = "has the beginning of the table's journal no more"
SAYS_SO: Answer = (503, {}, b"entries 256 to 511 are altered\x1b[2J")


@pytest.mark.parametrize(
    "wrong",
    [
        *(shorter, fewer_in_a_bundle, forked, another_root, another_mirror, unknown, hangs),
        altered(300, b'"seq":301', b'"seq":301 ', OTHERS),
        altered(300, b"not in the group", b"was in the group", OTHERS),
        altered(300, b"{", b"\xff{", "entry 301, as http://127.0.0.1:"),
        instead("entries/000", (404, {}, b"removed by age"), AWAY),
        instead("entries/001", None, "no answer of use (it was cut off)"),
        instead("entries/001", (200, PACKED, b"no gzip at all"), "no answer of use"),
        instead("entries/001", (200, PACKED, gzip.compress(bytes(1 << 26))), "it has more than"),
        instead("entries/001", SAYS_SO, "it answers 503: entries 256 to 511 are altered?[2J"),
        instead("entries/001", (302, {"Location": "/mirror"}, b""), "it answers 302"),
    ],
)
def test_a_floor_that_is_not_right_changes_nothing(
    box: Box, mocker: MockerFixture, wrong: Callable[[Box], str]
) -> None:
    said = wrong(box)
    mocker.patch("controller.upkeep.floor_log.STEP_S", 0.3)
    lost(box.table.state)
    before = there(box.table.state)
    ran = box.recovered()
    assert (ran.code, said in ran.err) == (1, True), ran.err
    assert there(box.table.state) == before


def test_a_request_that_failed_is_repeated_once(box: Box, mocker: MockerFixture) -> None:
    asked = box.floor.answer
    answers: Iterator[Answer | None] = iter([None, (503, {}, b"busy")])
    mocker.patch.object(box.floor, "answer", lambda path: next(answers, asked(path)))
    before = box.table.exported()
    lost(box.table.state)
    assert box.recovered().code == 1, "two in a row"
    assert box.recovered().code == 0
    assert box.table.exported() == before


def test_what_it_cannot_do_without(box: Box, tmp_path: Path) -> None:
    lost(box.table.state)
    vkeys = box.table.configuration.with_name("journal.vkey")
    vkeys.unlink()
    ran = box.recovered()
    assert (ran.code, "no key counts" in ran.err) == (2, True)
    told = box.table.configuration.read_text(encoding="utf-8")
    box.table.configuration.write_text(told.partition("[floor]")[0], encoding="utf-8")
    ran = box.recovered("--key", box.table.vkey)
    assert (ran.code, "has no [floor]" in ran.err) == (2, True)
    box.table.configuration.write_text(told, encoding="utf-8")
    assert box.recovered("--key", box.table.vkey).code == 0
    given = ["--from", box.floor.url, "--config", box.table.configuration, "--key", box.table.vkey]
    for url in ("ftp://floor.example/mirror", "http://", "http://floor.example:x/mirror"):
        ran = box.tablectl(
            "journal", "recover", "--state", box.table.state, "--from", url, *given[2:]
        )
        assert (ran.code, "expected http://" in ran.err) == (2, True), ran.err
    ran = box.tablectl("journal", "recover", "--state", tmp_path / "none", *given)
    assert (ran.code, "is no directory" in ran.err) == (1, True)
