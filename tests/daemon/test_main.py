"""The program's exit status and words, whatever ends it; a restored backup belongs to root: whose
it is, and the command that ends it; a configuration that is another one than at the last start is
told."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon import main as program
from controller.daemon.service_manager import Life
from controller.files.rules import rule_files
from controller.journal.errors import DiskFailed, JournalError, NoJournal
from controller.journal.lock import LOCK_NAME
from controller.journal.schema import FILE_NAME
from tests.daemon.journaling.test_tampered_while_off import close
from tests.daemon.process import RULES, Place
from tests.daemon.sealed import play
from tests.journal.helpers import sample


@pytest.mark.parametrize("archived", [False, True])
def test_key_old_value_and_new_value_are_told_over_a_restart(
    tmp_path: Path, *, archived: bool
) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        assert play(place)["held"] is None
    if archived:
        close(place)
    text = place.configuration.read_text("utf-8")
    assert "max = 5000" in text
    place.configuration.write_text(text.replace("max = 5000", "max = 500", 1), "utf-8")
    held = play(place, resume=True)["held"]
    assert held["fault"] == "configuration-changed"
    assert "table.max was 5000, is 500" in held["reason"]
    place.configuration.write_text("# approved 26 November\n" + place.configuration.read_text())
    told = play(place)["held"]["reason"]
    assert "configuration file" in told, "only how it is written: no value is another one"
    assert (place.state / FILE_NAME).exists()


def test_a_changed_value_that_a_reading_depends_on_is_told_as_rules_and_as_readings(
    tmp_path: Path,
) -> None:
    place, rules = Place(tmp_path), tmp_path / "house.toml"
    rules.write_bytes(rule_files()[RULES].read_bytes())
    text = place.configuration.read_text("utf-8")
    assert f'rules = "{RULES}"' in text
    place.configuration.write_text(text.replace(f'"{RULES}"', f'"{rules}"', 1), "utf-8")
    assert play(place)["held"] is None
    text = rules.read_text("utf-8")
    moot = 'moot_draw = { value = "either", clause = "3.18; A-10" }'
    assert moot in text
    rules.write_text(text.replace(moot, moot.replace("either", "forbidden")), "utf-8")
    held = play(place)["held"]
    assert held["fault"] == "configuration-changed"
    assert "rule file " in held["reason"]
    assert "readings of the rules " in held["reason"]


NOBODY = 65534
AS_NOBODY = f"""
import os, sys
from controller.daemon.main import main
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def place() -> Iterator[Place]:
    """A table of nobody's, in a folder that he reaches, with a journal of his."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    made = Place(folder)
    sample(made.state)
    for one in (folder, *folder.rglob("*")):
        os.chown(one, NOBODY, NOBODY)
    yield made
    shutil.rmtree(folder)


def refused(place: Place) -> tuple[int, str]:
    """Exit status and log of a start as nobody, which does not come to its end."""
    ended = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, "--config", place.configuration],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stderr


@pytest.mark.needs("root")
@pytest.mark.parametrize(
    ("name", "mode", "may"),
    [
        ("", 0o755, "write"),
        ("", 0o700, "use"),
        (FILE_NAME, 0o640, "read and write"),
        (FILE_NAME, 0o644, "write"),
        (LOCK_NAME, 0o600, "read and write"),
        ("key", 0o600, "read and write"),
    ],
)
def test_what_root_has_restored_is_said_with_the_command(
    place: Place, name: str, mode: int, may: str
) -> None:
    roots = place.state / name
    if not roots.exists():
        roots.write_bytes(b"")
    os.chown(roots, 0, 0)
    roots.chmod(mode)
    status, log = refused(place)
    assert status == 2, log
    assert f"user nobody may not {may} {roots}, which belongs to root:root {mode:04o}" in log
    assert f"'sudo chown -R nobody: {place.state}'" in log
    assert "disk fails" not in log
    assert "it does not end by itself" in log


@pytest.mark.needs("root")
def test_a_backup_is_played_on_when_the_command_was_given(place: Place) -> None:
    for one in (place.state, *place.state.rglob("*")):
        os.chown(one, 0, 0)
    status, log = refused(place)
    [command] = {part for part in log.split("'") if part.startswith("sudo chown")}
    subprocess.run(command.split()[1:], check=True)
    place.socket.mkdir()  # so that the start ends behind the journal, at the socket
    status, log = refused(place)
    assert (status, "a folder is there, which is no socket" in log) == (2, True)


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
