"""``round show`` where the journal's files may not be read: the controller tells the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.control.handler import RequestRefused
from controller.daemon.journaling.played_rounds import PlayedRounds
from controller.forms.json_values import JsonObject
from tests.cli.support import Tablectl
from tests.control.support import controller


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


@pytest.mark.parametrize("number", ["1", "2", "last"])
def test_it_is_the_same_byte_for_byte(
    tablectl: Tablectl, path: Path, state: Path, number: str
) -> None:
    from_files = tablectl("round", "show", number, "--json", "--state", state)
    assert from_files.out
    elsewhere = {"state_directory": str(path.with_name("closed"))}
    with controller(path, elsewhere, rounds=PlayedRounds(state)):
        asked = tablectl("round", "show", number, "--json", "--socket", path)
    assert asked == from_files


@pytest.mark.parametrize("number", ["1", "last"])
def test_only_the_files_have_the_course_and_that_is_said(
    tablectl: Tablectl, path: Path, state: Path, number: str
) -> None:
    from_files = tablectl("round", "show", number, "--state", state)
    elsewhere = {"state_directory": str(path.with_name("closed"))}
    with controller(path, elsewhere, rounds=PlayedRounds(state)):
        asked = tablectl("round", "show", number, "--socket", path)
        page = path.with_name("page.html")
        for form in (("--course", "--json"), ("--html", page)):
            ran = tablectl("round", "show", number, *form, "--socket", path)
            assert (ran.code, "--state DIRECTORY" in ran.err) == (3, True)
    assert (asked.code, from_files.code) == (0, 0)
    assert asked.out.startswith("Round ")
    assert from_files.out.endswith(asked.out)
    assert "the course is in the journal's files" in asked.err
    assert not page.exists()


def test_the_files_are_read_where_they_may_be(tablectl: Tablectl, path: Path, state: Path) -> None:
    with controller(path, {"state_directory": str(state)}):
        assert tablectl("round", "show", "1", "--socket", path).code == 0


def test_a_round_that_is_not_there_is_wrong_use_either_way(
    tablectl: Tablectl, path: Path, state: Path
) -> None:
    from_files = tablectl("round", "show", "9", "--state", state)
    elsewhere = {"state_directory": str(path.with_name("closed"))}
    with controller(path, elsewhere, rounds=PlayedRounds(state)):
        assert tablectl("round", "show", "9", "--socket", path) == from_files
        assert tablectl("round", "show", "nine", "--socket", path).code == 2
    assert from_files.code == 2


def test_who_may_not_is_told_why(tablectl: Tablectl, path: Path) -> None:
    class Closed:
        async def shift(self, which: str) -> JsonObject:
            raise RequestRefused("not now")

        round = course = proof = shift

    elsewhere = {"state_directory": str(path.with_name("closed"))}
    with controller(path, elsewhere, rounds=Closed()):
        ran = tablectl("round", "show", "--socket", path)
    assert (ran.code, ran.err) == (3, "tablectl: not now\n")


def test_a_directory_that_was_named_is_not_asked_for_elsewhere(
    tablectl: Tablectl, path: Path, state: Path
) -> None:
    with controller(path, rounds=PlayedRounds(state)):
        ran = tablectl("round", "show", "--state", path.with_name("closed"), "--socket", path)
    assert ran.code == 2
    assert "does not exist" in ran.err


def test_a_damaged_journal_is_told_as_such_and_not_asked_for(
    tablectl: Tablectl, path: Path, state: Path
) -> None:
    next(state.glob("*.sqlite*")).write_bytes(b"this is no database" * 100)
    with controller(path, {"state_directory": str(state)}, rounds=PlayedRounds(state)):
        assert tablectl("round", "show", "--socket", path).code == 1
