"""Who may: what is advised, and where the kernel knows better than owner, group and mode."""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from controller.causes.cause import Cause, Kind
from controller.causes.finding import cause_of
from controller.causes.places import folder_trouble, socket_trouble
from controller.causes.who_may import ENTER, READ, WRITE, User, named, refused

NOBODY = 65534
ASKS = f"""
import os, sys
from pathlib import Path
from controller.causes.who_may import ENTER, READ, WRITE, myself, refused
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
print(refused(Path(sys.argv[1]), READ | WRITE | ENTER, myself()))
"""


@pytest.fixture
def nobody() -> User:
    found = named("nobody")
    assert found is not None
    return found


def no(found: Cause | None) -> Cause:
    assert found is not None
    return found


@pytest.mark.parametrize("folder", ["/run", "/var/lib", "/root", "/etc"])
def test_nobody_is_given_a_folder_that_others_use(nobody: User, folder: str) -> None:
    said = no(refused(Path(folder), READ | WRITE | ENTER, nobody))
    assert f"user nobody may not {'use' if folder == '/root' else 'write'} {folder}" in said.what
    assert said.next_step == "others use it as well: name a place in a folder of its own"
    told = socket_trouble(Path(folder, "table.sock"), nobody)
    assert told is not None
    assert "chown" not in told.next_step


@pytest.mark.needs("root")
def test_a_file_of_roots_beside_those_of_others_is_given_alone(nobody: User, reached: Path) -> None:
    """As a control socket's lock that an earlier start as root has left in ``/tmp``."""
    reached.chmod(0o1777)
    (reached / "sock.lock").touch(0o600)
    told = socket_trouble(reached / "sock", nobody)
    assert told is not None
    assert told.next_step == f"'sudo chown nobody: {reached}/sock.lock'"


@pytest.mark.needs("root")
def test_a_file_that_cannot_be_made_is_not_made_as_a_folder(nobody: User, reached: Path) -> None:
    cause = cause_of(PermissionError(errno.EACCES, ""), reached / "heads.jsonl", user=nobody)
    assert cause.what.startswith(f"user nobody may not write {reached}, which belongs to root:")
    assert cause.next_step == f"'sudo chown -R nobody: {reached}'"
    cause = cause_of(PermissionError(errno.EACCES, ""), reached / "a" / "heads", user=nobody)
    assert cause.next_step == f"'sudo install -d -o nobody -g nogroup -m 750 {reached}/a'"


def access_list(folder: Path) -> None:
    """Of root's, with all rights for nobody: `setfacl -m u:nobody:rwx`."""
    none = 0xFFFFFFFF
    entries = [(1, 7, none), (2, 7, NOBODY), (4, 0, none), (16, 7, none), (32, 0, none)]
    packed = b"".join(struct.pack("<HHI", *entry) for entry in entries)
    try:
        os.setxattr(folder, "system.posix_acl_access", struct.pack("<I", 2) + packed)
    except OSError as error:
        pytest.skip(f"this file system has no access lists: {error}")


@pytest.mark.needs("root")
def test_an_access_list_that_lets_the_user_in_keeps_nobody_out(nobody: User, reached: Path) -> None:
    state = reached / "the state"
    state.mkdir(0o700)
    access_list(state)
    told = subprocess.run(
        [sys.executable, "-c", ASKS, state], capture_output=True, text=True, check=True
    ).stdout
    assert told == "None\n", "the kernel lets him"
    cause = folder_trouble(state, nobody)
    assert cause is not None
    assert (cause.kind, cause.heals) == (Kind.NOT_SEEN, True), "it is not known"
    assert f"('getfacl '{state}'')" in cause.what


def test_a_place_that_cannot_be_looked_at_is_told_by_its_error(nobody: User, reached: Path) -> None:
    """A circle of links, on the way to SQLite's file."""
    (reached / "state").symlink_to("state")
    file = reached / "state" / "journal"
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(file).execute("SELECT 1")
    assert cause_of(raised.value, file, user=nobody).kind is Kind.LINK
