"""A stopped table's file rewritten with SQLite's own tool: verify, recover and the start judge it
alike."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.errors import DamagedJournal
from tests.daemon.process import Place
from tests.daemon.sealed import play

SAID = "rewritten by hand (VACUUM with auto_vacuum)"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that was played at; stopped."""
    made = Place(tmp_path)
    play(made, "open", "wager 1 main 100")
    return made


def judged(place: Place, capsys: pytest.CaptureFixture[str], verb: str) -> tuple[int, str]:
    """What a person is told by that command: exit status and words."""
    capsys.readouterr()
    status = main(["journal", verb, "--state", str(place.state)])
    return status, capsys.readouterr().out


@pytest.mark.parametrize("mode", [1, 2])
def test_a_vacuum_that_harmed_nothing_is_a_remark_and_the_table_starts(
    place: Place,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    mode: int,
) -> None:
    with closing(sqlite3.connect(place.state / "journal.sqlite3", isolation_level=None)) as file:
        file.execute(f"PRAGMA auto_vacuum = {mode}")
        file.execute("VACUUM")
    for verb in ("verify", "recover"):
        status, told = judged(place, capsys, verb)
        assert (status, SAID in told, "well" in told) == (0, True, True), told
    with caplog.at_level(logging.WARNING):
        assert play(place, "undo")["held"] is None
    assert SAID in caplog.text
    assert judged(place, capsys, "verify")[0] == 0, "and goes on being well when it was played on"
    play(place)


@pytest.mark.parametrize("what", ["free pages", "the header alone"])
def test_what_a_commit_would_write_over_is_damage_for_all_three(
    place: Place, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    path = place.state / "journal.sqlite3"
    if what == "free pages":
        with closing(sqlite3.connect(path)) as file:
            file.execute("CREATE TABLE mine (x)")
            file.execute("INSERT INTO mine VALUES (zeroblob(5000))")
            file.commit()
            file.execute("DROP TABLE mine")
            file.commit()
    else:
        content = bytearray(path.read_bytes())
        content[55] = 3  # the largest root page, which only a file that shrinks has
        path.write_bytes(content)
    for verb in ("verify", "recover"):
        assert judged(place, capsys, verb)[0] == 1, verb
    with pytest.raises(DamagedJournal, match=r"freelist_count|auto_vacuum"):
        play(place)
