"""``round show`` where the journal's files may not be read: the controller tells the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.control.handler import RequestRefused
from controller.daemon.journaling.played_rounds import PlayedRounds
from controller.forms.json_values import JsonObject
from tests.cli.support import Tablectl
from tests.control.support import controller


@pytest.fixture
def path(tmp_path: Path, state: Path) -> Iterator[Path]:
    """Where a controller answers that has the rounds, and whose files may not be read."""
    socket = tmp_path / "control.sock"
    elsewhere = {"state_directory": str(tmp_path / "closed")}
    with controller(socket, elsewhere, rounds=PlayedRounds(state)):
        yield socket


@pytest.mark.parametrize("number", ["1", "2", "last", "9"])
def test_it_is_the_same_byte_for_byte(
    tablectl: Tablectl, path: Path, state: Path, number: str
) -> None:
    from_files = tablectl("round", "show", number, "--json", "--state", state)
    assert tablectl("round", "show", number, "--json", "--socket", path) == from_files
    assert (from_files.code, from_files.out == "") == ((2, True) if number == "9" else (0, False))


@pytest.mark.parametrize("number", ["1", "last"])
def test_only_the_files_have_the_course_and_that_is_said(
    tablectl: Tablectl, path: Path, state: Path, number: str
) -> None:
    from_files = tablectl("round", "show", number, "--state", state)
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
    assert tablectl("round", "show", "nine", "--socket", path).code == 2


def test_the_files_are_read_where_they_may_be(
    tablectl: Tablectl, tmp_path: Path, state: Path
) -> None:
    """And a damaged journal is told as such, and not asked for."""
    path = tmp_path / "control.sock"
    with controller(path, {"state_directory": str(state)}):
        assert tablectl("round", "show", "1", "--socket", path).code == 0
    next(state.glob("*.sqlite*")).write_bytes(b"this is no database" * 100)
    with controller(path, {"state_directory": str(state)}, rounds=PlayedRounds(state)):
        assert tablectl("round", "show", "--socket", path).code == 1


def test_who_may_not_is_told_why(tablectl: Tablectl, tmp_path: Path) -> None:
    class Closed:
        async def shift(self, which: str) -> JsonObject:
            raise RequestRefused("not now")

        round = course = proof = shift

    path = tmp_path / "control.sock"
    with controller(path, {"state_directory": str(tmp_path / "closed")}, rounds=Closed()):
        ran = tablectl("round", "show", "--socket", path)
    assert (ran.code, ran.err) == (3, "tablectl: not now\n")


def test_a_directory_that_was_named_is_not_asked_for_elsewhere(
    tablectl: Tablectl, path: Path
) -> None:
    ran = tablectl("round", "show", "--state", path.with_name("closed"), "--socket", path)
    assert (ran.code, "does not exist" in ran.err) == (2, True)
