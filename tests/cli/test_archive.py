"""``journal archive`` and ``journal verify --archive``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.heads import SignedHead, append_head, heads_in, read_head
from controller.evidence.recorded import found_at_start
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader, closed_files
from controller.replay.recovery import recover
from controller.upkeep.closure import PARTIAL, closing_steps
from controller.upkeep.next_start import REQUEST
from controller.upkeep.successor import Signatory
from tests.cli.support import ROOT, Played, Ran, Tablectl, close, sign, signed_from_here
from tests.daemon.process import Place, running
from tests.daemon.sealed import play
from tests.journal.helpers import KEY, OTHER_KEY, forging, opened
from tests.upkeep.archives import MOMENT

VERIFIER = ROOT / "verifier" / "verify_journal.py"


def start_on(state: Path, **more: object) -> None:
    """A controller's start on a journal that goes on from an archived one."""
    with opened(state, boot_id="c") as journal:
        [start] = signed_from_here(state, [Played().drafts[0]])
        told = replace(start, body={**start.body, **more})
        journal.append([told], 0, "2026-11-21T12:00:00+00:00")
    sign(state)


def archived(tablectl: Tablectl, state: Path, archive: Path) -> Ran:
    """Asked for, closed by a start, given again, and removed where it was closed."""
    command = ("journal", "archive", "--state", state, "--to", archive, "--json")
    asked = tablectl(*command)
    assert (asked.code, asked.json) == (0, {"requested": True})
    close(state)
    ran = tablectl(*command)
    shutil.rmtree(state / "archive")
    return ran


@pytest.fixture
def state(tmp_path: Path) -> Path:
    played = Played()
    played.a_round()
    played.dealer("next")
    state = played.write(tmp_path / "state")
    sign(state, 3, 5)
    sign(state)
    return state


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


def test_a_journal_goes_to_the_archive_and_a_new_one_goes_on(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    before = tablectl("counters", "--state", state, "--json").json
    last = tablectl("journal", "verify", "--state", state, "--json").json["last_seq"]
    ran = archived(tablectl, state, archive)
    assert ran.code == 0
    heads, path = sorted(archive.iterdir())
    assert ran.json == {"archived": str(path), "heads": str(heads)}
    alone = tablectl("journal", "verify", "--state", state, "--json").json
    assert (alone["well"], alone["entries"], alone["last_seq"]) == (True, 1, last + 1)
    assert alone["heads"] == 0
    line = tablectl("journal", "verify", "--state", state, "--archive", archive, "--json").json
    assert (line["well"], line["entries"], line["heads"]) == (True, last + 1, 3)
    assert tablectl("counters", "--state", state, "--json").json == before


def test_a_controller_closes_it_at_its_next_start_and_the_command_then_copies(
    tablectl: Tablectl, tmp_path: Path, archive: Path
) -> None:
    place = Place(tmp_path / "place")
    play(place, "open", "wager 1 main 10", "undo", "undo")
    before = {path.name: path.read_bytes() for path in place.state.glob("journal*")}
    command = ("journal", "archive", "--state", place.state, "--to", archive)
    ran = tablectl(*command)
    assert (ran.code, "start the controller, then give it again" in ran.out) == (0, True)
    assert {path.name: path.read_bytes() for path in place.state.glob("journal*")} == before
    ran = tablectl(*command)
    assert (ran.code, "is not closed yet: start the controller" in ran.err) == (3, True)
    assert list(archive.iterdir()) == []
    with running(place) as daemon:
        [file] = closed_files(place.state)
        (archive / (file.name + PARTIAL)).write_bytes(b"a copy that was cut off")
        ran = tablectl("journal", "archive", "--socket", place.socket, "--to", archive, "--json")
        assert (ran.code, ran.json["archived"]) == (0, str(archive / file.name))
        assert sorted(path.name for path in archive.iterdir()) == sorted(
            path.name for path in file.parent.iterdir()
        )
        ran = tablectl(*command)
        assert (ran.code, "only a stopped table's journal" in ran.err) == (3, True)
        _, log = daemon.stop()
    assert "'tablectl journal archive' asked for it" in log
    assert tablectl("journal", "verify", "--state", place.state, "--archive", archive).code == 0


def test_a_copy_that_was_cut_off_is_made_again(
    tablectl: Tablectl, state: Path, archive: Path, mocker: MockerFixture
) -> None:
    """Running or stopped; what lies there already is compared, and never written over."""
    command = ("journal", "archive", "--state", state, "--to", archive)
    assert tablectl(*command).code == 0
    file = close(state)
    mocker.patch("controller.upkeep.closure.sync_directory", side_effect=OSError(5, "I/O"))
    assert tablectl(*command).code == 1
    mocker.stopall()
    lock = StateLock(state)
    try:
        assert tablectl(*command).code == 0
    finally:
        lock.release()
    assert (archive / file.name).read_bytes() == file.read_bytes()
    (state / REQUEST).write_text(file.name.split("-")[1], "ascii")  # cut off behind the copy
    assert tablectl(*command).code == 0
    (state / REQUEST).write_text(file.name.split("-")[1], "ascii")
    (archive / file.name).chmod(0o600)
    (archive / file.name).write_bytes(b"another's")
    ran = tablectl(*command)
    assert (ran.code, "is another file than" in ran.err) == (3, True)
    assert (archive / file.name).read_bytes() == b"another's"


def test_a_request_that_nothing_can_answer_any_more_is_begun_anew(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    """A night took the closed file and removed it, and nobody gave the command again."""
    command = ("journal", "archive", "--state", state, "--to", archive, "--json")
    assert tablectl(*command).json == {"requested": True}
    stale = (state / REQUEST).read_text("ascii")
    close(state).unlink()
    start_on(state)
    ran = tablectl(*command)
    assert (ran.code, ran.json) == (0, {"requested": True})
    told = f"an earlier request was for the journal {stale.strip()}, which is not here any more"
    assert told in ran.err
    asked = (state / REQUEST).read_text("ascii")
    with JournalReader(state) as reader:
        assert asked.strip() == reader.identity.hex() != stale.strip()
    again = tablectl(*command)
    assert (again.code, "is not closed yet" in again.err) == (3, True)
    file = close(state)
    assert tablectl(*command).json["archived"] == str(archive / file.name)


def test_a_successor_is_held_against_what_it_goes_on_from(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    """Its first entry is signed like any other; one that says something else was played is found
    with the file before it."""
    with JournalReader(state) as reader:
        body = recover(reader, reader.iterate).counted.dump()
    other = json.loads(json.dumps(body).replace('"paid": 20000', '"paid": 90000'))
    assert other != body
    table = Signatory("P12", state / "heads.jsonl", KEY)
    assert dict(closing_steps(state, other, MOMENT, table))
    assert tablectl("journal", "verify", "--state", state).code == 0
    line = ("journal", "verify", "--state", state, "--archive", state / "archive")
    ran = tablectl(*line)
    assert (ran.code, "paid" in ran.out) == (1, True), ran.out
    with forging(state) as connection:
        connection.execute("DELETE FROM signed")
    ran = tablectl("journal", "verify", "--state", state)
    assert (ran.code, "it has no signed row" in ran.out) == (1, True)


@pytest.mark.parametrize("closed", [1, 2])
@pytest.mark.parametrize("form", [(), ("--json",), ("--json", "--course")])
def test_a_round_that_was_archived_is_shown_from_the_archive(
    tablectl: Tablectl, state: Path, archive: Path, closed: int, form: tuple[str, ...]
) -> None:
    before = tablectl("round", "show", "1", *form, "--state", state)
    for at in range(closed):
        if at:
            start_on(state)
        last = tablectl("journal", "verify", "--state", state, "--json").json["last_seq"]
        assert archived(tablectl, state, archive).code == 0
    for argv, which in ([], "no round yet"), (["1"], "no round 1"), (["7"], "no round 7"):
        ran = tablectl("round", "show", *argv, *form, "--state", state)
        assert (ran.code, ran.out) == (2, "")
        assert f"has {which}; {state / 'journal.sqlite3'} goes on from entry {last}" in ran.err
        assert "which was archived: name the directory that has it with --archive DIR" in ran.err
    there = ("--state", state, "--archive", archive)
    for number in ("1", "last"):
        assert tablectl("round", "show", number, *form, *there) == before
    ran = tablectl("round", "show", "7", *form, *there)
    assert (ran.code, f"and the {closed} closed before it have no round 7\n" in ran.err) == (
        2,
        True,
    )
    archive.rename(state / "archive")  # where the controller itself closes them to
    assert tablectl("round", "show", "1", *form, "--state", state) == before


def test_an_archive_that_has_not_all_is_said(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    before = tablectl("round", "show", "1", "--state", state)
    nowhere = archive / "nowhere"
    there = ("--state", state, "--archive", nowhere)
    assert tablectl("round", "show", "1", *there) == before  # which is not looked into for that
    ran = tablectl("round", "show", "2", *there)
    assert (ran.code, ran.err) == (2, f"tablectl: {nowhere} is no directory of archived journals\n")
    assert archived(tablectl, state, archive).code == 0
    [file] = archive.glob("*.sqlite3")
    moved = file.rename(archive / "elsewhere")
    ran = tablectl("round", "show", "1", "--state", state, "--archive", archive)
    assert (ran.code, f"which is not in {archive}: name" in ran.err) == (2, True)
    moved.rename(file).chmod(0o600)
    file.write_bytes(b"")
    ran = tablectl("round", "show", "1", "--state", state, "--archive", archive)
    assert (ran.code, f"{file} cannot be read" in ran.err) == (2, True)


def test_a_journal_that_is_not_well_stays(tablectl: Tablectl, state: Path, archive: Path) -> None:
    with forging(state) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
    ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    assert ran.code == 1
    assert "is not well, and stays where it is: entry 4" in ran.err
    assert list(archive.iterdir()) == []


def test_what_the_heads_tell_against_a_journal_keeps_it_where_it_is(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    heads = state / "heads.jsonl"
    first, *_, last = [head for _, head in heads_in(heads) if isinstance(head, SignedHead)]
    heads.write_text("", "ascii")
    append_head(heads, replace(first, digest="00" * 32).signed(KEY))
    append_head(heads, last)
    ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    assert (ran.code, f"stays where it is: entry {first.seq}" in ran.err) == (1, True)
    assert not (state / REQUEST).exists()


@pytest.mark.parametrize(
    ("commands", "where"),
    [
        (("open", "wager 1 main 100"), "betting"),
        (("open", "wager 1 main 100", "close"), "deal.first_cards"),
    ],
)
def test_nothing_is_archived_in_mid_round(
    tablectl: Tablectl, tmp_path: Path, archive: Path, commands: tuple[str, ...], where: str
) -> None:
    played = Played()
    played.dealer(*commands)
    state = played.write(tmp_path / "state")
    sign(state)
    ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    assert ran.code == 3
    assert f"not between rounds ({where})" in ran.err
    assert list(archive.iterdir()) == []


def test_nothing_is_archived_while_a_controller_runs(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    lock = StateLock(state)
    try:
        ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    finally:
        lock.release()
    assert ran.code == 3
    assert "only a stopped table's journal is archived" in ran.err


def test_the_archive_and_the_journal_have_to_be_there(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    assert tablectl("journal", "archive", "--state", state, "--to", archive / "none").code == 2
    assert tablectl("journal", "archive", "--state", archive, "--to", archive).code == 2
    assert tablectl("journal", "archive", "--state", state).code == 2


def test_an_archive_that_is_not_there_is_no_finding(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    nowhere = tmp_path / "nowhere"
    told = tablectl("journal", "verify", "--state", state, "--archive", nowhere)
    assert told.code == 2
    assert f"{nowhere} is no directory: is its medium there?" in told.err
    assert "NOT WELL" not in told.out


def test_what_is_wrong_with_the_line_is_named(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    assert archived(tablectl, state, archive).code == 0
    verifying = ("journal", "verify", "--state", state, "--archive", archive)
    [path] = archive.glob("*.sqlite3")
    path.rename(archive / "elsewhere")
    ran = tablectl(*verifying)
    assert ran.code == 1
    assert "goes on from entry" in ran.out
    (archive / "elsewhere").rename(path)
    assert tablectl(*verifying).code == 0
    path.chmod(0o600)
    path.rename(archive / "journal.sqlite3")
    with forging(archive) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
    (archive / "journal.sqlite3").rename(path)
    ran = tablectl(*verifying)
    assert ran.code == 1
    assert f"{path.name}: entry 4: was changed" in ran.out


def test_remarks_of_archived_files_are_told_with_their_names(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    with JournalReader(state) as reader:
        cover, name = reader.cover([KEY.public]), reader.identity
    found = found_at_start("heads-doubted", "another key", name, cover)
    start_on(state, found=found)
    assert archived(tablectl, state, archive).code == 0
    verifying = ("journal", "verify", "--state", state, "--archive", archive)
    [path] = archive.glob("*.sqlite3")
    alone = tablectl("journal", "verify", "--state", state, "--json").json["remarks"]
    ran = tablectl(*verifying, "--json")
    told = f"{path.name}: entry {cover.last.seq + 1}: from here on another key"
    assert [one.startswith(told) for one in ran.json["remarks"]] == [True] + [False] * len(alone)
    assert (ran.code, ran.json["well"]) == (0, True)
    assert told in tablectl(*verifying).out


def test_heads_in_the_archive_are_compared(tablectl: Tablectl, state: Path, archive: Path) -> None:
    assert archived(tablectl, state, archive).code == 0
    verifying = ("journal", "verify", "--state", state, "--archive", archive, "--json")
    [path] = archive.glob("*.heads.jsonl")
    whole = path.read_text("ascii")
    path.chmod(0o600)
    path.write_text(whole.replace('"seq":3', '"seq":4'), "ascii")
    ran = tablectl(*verifying)
    assert ran.code == 1
    assert "is for entry 4 and was not signed with the controller's key" in str(
        ran.json["findings"]
    )
    path.unlink()  # as archives of earlier versions are
    ran = tablectl(*verifying)
    assert (ran.code, ran.json["heads"]) == (0, 0)


def test_the_head_that_stays_must_be_what_the_journal_goes_on_from(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    assert archived(tablectl, state, archive).code == 0
    [kept] = [head for _, head in heads_in(state / "heads.jsonl") if isinstance(head, SignedHead)]
    (state / "heads.jsonl").unlink()
    for other in (replace(kept, seq=kept.seq + 1), replace(kept, digest="0" * 64)):
        append_head(state / "heads.jsonl", other.signed(KEY))
        ran = tablectl("journal", "verify", "--state", state, "--json")
        assert ran.code == 1
        assert "the journal goes on from another entry" in ran.json["findings"][0]["what"]
    append_head(state / "heads.jsonl", kept)
    assert tablectl("journal", "verify", "--state", state).code == 0
    assert tablectl("journal", "key", "--state", state, "--json").json["key"] == KEY.public.text


def test_a_line_that_nobody_signed_hides_no_head_of_the_archived_journal(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    assert archived(tablectl, state, archive).code == 0
    [kept] = [head for _, head in heads_in(state / "heads.jsonl") if isinstance(head, SignedHead)]
    path = state / "heads.jsonl"
    verifying = ("journal", "verify", "--state", state, "--json")
    append_head(path, replace(kept, signature="0" * len(kept.signature)))
    told = [finding["what"] for finding in tablectl(*verifying).json["findings"]]
    unsigned = f"of {path} is for entry {kept.seq} and was not signed with the controller's key"
    assert told == [f"line 2 {unsigned}"]
    path.unlink()
    append_head(path, replace(kept, digest="0" * 64).signed(KEY))
    append_head(path, replace(kept, signature="0" * len(kept.signature)))
    append_head(path, kept.signed(OTHER_KEY))
    ran = tablectl(*verifying)
    assert ran.code == 1
    told = [finding["what"] for finding in ran.json["findings"]]
    assert told[:2] == [f"line 2 {unsigned}", f"line 3 {unsigned}"]
    assert f"was signed (line 1 of {path}), and the journal goes on from another" in told[2]


def test_each_part_of_the_line_is_what_the_inspectors_verifier_takes(
    tablectl: Tablectl, state: Path, archive: Path, tmp_path: Path
) -> None:
    """An archived journal is looked into as the technician's page says: copied, with its heads,
    under the usual names. The one in force has the head that stayed."""
    assert archived(tablectl, state, archive).code == 0
    [kept] = (state / "heads.jsonl").read_text("ascii").splitlines()
    sign(state)
    again = tmp_path / "again"
    again.mkdir()
    for path in archive.iterdir():
        name = "heads.jsonl" if path.name.endswith(".heads.jsonl") else "journal.sqlite3"
        (again / name).write_bytes(path.read_bytes())

    def verified(place: Path, to: Path) -> Ran:
        told = tablectl("journal", "export", "--state", place, "--evidence", to, "--json")
        assert told.code == 0, told.err
        given = ("--heads", to / "heads.jsonl", "--key", to / "public-key.txt", "--json")
        ran = subprocess.run(
            [sys.executable, "-I", VERIFIER, to / "journal.jsonl", *given],
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    for place in (again, state):
        ran = verified(place, tmp_path / f"evidence-{place.name}")
        assert ran.code == 0, ran.out
    assert ran.json["other_heads"] == 1
    head = replace(read_head(kept), digest="0" * 64).signed(KEY)
    path = state / "heads.jsonl"
    path.write_text(path.read_text("ascii").replace(kept, head.line), "ascii")
    ran = verified(state, tmp_path / "evidence-altered")
    assert ran.code == 1
    assert "but this one goes on from another entry" in ran.json["findings"][0]["what"]
