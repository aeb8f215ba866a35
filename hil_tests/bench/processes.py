"""Programs of this project as processes of their own, each started in milliseconds.

Most of what a start took was the import of the same modules, and a run of all tests starts a
thousand processes. So a server that has imported them forks each (multiprocessing's): what is
forked has its own memory and descriptors, ends with a status and dies by a signal like any process.
Until :func:`start_server` has been called, a program is started as at a table, by ``python -m``.
:func:`tablectl` is the technician's command, run as he would run it.
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
from tempfile import TemporaryFile
from typing import Any, Final, Protocol, TypeAlias

from simulators import hands

TABLECTL_S = 60.0


ROOT: Final = Path(__file__).resolve().parents[2]
PRELOADED: Final = "hil_tests.bench.preloaded"
AT_A_START: Final = ("PYTHON", "LD_", "LC_", "LANG", "TZ")
"""How variables begin that a program reads as it starts: with others it cannot be forked."""
PR_SET_PDEATHSIG: Final = 1

_libc = ctypes.CDLL(None)
_context = multiprocessing.get_context("forkserver")
_begun: dict[str, str] | None = None
"""The variables of :data:`AT_A_START` when the server was started."""


def start_server() -> None:
    """Start the server, which takes a second beside the caller. It and all that it has forked
    end with this process, however that ends."""
    global _begun  # noqa: PLW0603 - there is one server in a process
    _begun = _at_a_start(os.environ)
    _context.set_forkserver_preload([PRELOADED])
    forkserver.ensure_running()


Streams: TypeAlias = tuple[int, int, int]
"""Descriptors for standard input (or ``subprocess.DEVNULL``), output and errors."""


class Started(hands.Started, Protocol):
    """A process that was started here; a signal to one that has ended does nothing."""

    def has_ended(self, within_s: float, besides: int | None = None) -> bool:
        """Whether it has ended, or does ``within_s``; False at once when the descriptor ``besides``
        can be read."""


def start(
    command: Sequence[str],
    *,
    streams: Streams,
    environment: Mapping[str, str],
    anew: bool = False,
) -> Started:
    """Run ``python -m COMMAND`` from the project's folder, in a process group of its own: an
    interrupt at the terminal is for the rig. It dies with the rig.

    ``environment``: all the variables that it is to have; ``anew``: never forked, so that it has an
    interpreter of its own, which also ends as one.
    """
    if anew or _begun != _at_a_start(environment):
        return _Executed(command, streams, environment)
    return _Forked(command, streams, environment)


def _at_a_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: told for name, told in environment.items() if name.startswith(AT_A_START)}


class _Executed:
    def __init__(
        self, command: Sequence[str], streams: Streams, environment: Mapping[str, str]
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=environment,
            cwd=ROOT,
            process_group=0,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - the rig has no threads
        )
        self.pid = self._process.pid
        self.wait = self._process.wait
        self.send_signal = self._process.send_signal

    def has_ended(self, within_s: float, besides: int | None = None) -> bool:
        if self._process.returncode is not None:
            return True
        gone = os.pidfd_open(self.pid)
        try:
            return readable(gone, within_s, besides)
        finally:
            os.close(gone)


class _Forked:
    def __init__(
        self, command: Sequence[str], streams: Streams, environment: Mapping[str, str]
    ) -> None:
        self._command = command
        sent = [None if one == subprocess.DEVNULL else _Descriptor(one) for one in streams]
        self._process = _context.Process(
            target=_run_forked, args=(list(command), sent, dict(environment)), daemon=True
        )
        self._process.start()
        assert self._process.pid
        self.pid = self._process.pid
        self._status: int | None = None

    def has_ended(self, within_s: float, besides: int | None = None) -> bool:
        return self._status is not None or readable(self._process.sentinel, within_s, besides)

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None:
            self._process.join(timeout)
            self._status = self._process.exitcode
            if self._status is None:
                raise subprocess.TimeoutExpired(list(self._command), timeout or 0)
            self._process.close()
        return self._status

    def send_signal(self, number: int) -> None:
        if not self.has_ended(0):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def readable(gone: int, within_s: float, besides: int | None = None) -> bool:
    """Whether the descriptor ``gone`` can be read, or can be ``within_s``; False at once when
    ``besides`` can."""
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


def _run_forked(command: list[str], streams: list[int | None], environment: dict[str, str]) -> None:
    """In the forked process. multiprocessing gives it the means to start more of its kind, and
    forbids it to: the server would not end as long as one of them lives."""
    end_with_parent()
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    os.setpgid(0, 0)
    for number, descriptor in enumerate(streams):
        ours = os.open(os.devnull, os.O_RDWR) if descriptor is None else descriptor
        os.dup2(ours, number)
        os.close(ours)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    random.seed()
    module, *sys.argv[1:] = command
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def end_with_parent(by: signal.Signals = signal.SIGKILL) -> None:
    """Have this process sent that signal when whoever started it has ended, however he did."""
    _libc.prctl(PR_SET_PDEATHSIG, by)


def tablectl(
    *arguments: str, through: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the technician's command, with these variables besides those of this process;
    ``through`` as for :class:`hil_tests.bench.controller_process.ControllerProcess`."""
    command = [*through, "controller.cli.main", *arguments]
    with TemporaryFile() as output, TemporaryFile() as errors:
        process = start(
            command,
            streams=(subprocess.DEVNULL, output.fileno(), errors.fileno()),
            environment=os.environ | (environment or {}),
        )
        try:
            status = process.wait(TABLECTL_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            raise
        for stream in (output, errors):
            stream.seek(0)
        return subprocess.CompletedProcess(
            command, status, output.read().decode(), errors.read().decode()
        )
