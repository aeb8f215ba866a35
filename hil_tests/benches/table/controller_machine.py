"""The controller of a real bench: this machine, or another one by ssh; its service, its files, its
socket.

- A command for it is a list of words. With ``host`` it goes through ``ssh HOST``, and the
  control socket is carried here (``ssh -L``); who may connect is ssh's matter and the machine's.
- The service runs with the table that a scenario wants: its configuration is written by the rig,
  and what was there is put back in the end. The state directory is the bench's own and emptied for
  every new table: one that holds anything is refused unless ``DIRECTORY.bench`` beside it says that
  it is a bench's.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from controller.control.client import ControlClient, NoController
from hil_tests.bench.description import BadBench

SERVICE: Final = "table-controller"
DEFAULTS: Final[Mapping[str, Any]] = {
    "host": "",
    "config": "/etc/table-controller/table.toml",
    "socket": "/run/table-controller/control.sock",
    "tablectl": ["tablectl"],
    "start": ["systemctl", "start", SERVICE],
    "stop": ["systemctl", "stop", SERVICE],
    "kill": ["systemctl", "kill", "--signal=KILL", SERVICE],
    "exit_status": ["systemctl", "show", "--property=ExecMainStatus", "--value", SERVICE],
    "power": "person",
    "boot_id": "/proc/sys/kernel/random/boot_id",
    "terminal": "/dev/tty",
}
"""What a bench's ``[machine]`` may say, and what holds where it does not. ``state`` it must say."""

COMMAND_S: Final = 120.0
BACK_S: Final = 300.0
"""A machine that has been without power: until its controller answers."""

AGAIN_S: Final = 0.2
KEPT: Final = ".before-bench"


class MachineFailed(Exception):
    """The machine failed as a whole, or a command on it, with what it said."""


class ControllerMachine:
    """The machine that the controller runs on; ``told`` is the bench's ``[machine]``."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        known = {"state", *DEFAULTS}
        if unknown := sorted(told.keys() - {"driver", *known}):
            raise BadBench(
                f"machine: {', '.join(unknown)} unknown; known are {', '.join(sorted(known))}"
            )
        self.told: Mapping[str, Any] = {**DEFAULTS, **told}
        self.host = str(self.told["host"])
        self.where = self.host or "this machine"
        self.state = _directory(told.get("state"))
        self._folder: Path | None = None
        self._carrier: subprocess.Popen[bytes] | None = None

    # ---- commands -----------------------------------------------------------------------------

    def tried(
        self, words: Sequence[str], given: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command on the machine."""
        here = ["ssh", self.host, shlex.join(words)] if self.host else list(words)
        return subprocess.run(
            here,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            check=False,
            timeout=COMMAND_S,
        )

    def run_command(self, words: Sequence[str], given: bytes | None = None) -> bytes:
        """Run a command that must succeed; its output.

        Raises:
            MachineFailed: it did not; with its last words.
        """
        done = self.tried(words, given)
        if done.returncode:
            raise self._failed(words, done)
        return done.stdout

    def _failed(
        self, words: Sequence[str], done: subprocess.CompletedProcess[bytes]
    ) -> MachineFailed:
        told = done.stderr.decode(errors="replace").strip()
        return MachineFailed(f"{shlex.join(words)} on {self.where}: exit {done.returncode}: {told}")

    def service(self, verb: str) -> bytes:
        """``start``, ``stop``, ``kill`` or ``exit_status`` of the controller."""
        return self.run_command(self.told[verb])

    # ---- files --------------------------------------------------------------------------------

    def install(self, configuration: str) -> None:
        """Put the table's configuration in place; the first time what was there is kept beside."""
        config = str(self.told["config"])
        if not self.tried(["test", "-e", config + KEPT]).returncode:
            pass
        elif not self.tried(["test", "-e", config]).returncode:
            self.run_command(["cp", "-p", config, config + KEPT])
        self.run_command(["tee", config], configuration.encode())

    def put_back(self) -> None:
        """The configuration that was there before."""
        config = str(self.told["config"])
        if not self.tried(["test", "-e", config + KEPT]).returncode:
            self.run_command(["mv", config + KEPT, config])

    def demand_own_state(self) -> None:
        """Nothing is done to a machine whose state directory is not said to be a bench's.

        Raises:
            BadBench: it is not, or there is none; with the commands that make it one.
            MachineFailed: the machine does not say.
        """
        marker = f"{self.state}.bench"
        make = ["install", "-d", "-o", SERVICE, "-m", "700", self.state]
        lacking = [] if self._has("-d", self.state) else [make]
        lacking += [] if self._has("-e", marker) else [["touch", marker]]
        if lacking:
            raise BadBench(
                f"machine.state: {self.where} has no {self.state} that is said to be a bench's. "
                "The rig empties it for every new table: where it may be a real table's journal, "
                "now or later, name another one. Else run there, as root: "
                + " && ".join(shlex.join(words) for words in lacking)
            )

    def empty_state(self) -> None:
        """A machine that has never played; raises as :meth:`demand_own_state`."""
        self.demand_own_state()
        self.run_command(["find", self.state, "-mindepth", "1", "-delete"])

    def _has(self, what: str, path: str) -> bool:
        words = ["test", what, path]
        done = self.tried(words)
        if done.returncode > 1:  # ssh's own way to fail is 255
            raise self._failed(words, done)
        return not done.returncode

    def boot_id(self) -> str:
        """The kernel's name of the boot that the machine is in."""
        return self.run_command(["cat", self.told["boot_id"]]).decode("ascii").strip()

    def fetch_state(self) -> Path:
        """The state directory, or a copy of it as it is now."""
        if not self.host:
            return Path(self.state)
        copy = Path(tempfile.mkdtemp(dir=self._own_folder()))
        packed = self.run_command(["tar", "-C", self.state, "-cf", "-", "."])
        subprocess.run(["tar", "-C", str(copy), "-xf", "-"], input=packed, check=True)
        return copy

    # ---- the control socket -------------------------------------------------------------------

    def connect(self, within_s: float = COMMAND_S) -> ControlClient:
        """A connection to the controller as soon as it answers; where ssh carries its socket,
        that somebody listens there says nothing yet.

        Raises:
            NoController: it does not in time.
        """
        until = time.monotonic() + within_s
        while True:
            try:
                client = ControlClient(self._socket())
                return _answering(client) if self.host else client
            except NoController:
                if time.monotonic() > until:
                    raise
            threading.Event().wait(AGAIN_S)  # nothing tells that a machine has started

    def _socket(self) -> Path:
        if not self.host:
            return Path(self.told["socket"])
        carried = self._own_folder() / "control.sock"
        if self._carrier is None or self._carrier.poll() is not None:
            carried.unlink(missing_ok=True)
            self._carrier = subprocess.Popen(
                [
                    *("ssh", "-N", "-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=5"),
                    *("-L", f"{carried}:{self.told['socket']}", self.host),
                ],
                stdin=subprocess.DEVNULL,
                process_group=0,
            )
        return carried

    def hang_up(self) -> None:
        """The machine may be gone: carry its socket anew when it is wanted."""
        if self._carrier is not None:
            self._carrier.terminate()
            self._carrier.wait()
            self._carrier = None

    def close(self) -> None:
        """Leave nothing here."""
        self.hang_up()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _own_folder(self) -> Path:
        """Here, for what is of a machine that is elsewhere."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="machine-"))
        return self._folder


def _answering(client: ControlClient) -> ControlClient:
    try:
        client.status()
    except NoController:
        client.close()
        raise
    return client


def _directory(told: object) -> str:
    """Without a slash at its end: its marker is beside it, not in it."""
    if not isinstance(told, str) or not told.startswith("/"):
        raise BadBench(
            f"machine.state: the bench's own state directory there, from / on, is expected; "
            f"{told!r} found"
        )
    return str(PurePosixPath(told))
