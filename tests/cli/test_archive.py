"""``journal archive`` and ``journal verify --archive``."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.lock import StateLock
from controller.journal.store import Journal
from tests.cli.support import Played, Tablectl
from tests.journal.helpers import forging


@pytest.fixture
def state(tmp_path: Path) -> Path:
    played = Played()
    played.a_round()
    played.dealer("next")
    return played.write(tmp_path / "state")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


def test_a_journal_goes_to_the_archive_and_a_new_one_goes_on(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    before = tablectl("counters", "--state", state, "--json").json
    last = tablectl("journal", "verify", "--state", state, "--json").json["last_seq"]
    ran = tablectl("journal", "archive", "--state", state, "--to", archive, "--json")
    assert ran.code == 0
    [path] = archive.iterdir()
    assert ran.json == {"archived": str(path)}
    alone = tablectl("journal", "verify", "--state", state, "--json").json
    assert (alone["well"], alone["entries"], alone["last_seq"]) == (True, 1, last + 1)
    line = tablectl("journal", "verify", "--state", state, "--archive", archive, "--json").json
    assert (line["well"], line["entries"]) == (True, last + 1)
    assert tablectl("counters", "--state", state, "--json").json == before


def test_a_journal_that_is_not_well_stays(tablectl: Tablectl, state: Path, archive: Path) -> None:
    with forging(state) as connection:
        connection.execute("UPDATE entry SET wall = 'never' WHERE seq = 4")
    ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    assert ran.code == 1
    assert "is not well, and stays where it is: entry 4" in ran.err
    assert list(archive.iterdir()) == []


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


def test_a_log_beside_the_journal_is_in_the_way(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    (state / "journal.sqlite3-shm").touch()
    ran = tablectl("journal", "archive", "--state", state, "--to", archive)
    assert (ran.code, "was not stopped in order" in ran.err) == (3, True)


def test_the_archive_and_the_journal_have_to_be_there(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    assert tablectl("journal", "archive", "--state", state, "--to", archive / "none").code == 2
    assert tablectl("journal", "archive", "--state", archive, "--to", archive).code == 2
    assert tablectl("journal", "archive", "--state", state).code == 2


def test_what_is_wrong_with_the_line_is_named(
    tablectl: Tablectl, state: Path, archive: Path
) -> None:
    archiving = ("journal", "archive", "--no-replay", "--state", state, "--to", archive)
    assert tablectl(*archiving).code == 0
    verifying = ("journal", "verify", "--state", state, "--archive", archive)
    [path] = archive.iterdir()
    with Journal(state, boot_id="b") as journal:
        assert journal.head.seq == journal.predecessor.seq + 1 if journal.predecessor else False
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
