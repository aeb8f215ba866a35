"""``journal archive`` and ``journal verify --archive``."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.heads import append_head, read_head
from controller.evidence.recorded import found_at_start
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader, closed_files
from controller.replay.recovery import recover
from controller.upkeep.closure import PARTIAL, closing_steps
from controller.upkeep.next_start import REQUEST
from controller.upkeep.successor import Signatory
from tests.cli.support import Played, Ran, StoppedTable, Tablectl, close, sign, signed_from_here
from tests.daemon.process import Place, running
from tests.daemon.sealed import play
from tests.journal.helpers import KEY, OTHER_KEY, forging, opened
from tests.upkeep.archives import MOMENT
from tests.verifier.support import Told, verifier


def start_on(state: Path, **more: object) -> None:
    """A controller's start on a journal that goes on from an archived one."""
    with opened(state, boot_id="c") as journal:
        [start] = signed_from_here(state, [Played().drafts[0]])
        told = replace(start, body={**start.body, **more})
        journal.append([told], 0, "2026-11-21T12:00:00+00:00")
    sign(state)


@dataclass
class Shelf(StoppedTable):
    """A stopped table's journal in ``folder``, with signed heads, and where it is archived to."""

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    def tell(self, *words: object) -> Ran:
        """Give a command about the journal."""
        return self.tablectl("journal", *words, "--state", self.state)

    def line(self, *more: object) -> Ran:
        """Verify it with all before it."""
        return self.tell("verify", "--archive", self.archive, *more)

    def ask(self, *more: object) -> Ran:
        """Have it archived."""
        return self.tell("archive", "--to", self.archive, *more)

    def show(self, *which: object) -> Ran:
        return self.tablectl("round", "show", *which, "--state", self.state)

    def archived(self) -> Ran:
        """Asked for, closed by a start, given again, and removed where it was closed."""
        asked = self.ask("--json")
        assert (asked.code, asked.json) == (0, {"requested": True})
        close(self.state)
        ran = self.ask("--json")
        shutil.rmtree(self.state / "archive")
        return ran


@pytest.fixture
def shelf(tmp_path: Path, tablectl: Tablectl) -> Shelf:
    played = Played()
    played.a_round()
    played.dealer("next")
    state = played.write(tmp_path / "state")
    sign(state, 3, 5)
    sign(state)
    made = Shelf(tmp_path, tablectl)
    made.archive.mkdir()
    return made


def test_a_journal_goes_to_the_archive_and_a_new_one_goes_on(shelf: Shelf) -> None:
    before = shelf.tablectl("counters", "--state", shelf.state, "--json").json
    last = shelf.tell("verify", "--json").json["last_seq"]
    ran = shelf.archived()
    assert ran.code == 0
    heads, path = sorted(shelf.archive.iterdir())
    assert ran.json == {"archived": str(path), "heads": str(heads)}
    alone = shelf.tell("verify", "--json").json
    assert (alone["well"], alone["entries"], alone["last_seq"]) == (True, 1, last + 1)
    assert alone["heads"] == 0
    line = shelf.line("--json").json
    assert (line["well"], line["entries"], line["heads"]) == (True, last + 1, 3)
    assert shelf.tablectl("counters", "--state", shelf.state, "--json").json == before


def test_a_controller_closes_it_at_its_next_start_and_the_command_then_copies(
    shelf: Shelf,
) -> None:
    place = Place(shelf.folder / "place")
    play(place, "open", "wager 1 main 10", "undo", "undo")
    before = {path.name: path.read_bytes() for path in place.state.glob("journal*")}
    command = ("journal", "archive", "--state", place.state, "--to", shelf.archive)
    ran = shelf.tablectl(*command)
    assert (ran.code, "start the controller, then give it again" in ran.out) == (0, True)
    assert {path.name: path.read_bytes() for path in place.state.glob("journal*")} == before
    ran = shelf.tablectl(*command)
    assert (ran.code, "is not closed yet: start the controller" in ran.err) == (3, True)
    assert list(shelf.archive.iterdir()) == []
    with running(place) as daemon:
        [file] = closed_files(place.state)
        (shelf.archive / (file.name + PARTIAL)).write_bytes(b"a copy that was cut off")
        ran = shelf.tablectl(
            "journal", "archive", "--socket", place.socket, "--to", shelf.archive, "--json"
        )
        assert (ran.code, ran.json["archived"]) == (0, str(shelf.archive / file.name))
        assert sorted(path.name for path in shelf.archive.iterdir()) == sorted(
            path.name for path in file.parent.iterdir()
        )
        ran = shelf.tablectl(*command)
        assert (ran.code, "only a stopped table's journal" in ran.err) == (3, True)
        _, log = daemon.stop()
    assert "'tablectl journal archive' asked for it" in log
    assert (
        shelf.tablectl("journal", "verify", "--state", place.state, "--archive", shelf.archive).code
        == 0
    )


def test_a_copy_that_was_cut_off_is_made_again(shelf: Shelf, mocker: MockerFixture) -> None:
    """Running or stopped; what lies there already is compared, and never written over."""
    assert shelf.ask().code == 0
    file = close(shelf.state)
    mocker.patch("controller.upkeep.closure.sync_directory", side_effect=OSError(5, "I/O"))
    assert shelf.ask().code == 1
    mocker.stopall()
    lock = StateLock(shelf.state)
    try:
        assert shelf.ask().code == 0
    finally:
        lock.release()
    assert (shelf.archive / file.name).read_bytes() == file.read_bytes()
    (shelf.state / REQUEST).write_text(file.name.split("-")[1], "ascii")  # cut off behind the copy
    assert shelf.ask().code == 0
    (shelf.state / REQUEST).write_text(file.name.split("-")[1], "ascii")
    (shelf.archive / file.name).chmod(0o600)
    (shelf.archive / file.name).write_bytes(b"another's")
    ran = shelf.ask()
    assert (ran.code, "is another file than" in ran.err) == (3, True)
    assert (shelf.archive / file.name).read_bytes() == b"another's"


def test_a_request_that_nothing_can_answer_any_more_is_begun_anew(shelf: Shelf) -> None:
    """A night took the closed file and removed it, and nobody gave the command again."""
    assert shelf.ask("--json").json == {"requested": True}
    stale = (shelf.state / REQUEST).read_text("ascii")
    close(shelf.state).unlink()
    start_on(shelf.state)
    ran = shelf.ask("--json")
    assert (ran.code, ran.json) == (0, {"requested": True})
    told = f"an earlier request was for the journal {stale.strip()}, which is not here any more"
    assert told in ran.err
    asked = (shelf.state / REQUEST).read_text("ascii")
    with JournalReader(shelf.state) as reader:
        assert asked.strip() == reader.identity.hex() != stale.strip()
    again = shelf.ask("--json")
    assert (again.code, "is not closed yet" in again.err) == (3, True)
    file = close(shelf.state)
    assert shelf.ask("--json").json["archived"] == str(shelf.archive / file.name)


def test_a_successor_is_held_against_what_it_goes_on_from(shelf: Shelf) -> None:
    """Its first entry is signed like any other; one that says something else was played is found
    with the file before it."""
    with JournalReader(shelf.state) as reader:
        body = recover(reader, reader.iterate).counted.dump()
    other = json.loads(json.dumps(body).replace('"paid": 20000', '"paid": 90000'))
    assert other != body
    table = Signatory("P12", shelf.heads, KEY)
    assert dict(closing_steps(shelf.state, other, MOMENT, table))
    assert shelf.tell("verify").code == 0
    line = ("journal", "verify", "--state", shelf.state, "--archive", shelf.state / "archive")
    ran = shelf.tablectl(*line)
    assert (ran.code, "paid" in ran.out) == (1, True), ran.out
    with forging(shelf.state) as connection:
        connection.execute("DELETE FROM signed")
    ran = shelf.tell("verify")
    assert (ran.code, "it has no signed row" in ran.out) == (1, True)


@pytest.mark.parametrize("closed", [1, 2])
@pytest.mark.parametrize("form", [(), ("--json", "--course")])
def test_a_round_that_was_archived_is_shown_from_the_archive(
    shelf: Shelf, closed: int, form: tuple[str, ...]
) -> None:
    before = shelf.show("1", *form)
    for at in range(closed):
        if at:
            start_on(shelf.state)
        last = shelf.tell("verify", "--json").json["last_seq"]
        assert shelf.archived().code == 0
    for argv, which in ([], "no round yet"), (["1"], "no round 1"), (["7"], "no round 7"):
        ran = shelf.show(*argv, *form)
        assert (ran.code, ran.out) == (2, "")
        assert (
            f"has {which}; {shelf.state / 'journal.sqlite3'} goes on from entry {last}" in ran.err
        )
        assert "which was archived: name the directory that has it with --archive DIR" in ran.err
    there = ("--archive", shelf.archive)
    for number in ("1", "last"):
        assert shelf.show(number, *form, *there) == before
    ran = shelf.show("7", *form, *there)
    assert (ran.code, f"and the {closed} closed before it have no round 7\n" in ran.err) == (
        2,
        True,
    )
    shelf.archive.rename(shelf.state / "archive")  # where the controller itself closes them to
    assert shelf.show("1", *form) == before


def test_an_archive_that_has_not_all_is_said(shelf: Shelf) -> None:
    before = shelf.show("1")
    nowhere = shelf.archive / "nowhere"
    there = ("--archive", nowhere)
    assert shelf.show("1", *there) == before  # which is not looked into for that
    ran = shelf.show("2", *there)
    assert (ran.code, ran.err) == (2, f"tablectl: {nowhere} is no directory of archived journals\n")
    assert shelf.archived().code == 0
    [file] = shelf.archive.glob("*.sqlite3")
    moved = file.rename(shelf.archive / "elsewhere")
    ran = shelf.show("1", "--archive", shelf.archive)
    assert (ran.code, f"which is not in {shelf.archive}: name" in ran.err) == (2, True)
    moved.rename(file).chmod(0o600)
    file.write_bytes(b"")
    ran = shelf.show("1", "--archive", shelf.archive)
    assert (ran.code, f"{file} cannot be read" in ran.err) == (2, True)


def test_a_journal_that_is_not_well_stays(shelf: Shelf) -> None:
    with forging(shelf.state) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
    ran = shelf.ask()
    assert ran.code == 1
    assert "is not well, and stays where it is: entry 4" in ran.err
    assert list(shelf.archive.iterdir()) == []


def test_what_the_heads_tell_against_a_journal_keeps_it_where_it_is(shelf: Shelf) -> None:
    heads = shelf.heads
    first, *_, last = shelf.signed
    heads.write_text("", "ascii")
    append_head(heads, replace(first, digest="00" * 32).signed(KEY))
    append_head(heads, last)
    ran = shelf.ask()
    assert (ran.code, f"stays where it is: entry {first.seq}" in ran.err) == (1, True)
    assert not (shelf.state / REQUEST).exists()


@pytest.mark.parametrize(
    ("commands", "where"),
    [
        (("open", "wager 1 main 100"), "betting"),
        (("open", "wager 1 main 100", "close"), "deal.first_cards"),
    ],
)
def test_nothing_is_archived_in_mid_round(
    shelf: Shelf, commands: tuple[str, ...], where: str
) -> None:
    shutil.rmtree(shelf.state)
    played = Played()
    played.dealer(*commands)
    sign(played.write(shelf.state))
    ran = shelf.ask()
    assert (ran.code, f"not between rounds ({where})" in ran.err) == (3, True)
    assert list(shelf.archive.iterdir()) == []


def test_the_archive_and_the_journal_have_to_be_there(shelf: Shelf) -> None:
    nowhere = shelf.archive / "none"
    assert shelf.tell("archive", "--to", nowhere).code == 2
    assert shelf.tablectl("journal", "archive", "--state", shelf.archive, "--to", nowhere).code == 2
    assert shelf.tell("archive").code == 2
    told = shelf.tell("verify", "--archive", nowhere)
    assert (told.code, "NOT WELL" in told.out) == (2, False), "that is no finding"
    assert f"{nowhere} is no directory: is its medium there?" in told.err


def test_what_is_wrong_with_the_line_is_named(shelf: Shelf) -> None:
    assert shelf.archived().code == 0
    [path] = shelf.archive.glob("*.sqlite3")
    path.rename(shelf.archive / "elsewhere")
    ran = shelf.line()
    assert ran.code == 1
    assert "goes on from entry" in ran.out
    (shelf.archive / "elsewhere").rename(path)
    assert shelf.line().code == 0
    path.chmod(0o600)
    path.rename(shelf.archive / "journal.sqlite3")
    with forging(shelf.archive) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
    (shelf.archive / "journal.sqlite3").rename(path)
    ran = shelf.line()
    assert ran.code == 1
    assert f"{path.name}: entry 4: was changed" in ran.out


def test_remarks_of_archived_files_are_told_with_their_names(shelf: Shelf) -> None:
    with JournalReader(shelf.state) as reader:
        cover, name = reader.cover([KEY.public]), reader.identity
    found = found_at_start("heads-doubted", "another key", name, cover)
    start_on(shelf.state, found=found)
    assert shelf.archived().code == 0
    [path] = shelf.archive.glob("*.sqlite3")
    alone = shelf.tell("verify", "--json").json["remarks"]
    ran = shelf.line("--json")
    told = f"{path.name}: entry {cover.last.seq + 1}: from here on another key"
    assert [one.startswith(told) for one in ran.json["remarks"]] == [True] + [False] * len(alone)
    assert (ran.code, ran.json["well"]) == (0, True)
    assert told in shelf.line().out


def test_heads_in_the_archive_are_compared(shelf: Shelf) -> None:
    assert shelf.archived().code == 0
    [path] = shelf.archive.glob("*.heads.jsonl")
    whole = path.read_text("ascii")
    path.chmod(0o600)
    path.write_text(whole.replace('"seq":3', '"seq":4'), "ascii")
    ran = shelf.line("--json")
    assert ran.code == 1
    assert "is for entry 4 and was not signed with the controller's key" in str(
        ran.json["findings"]
    )
    path.unlink()  # as archives of earlier versions are
    ran = shelf.line("--json")
    assert (ran.code, ran.json["heads"]) == (0, 0)


def test_the_head_that_stays_must_be_what_the_journal_goes_on_from(shelf: Shelf) -> None:
    assert shelf.archived().code == 0
    [kept] = shelf.signed
    (shelf.heads).unlink()
    for other in (replace(kept, seq=kept.seq + 1), replace(kept, digest="0" * 64)):
        append_head(shelf.heads, other.signed(KEY))
        ran = shelf.tell("verify", "--json")
        assert ran.code == 1
        assert "the journal goes on from another entry" in ran.json["findings"][0]["what"]
    append_head(shelf.heads, kept)
    assert shelf.tell("verify").code == 0
    assert shelf.tell("key", "--json").json["key"] == KEY.public.text


def test_a_line_that_nobody_signed_hides_no_head_of_the_archived_journal(shelf: Shelf) -> None:
    assert shelf.archived().code == 0
    [kept] = shelf.signed
    path = shelf.heads
    append_head(path, replace(kept, signature="0" * len(kept.signature)))
    told = [finding["what"] for finding in shelf.tell("verify", "--json").json["findings"]]
    unsigned = f"of {path} is for entry {kept.seq} and was not signed with the controller's key"
    assert told == [f"line 2 {unsigned}"]
    path.unlink()
    append_head(path, replace(kept, digest="0" * 64).signed(KEY))
    append_head(path, replace(kept, signature="0" * len(kept.signature)))
    append_head(path, kept.signed(OTHER_KEY))
    ran = shelf.tell("verify", "--json")
    assert ran.code == 1
    told = [finding["what"] for finding in ran.json["findings"]]
    assert told[:2] == [f"line 2 {unsigned}", f"line 3 {unsigned}"]
    assert f"was signed (line 1 of {path}), and the journal goes on from another" in told[2]


def test_each_part_of_the_line_is_what_the_inspectors_verifier_takes(shelf: Shelf) -> None:
    """An archived journal is looked into as the technician's page says: copied, with its heads,
    under the usual names. The one in force has the head that stayed."""
    assert shelf.archived().code == 0
    [kept] = shelf.heads.read_text("ascii").splitlines()
    sign(shelf.state)
    again = shelf.folder / "again"
    again.mkdir()
    for path in shelf.archive.iterdir():
        name = "heads.jsonl" if path.name.endswith(".heads.jsonl") else "journal.sqlite3"
        (again / name).write_bytes(path.read_bytes())

    def verified(place: Path, to: Path) -> Told:
        given = ("--state", place, "--evidence", to, "--json")
        told = shelf.tablectl("journal", "export", *given)
        assert told.code == 0, told.err
        heads = ("--heads", to / "heads.jsonl", "--key", to / "public-key.txt", "--json")
        return verifier(to / "journal.jsonl", *heads)

    for place in (again, shelf.state):
        told = verified(place, shelf.folder / f"evidence-{place.name}")
        assert told.status == 0, told.text
    assert told.json["other_heads"] == 1
    head = replace(read_head(kept), digest="0" * 64).signed(KEY)
    shelf.heads.write_text(shelf.heads.read_text("ascii").replace(kept, head.line), "ascii")
    told = verified(shelf.state, shelf.folder / "evidence-altered")
    assert told.status == 1
    assert "but this one goes on from another entry" in told.found[0]
