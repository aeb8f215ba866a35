"""The program's exit status and words, whatever ends it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon import main as program
from controller.daemon.service_manager import Life
from controller.journal.errors import DiskFailed, JournalError, NoJournal
from tests.daemon.process import Place


@pytest.fixture
def arguments(tmp_path: Path, mocker: MockerFixture) -> list[str]:
    """A table's; the process is the tests' own."""
    mocker.patch.object(program, "keep_memory_private")
    mocker.patch("logging.basicConfig")
    return ["--config", str(Place(tmp_path).configuration)]


@pytest.mark.parametrize("name", ["journal.sqlite3", "key"])
def test_a_disk_that_fails_before_the_journal_is_opened_is_waited_for(
    name: str,
    arguments: list[str],
    tmp_path: Path,
    mocker: MockerFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Else ten starts are made in a minute, and its manager gives it up."""
    rest, exists, lexists = mocker.patch.object(Life, "rest"), Path.exists, os.path.lexists

    def checked(path: Path) -> Path:
        if path.name == name:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return path

    mocker.patch.object(Path, "exists", lambda path: exists(checked(path)))
    mocker.patch("os.path.lexists", lambda path: lexists(checked(Path(path))))
    assert program.main(arguments) == 1
    assert rest.call_count == 1
    said = capsys.readouterr().err
    assert str(tmp_path / "state" / name) in said
    assert "; its disk fails" in said or ": its disk fails" in said
    assert "Traceback" not in said


def test_a_start_without_threads_is_said_and_may_be_made_again(
    arguments: list[str], mocker: MockerFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    mocker.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread"))
    assert program.main(arguments) == 1
    said = capsys.readouterr().err
    assert "no thread can be started" in said
    assert "'free -m' shows the memory" in said
    assert "Traceback" not in said


def test_any_other_error_is_not_called_the_disks(
    arguments: list[str], mocker: MockerFixture
) -> None:
    mocker.patch.object(program, "serve", side_effect=FileNotFoundError(2, "No such file"))
    with pytest.raises(FileNotFoundError):
        program.main(arguments)


@pytest.mark.parametrize(("error", "status", "rests"), [(NoJournal, 2, 0), (DiskFailed, 1, 1)])
def test_a_journal_that_cannot_be_played_to_its_end_is_tried_again_where_it_heals(
    error: type[JournalError],
    status: int,
    rests: int,
    arguments: list[str],
    mocker: MockerFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rest = mocker.patch.object(Life, "rest")
    mocker.patch.object(program, "serve", side_effect=error("it cannot be read beyond entry 7"))
    assert (program.main(arguments), rest.call_count) == (status, rests)
    assert "beyond entry 7" in capsys.readouterr().err
