"""A machine that is reached by ssh: a real client and a real server, with a pipe for a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.control.client import ControlClient, NoController
from hil_tests.benches.table.controller_machine import (
    AGAIN_S,
    COMMAND_S,
    ControllerMachine,
    MachineFailed,
)
from tests.control.support import controller

pytestmark = pytest.mark.needs("root", "root by key", "ssh", "sshd", "ssh-keygen")

SERVER = """
HostKey {folder}/host
AuthorizedKeysFile {folder}/person.pub
PidFile none
StrictModes no
UsePAM no
"""
CLIENT = """
Host bench-machine
    ProxyCommand unshare --mount {folder}/serve
    IdentityFile {folder}/person
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
"""
SERVE = """#!/bin/sh
# The server wants an empty directory that its unit makes at boot: only here, this one sees its own.
mount -t tmpfs tmpfs /run && mkdir /run/sshd && exec {sshd} -i -f {folder}/server
"""
TRIED_S = 1.0


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ControllerMachine]:
    """This machine, as ssh reaches it."""
    folder = tmp_path / "ssh"
    folder.mkdir()
    for key in ("host", "person"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)], check=True
        )
    told = {"folder": folder, "sshd": shutil.which("sshd")}
    (folder / "server").write_text(SERVER.format(**told), encoding="ascii")
    (folder / "client").write_text(CLIENT.format(**told), encoding="ascii")
    client = folder / "bin" / "ssh"
    client.parent.mkdir()
    with_it = f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/client "$@"\n'
    for program, text in ((folder / "serve", SERVE.format(**told)), (client, with_it)):
        program.write_text(text, encoding="ascii")
        program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{client.parent}:{os.environ['PATH']}")
    machine = ControllerMachine(
        {
            "driver": "remote",
            "host": "bench-machine",
            "state": str(tmp_path / "state"),
            "socket": str(tmp_path / "control.sock"),
        }
    )
    try:
        yield machine
    finally:
        machine.close()


def test_words_and_files_arrive_as_they_are(machine: ControllerMachine, tmp_path: Path) -> None:
    odd = tmp_path / "a name with 'quotes' and $HOME"
    machine.run_command(["tee", str(odd)], b"\x00\xff of bytes\n")
    assert odd.read_bytes() == b"\x00\xff of bytes\n"
    with pytest.raises(MachineFailed, match="on bench-machine: exit 1"):
        machine.run_command(["cat", str(tmp_path / "nothing")])


def test_the_state_directory_is_fetched(machine: ControllerMachine, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "journal.sqlite3").write_bytes(bytes(range(256)))
    copy = machine.fetch_state()
    assert copy != state
    assert (copy / "journal.sqlite3").read_bytes() == bytes(range(256))


def test_a_connection_is_one_only_when_the_controller_answers(
    machine: ControllerMachine, tmp_path: Path
) -> None:
    """ssh takes a connection to the carried socket whether anybody is behind it or not."""
    _carried(machine)
    with pytest.raises(NoController):
        machine.connect(TRIED_S)
    with controller(tmp_path / "control.sock"), machine.connect() as client:
        assert client.status()["table"] == "P12"


def _carried(machine: ControllerMachine) -> None:
    """Until ssh takes connections, though nobody is behind it."""
    until = time.monotonic() + COMMAND_S
    while True:
        try:
            ControlClient(machine._socket()).close()
            return
        except NoController:
            assert time.monotonic() < until
        threading.Event().wait(AGAIN_S)
