"""A restored backup belongs to root: whose it is, the command that ends it, and status 2."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.lock import LOCK_NAME
from controller.journal.schema import FILE_NAME
from tests.daemon.process import Place
from tests.journal.helpers import sample

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
