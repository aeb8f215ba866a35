"""Recovery from the second copy: nothing that can be proven is lost, nothing is deleted."""

from __future__ import annotations

import os
import shutil
from itertools import islice
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.cli.main import main
from controller.evidence.examine import examine
from controller.journal import commits, rows
from controller.journal.chain import chained, digest_of
from controller.journal.errors import (
    CannotRecover,
    DamagedJournal,
    NotAJournal,
    NothingToRecover,
    StateInUse,
)
from controller.journal.lock import StateLock
from controller.journal.model import Draft
from controller.journal.opening import RECOVERING
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.upkeep import recover as recovery
from controller.upkeep.closure import tidy
from controller.upkeep.known_elsewhere import closed_before
from controller.upkeep.next_start import marked
from controller.upkeep.recover import recover
from tests.journal.helpers import (
    KEY,
    OTHER_KEY,
    check,
    cover,
    entry,
    forging,
    opened,
    sample,
    write,
)
from tests.upkeep.archives import closed, going
from tests.upkeep.test_second_copy import contents, copied

NONE = "and none behind entry 10 is taken over"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal of ten entries, which has a copy."""
    sample(tmp_path / "state")
    assert copied(tmp_path) == 10
    return tmp_path / "state"


@pytest.fixture
def copy(tmp_path: Path, state: Path) -> Path:
    """Its copy."""
    return tmp_path / "copy"


def damage(state: Path, seq: int) -> None:
    with forging(state) as connection:
        connection.execute("UPDATE entry SET body = '{}' WHERE seq = ?", (seq,))


def files(directory: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in directory.iterdir()
        if path.is_file() and path.name != "lock"
    }


def test_a_damaged_journal_is_replaced_and_kept(state: Path, copy: Path) -> None:
    whole = contents(state)
    damage(state, 4)
    before = files(state)
    done = recover(state, copy, [KEY.public])
    assert (done.entries, done.last_seq, done.added, done.beyond) == (10, 10, 0, "")
    assert contents(state) == whole
    assert check(state).well
    assert marked(state) == f"it has entries up to 10 from the copy; kept as {FILE_NAME}.damaged-1"
    [kept] = done.kept
    assert kept.name == f"{FILE_NAME}.damaged-1"
    assert kept.read_bytes() == before[FILE_NAME]
    # Again, and the first one stays.
    damage(state, 5)
    assert [path.name for path in recover(state, copy, [KEY.public]).kept] == [
        f"{FILE_NAME}.damaged-2"
    ]
    assert kept.read_bytes() == before[FILE_NAME]
    with opened(state, boot_id="boot-two") as journal:
        assert len(list(journal.iterate())) == 10


def test_entries_behind_the_copy_are_added_as_far_as_they_are_signed(
    tmp_path: Path, state: Path, copy: Path
) -> None:
    more = write(state, *(entry(f"wager {n}") for n in range(5)), boot_id="boot-three")
    damage(state, 4)
    shutil.copytree(state, tmp_path / "also")
    done = recover(state, copy, [KEY.public])
    assert (done.last_seq, done.added, done.beyond) == (10, 5, "")
    assert check(state).well
    assert check(state).head == more[-1].digest.hex()

    damage(tmp_path / "also", 13)
    done = recover(tmp_path / "also", copy, [KEY.public])
    assert (done.last_seq, done.added) == (10, 0)
    left = f"entries 13 to 15 of {tmp_path / 'also' / FILE_NAME} do not follow"
    assert done.beyond == f"{left}, {NONE}"
    assert check(tmp_path / "also").well
    assert cover(tmp_path / "also").wrong == ""


@pytest.mark.parametrize("forge", ["no row", "another key", "an earlier row"])
def test_without_a_good_row_nothing_is_taken_over(state: Path, copy: Path, forge: str) -> None:
    with opened(state, boot_id="boot-two") as journal:
        journal.append([entry("open")], 11, "w")
        earlier = cover(state).row
        journal.append([entry("close")], 12, "w")
    damage(state, 4)
    with forging(state) as connection:
        match forge:
            case "no row":
                connection.execute("DELETE FROM signed")
            case "another key":
                last, identity = rows.head(connection), rows.identity(connection)
                commits.store_signature(connection, OTHER_KEY, identity, last, "w")
            case _:
                assert earlier is not None
                commits.copy(connection, earlier)
    done = recover(state, copy, [KEY.public])
    taken = 1 if forge == "an earlier row" else 0
    assert (done.last_seq, done.added) == (10, taken)
    assert (forge == "an earlier row") == (done.beyond == "")
    assert check(state).last_seq == 10 + taken
    assert cover(state).wrong == ""


def test_a_copy_is_taken_up_to_its_row(tmp_path: Path, state: Path, copy: Path) -> None:
    """What is behind it was on its way; the damaged journal's row tells what of that is true."""
    row = cover(copy).row
    write(state, entry("open"), entry("close"), boot_id="boot-two")
    assert copied(tmp_path) == 12
    assert row is not None
    with forging(copy) as connection:
        commits.copy(connection, row)
    shutil.copytree(copy, tmp_path / "longer")
    shutil.copytree(state, tmp_path / "gone")
    (tmp_path / "gone" / FILE_NAME).write_bytes(b"noise")
    done = recover(tmp_path / "gone", copy, [KEY.public])
    assert (done.last_seq, done.added) == (10, 0)
    assert "entries 11 to 12 of the copy are covered by no signature" in done.beyond
    assert check(tmp_path / "gone").well
    shutil.rmtree(copy)
    shutil.copytree(tmp_path / "longer", copy)
    damage(state, 4)
    assert (done := recover(state, copy, [KEY.public])).added == 2
    assert (done.beyond, cover(state).upto) == ("", 12)


def test_a_copy_that_goes_on_behind_what_was_taken_is_put_aside(
    tmp_path: Path, state: Path, copy: Path
) -> None:
    """It would keep every start from what was recovered, and every recovery would leave it so."""
    row = cover(copy).row
    assert row is not None
    write(state, entry("open"), entry("close"), boot_id="boot-two")
    assert copied(tmp_path) == 12
    with forging(copy) as connection:
        commits.copy(connection, row)
    whole = files(copy)
    (state / FILE_NAME).write_bytes(b"noise")
    done = recover(state, copy, [KEY.public])
    aside = [file for file in done.kept if file.parent == copy]
    assert {file.name.removesuffix(".damaged-1"): file.read_bytes() for file in aside} == whole
    assert copied(tmp_path) == 10
    with JournalReader(state) as journal, JournalReader(copy) as new:
        assert new.head == journal.head


@pytest.mark.parametrize("tidied", [True, False])
def test_a_closing_that_was_cut_off_leaves_no_closed_file_of_what_is_recovered(
    state: Path, copy: Path, tidied: bool
) -> None:
    """Every start would take what was recovered for an earlier state of that file."""
    assert dict(islice(going(state), 2))["named again"].samefile(state / FILE_NAME)
    (state / FILE_NAME).write_bytes(b"noise")
    if tidied:  # by a start, which then cannot read it
        with pytest.raises(NotAJournal):
            tidy(state)
    assert recover(state, copy, [KEY.public]).entries == 10
    with JournalReader(state) as journal:
        assert list(closed_before(state, journal.identity)) == []


@pytest.mark.parametrize("forge", ["no row", "another key"])
def test_a_copy_that_is_not_signed_is_refused(state: Path, copy: Path, forge: str) -> None:
    damage(state, 4)
    with forging(copy) as connection:
        if forge == "no row":
            connection.execute("DELETE FROM signed")
        else:
            last, identity = rows.head(connection), rows.identity(connection)
            commits.store_signature(connection, OTHER_KEY, identity, last, "w")
    before = files(state)
    with pytest.raises(CannotRecover, match="is not to be trusted"):
        recover(state, copy, [KEY.public])
    assert files(state) == before


def test_a_boot_whose_beginning_was_changed_is_not_taken_over(state: Path, copy: Path) -> None:
    """No digest covers when a boot began: taken over, it would make the recovered file damaged."""
    write(state, entry("open"), entry("close"), boot_id="boot-three")
    write(state, entry("next"), boot_id="boot-four")
    with forging(state) as connection:
        connection.execute("UPDATE boot SET wall = 'then' WHERE boot = 4")
    done = recover(state, copy, [KEY.public])
    assert (done.last_seq, done.added) == (10, 0)
    assert done.beyond == f"entries 13 to 13 of {state / FILE_NAME} do not follow, {NONE}"
    assert check(state).well


def test_an_entry_of_a_boot_that_nobody_knows_is_not_taken_over(state: Path, copy: Path) -> None:
    """Its digest can be made by whoever takes the boot's name to be empty."""
    write(state, entry("one more"))
    with forging(state) as connection:
        last, boot, *rest = connection.execute(
            f"SELECT {rows.COLUMNS} FROM entry ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        query = "SELECT digest FROM entry WHERE seq = ?"
        [before] = connection.execute(query, (last - 1,)).fetchone()
        forged = digest_of((last, boot + 1, *rest), "", before)
        connection.execute(
            "UPDATE entry SET boot = ?, digest = ? WHERE seq = ?", (boot + 1, forged, last)
        )
    with JournalReader(state) as reader, pytest.raises(DamagedJournal, match=f"entry {last} was"):
        list(chained(reader.connection, reader.path))
    damage(state, 2)
    recovered = recover(state, copy, [KEY.public])
    assert recovered.added == 0
    assert check(state).well


def test_what_was_in_the_log_only_is_kept_and_taken_over(
    tmp_path: Path, state: Path, copy: Path
) -> None:
    with opened(state, boot_id="boot-two") as journal:
        journal.append([entry("open")], 9, "w")
        shutil.copytree(state, tmp_path / "left")
    left = tmp_path / "left"
    content = (left / FILE_NAME).read_bytes()  # of entry 1, whose page is not in the log
    (left / FILE_NAME).write_bytes(content.replace(b'"rank":2', b'"rank":3'))
    log = (left / f"{FILE_NAME}-wal").read_bytes()
    with pytest.raises(DamagedJournal), opened(left) as damaged:
        list(damaged.iterate())
    assert (left / f"{FILE_NAME}-wal").read_bytes() == log
    done = recover(left, copy, [KEY.public])
    assert [path.name for path in done.kept] == [
        f"{FILE_NAME}.damaged-1",
        f"{FILE_NAME}.damaged-1-wal",
    ]
    assert (left / f"{FILE_NAME}.damaged-1-wal").read_bytes() == log
    assert not (left / f"{FILE_NAME}-wal").exists()
    assert check(left).entries == 10 + done.added


def test_a_journal_that_lost_its_end_gets_it_back(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    shutil.copytree(tmp_path / "state", tmp_path / "older")
    write(tmp_path / "state", entry("open"), boot_id="boot-two")
    assert copied(tmp_path) == 11
    assert recover(tmp_path / "older", tmp_path / "copy", [KEY.public]).last_seq == 11
    assert contents(tmp_path / "older") == contents(tmp_path / "state")


@pytest.mark.parametrize("what", ["gone", "empty", "noise"])
def test_a_journal_that_is_no_more(state: Path, copy: Path, what: str) -> None:
    path = state / FILE_NAME
    match what:
        case "gone":
            path.unlink()
        case "empty":
            os.truncate(path, 0)
        case "noise":
            path.write_bytes(os.urandom(5000))
    done = recover(state, copy, [KEY.public])
    assert done.last_seq == 10
    assert check(state).well
    assert len(done.kept) == (0 if what == "gone" else 1)


def test_refusals_change_nothing(tmp_path: Path, state: Path, copy: Path) -> None:
    before = files(state)
    with pytest.raises(NothingToRecover, match="nothing to recover"):
        recover(state, copy, [KEY.public])
    damage(copy, 3)
    damage(state, 4)
    before = files(state)
    with pytest.raises(CannotRecover, match="is damaged itself: entry 3"):
        recover(state, copy, [KEY.public])
    opened(tmp_path / "other").close()
    with pytest.raises(CannotRecover, match="has no entries"):
        recover(state, tmp_path / "other", [KEY.public])
    assert files(state) == before
    assert marked(state) is None


def test_a_damaged_journal_does_not_go_back_to_before_it_was_archived(
    state: Path, copy: Path
) -> None:
    closed(state)
    write(state, entry("open"), boot_id="boot-three")
    damage(state, 12)
    before = files(state), files(copy)
    with pytest.raises(CannotRecover, match="archived before the one in"):
        recover(state, copy, [KEY.public])
    assert (files(state), files(copy)) == before


def test_the_tables_user_owns_what_was_recovered(
    state: Path, copy: Path, mocker: MockerFixture
) -> None:
    damage(state, 4)
    there = state.stat()
    given = mocker.spy(os, "chown")
    recover(state, copy, [KEY.public])
    made = state / f"{FILE_NAME}{RECOVERING}"
    given.assert_called_once_with(made, there.st_uid, there.st_gid, follow_symlinks=False)


@pytest.mark.parametrize(("seq", "last"), [(10, 9), (4, 3), (1, 0)])
def test_what_can_be_read_ends_before_the_first_bad_entry(state: Path, seq: int, last: int) -> None:
    damage(state, seq)
    assert examine(state, [KEY.public]).last_seq == last


def test_behind_an_archive_what_can_be_read_begins_with_the_new_file(state: Path) -> None:
    closed(state)
    write(state, entry("open"), boot_id="boot-four")
    assert (examine(state, [KEY.public]).well, examine(state, [KEY.public]).last_seq) == (True, 12)
    damage(state, 12)
    assert examine(state, [KEY.public]).last_seq == 11
    damage(state, 11)
    assert examine(state, [KEY.public]).last_seq == 0


def test_the_command_where_nothing_can_be_read(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = state / FILE_NAME
    path.write_bytes(b"x" * 100 + path.read_bytes()[100:])
    assert main(["journal", "recover", "--state", str(state)]) == 1
    told = capsys.readouterr().out
    assert "is DAMAGED; nothing could be read" in told
    assert "up to" not in told


def test_two_stories_are_left_to_people(tmp_path: Path, state: Path, copy: Path) -> None:
    shutil.copytree(state, tmp_path / "fork")
    write(tmp_path / "fork", entry("open"), boot_id="boot-two")
    write(copy, entry("close"), boot_id="boot-two")
    with pytest.raises(CannotRecover, match="entry 11 is not the same in both"):
        recover(tmp_path / "fork", copy, [KEY.public])


@pytest.mark.parametrize("at", ["_make_durable", "_keep_damaged", "mark", "sync_directory"])
def test_a_recovery_that_was_cut_off_is_run_again(
    state: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    whole = contents(state)
    damage(state, 4)

    def fail(*_: object) -> None:
        raise OSError("the power is gone")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, at, fail)
        with pytest.raises(OSError, match="power"):
            recover(state, copy, [KEY.public])
    with pytest.raises(DamagedJournal, match="begun and not finished"):
        opened(state)
    assert "a recovery was begun and not finished" in str(examine(state, [KEY.public]).findings)
    assert recover(state, copy, [KEY.public]).last_seq == 10
    assert contents(state) == whole
    assert marked(state) is not None


def test_what_was_in_the_log_only_outlasts_a_recovery_that_was_cut_off(
    tmp_path: Path, state: Path, copy: Path, mocker: MockerFixture
) -> None:
    with opened(state, boot_id="boot-two") as journal:
        journal.append([entry("open")], 9, "w")
        shutil.copytree(state, tmp_path / "left")
    left = tmp_path / "left"
    content = (left / FILE_NAME).read_bytes()
    (left / FILE_NAME).write_bytes(content.replace(b'"rank":2', b'"rank":3'))
    before = {name: file for name, file in files(left).items() if not name.endswith("-shm")}
    mocker.patch.object(Path, "rename", side_effect=OSError("the power is gone"))
    with pytest.raises(OSError, match="power"):
        recover(left, copy, [KEY.public])
    mocker.stopall()
    assert not (left / f"{FILE_NAME}-wal").exists()
    done = recover(left, copy, [KEY.public])
    assert (done.last_seq, done.added) == (10, 1)
    assert {path.name.replace(".damaged-1", ""): path.read_bytes() for path in done.kept} == before


def test_only_of_a_stopped_table(state: Path, copy: Path) -> None:
    with opened(state), pytest.raises(StateInUse):
        recover(state, copy, [KEY.public])
    with opened(copy), pytest.raises(StateInUse):
        recover(state, copy, [KEY.public])


def test_the_command(
    tmp_path: Path, state: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["journal", "recover", "--state", str(state), "--key", KEY.public.text]
    assert main(command) == 0
    told = capsys.readouterr()
    assert "is well; entries can be read up to 10" in told.out
    assert "a device, head or copy may know of more" in told.out
    damage(state, 4)
    assert main(command) == 1
    told = capsys.readouterr()
    assert "entry 4: was changed" in told.out
    assert "is DAMAGED; entries can be read up to 3" in told.out
    assert "--from DIR" in told.err
    with opened(copy):
        assert main([*command, "--from", str(copy)]) == 3
    assert main([*command, "--from", str(tmp_path / "nowhere")]) == 2
    assert main([*command, "--from", str(copy)]) == 0
    told = capsys.readouterr()
    assert "10 entries, up to 10, taken from" in told.out
    assert "kept as it was" in told.out
    assert "the next start holds the table (journal-recovered)" in told.out
    assert main([*command, "--from", str(copy)]) == 3
    assert "nothing to recover" in capsys.readouterr().err


def test_without_from_it_names_what_a_start_has_found(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a journal is whole, and nobody vouches for it."""
    found = {"journal": "00" * 16, "seq": 10, "digest": "00" * 32, "row": None, "wrong": "no row"}
    record = Draft("start", {"found": {**found, "fault": "journal-not-signed"}})
    write(state, record, boot_id="boot-three")
    assert main(["journal", "recover", "--state", str(state), "--key", KEY.public.text]) == 1
    told = capsys.readouterr().out
    assert "the start behind entry 10 found journal-not-signed, and vouches for nothing" in told


@pytest.mark.needs("root")
def test_a_spares_empty_directory_gets_all_for_the_user_that_runs_the_table(
    tmp_path: Path, copy: Path
) -> None:
    """Recovered by root into another box: nothing that root has made keeps the daemon out."""
    state, nobody = tmp_path / "spare", 65534
    state.mkdir()
    for path in (state, copy, *copy.iterdir()):
        os.chown(path, nobody, nobody)
    done = recover(state, copy, [KEY.public])
    assert (done.last_seq, done.kept, done.beyond) == (10, (), "")
    made = [*state.iterdir(), *copy.iterdir()]
    assert state / "lock" in made
    foreign = {path.name for path in made if path.stat().st_uid != nobody}
    assert foreign <= {f"{FILE_NAME}.recovered"}, "which may be read by all, and taken away by him"


@pytest.mark.needs("root")
def test_a_file_with_another_name_elsewhere_is_given_to_nobody(tmp_path: Path) -> None:
    """Whoever has the directory may have put it there."""
    state, roots = tmp_path / "state", tmp_path / "roots"
    state.mkdir()
    os.chown(state, 65534, 65534)
    roots.touch()
    (state / "lock").hardlink_to(roots)
    StateLock(state).release()
    assert roots.stat().st_uid == 0
