"""Programs of this project as processes of their own, each started in milliseconds.

Most of what a start took was the import of the same modules, and a run of all tests starts a
thousand processes. So a server that has imported them forks each (multiprocessing's): what is
forked has its own memory and descriptors, ends with a status and dies by a signal like any process.
Until :func:`begin` has been called, a program is started as at a table, by ``python -m``.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import random
import runpy
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import forkserver, reduction
from pathlib import Path
from typing import Any, Final, Protocol

ROOT: Final = Path(__file__).resolve().parents[2]
PRELOADED: Final = [
    __name__,
    "controller.cli.commands",
    "controller.daemon.app",
    "hil_tests.benches.virtual.pyusb_backend",
    *(f"simulators.{name}" for name in ("display", "jackpot", "keypad", "shoe", "shuffler")),
    *(f"simulators.{name}" for name in ("recording", "server", "twin", "usb.cables", "wire")),
]
"""What the programs of a bench import. None of it is a program: Python would run it again."""
AT_A_START: Final = ("PYTHONPATH", "LD_PRELOAD")
"""Variables that change what a program is; where they are others, it cannot be forked."""
PR_SET_PDEATHSIG: Final = 1

_libc = ctypes.CDLL(None)
_context = multiprocessing.get_context("forkserver")
_begun = False


def begin() -> None:
    """Start the server, which takes half a second beside the caller. It ends with this process."""
    global _begun  # noqa: PLW0603 - there is one server in a process
    _begun = True
    _context.set_forkserver_preload(PRELOADED)
    forkserver.ensure_running()


class Started(Protocol):
    """A process that was started here."""

    @property
    def pid(self) -> int:
        """Its number."""

    def ended(self, within_s: float, besides: int | None = None) -> bool:
        """Whether it has ended, or does ``within_s``; False at once when the descriptor ``besides``
        can be read."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, -N where signal N ended it. Raises ``subprocess.TimeoutExpired``."""

    def send_signal(self, number: int) -> None:
        """Send it one; nothing where it has ended."""


def start(
    command: Sequence[str],
    *,
    streams: tuple[int, int, int],
    environment: Mapping[str, str],
) -> Started:
    """Run ``python -m COMMAND`` from the project's folder, in a process group of its own: an
    interrupt at the terminal is for the rig. It dies with the rig.

    ``streams``: descriptors for its standard input (or ``subprocess.DEVNULL``), output and errors;
    ``environment``: all that it is to have.
    """
    if _begun and all(environment.get(name) == os.environ.get(name) for name in AT_A_START):
        return _Forked(command, streams, environment)
    return _Executed(command, streams, environment)


class _Executed:
    def __init__(
        self,
        command: Sequence[str],
        streams: tuple[int, int, int],
        environment: Mapping[str, str],
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=environment,
            cwd=ROOT,
            process_group=0,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - the rig has no threads
        )
        self.pid = self._process.pid
        self.wait = self._process.wait
        self.send_signal = self._process.send_signal

    def ended(self, within_s: float, besides: int | None = None) -> bool:
        if self._process.poll() is not None:
            return True
        gone = os.pidfd_open(self.pid)
        try:
            return _readable(gone, within_s, besides)
        finally:
            os.close(gone)


class _Forked:
    def __init__(
        self,
        command: Sequence[str],
        streams: tuple[int, int, int],
        environment: Mapping[str, str],
    ) -> None:
        self._command = command
        sent = [None if one == subprocess.DEVNULL else _Descriptor(one) for one in streams]
        self._process = _context.Process(
            target=_run, args=(list(command), sent, dict(environment)), daemon=True
        )
        self._process.start()
        assert self._process.pid
        self.pid = self._process.pid
        self._status: int | None = None

    def ended(self, within_s: float, besides: int | None = None) -> bool:
        return self._status is not None or _readable(self._process.sentinel, within_s, besides)

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None:
            self._process.join(timeout)
            self._status = self._process.exitcode
            if self._status is None:
                raise subprocess.TimeoutExpired(list(self._command), timeout or 0)
            self._process.close()
        return self._status

    def send_signal(self, number: int) -> None:
        if not self.ended(0):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _readable(gone: int, within_s: float, besides: int | None) -> bool:
    others = [] if besides is None else [besides]
    ready = select.select([gone, *others], [], [], within_s)[0]
    return gone in ready and besides not in ready


class _Descriptor:
    """A descriptor on its way to another process, which gets a number for its own."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _received, (reduction.DupFd(self._number),)


def _received(sent: Any) -> int:
    number: int = sent.detach()
    return number


def _run(command: list[str], streams: list[int | None], environment: dict[str, str]) -> None:
    """In the forked process, whose standard input is empty."""
    _end_with_parent()
    os.setpgid(0, 0)
    for number, descriptor in enumerate(streams):
        if descriptor is not None:
            os.dup2(descriptor, number)
            os.close(descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    random.seed()
    module, *sys.argv[1:] = command
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _end_with_parent() -> None:
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
