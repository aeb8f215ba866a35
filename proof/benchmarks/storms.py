"""Users who connect to the control socket and close in a loop, and the same load elsewhere.

What a card costs while they are at it is compared with what it costs while as many processes burn
the processor in the same way elsewhere. Two kinds: one waits in the kernel until there is room for
his connection (elsewhere: at a socket of his own, at which he is let in), the other tries again at
once (elsewhere: all at one socket, at which nobody is let in).
They are strangers to the table, so only root can start them.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.control.client import ControlClient
from proof.benchmarks.daemon import Process
from proof.benchmarks.play import PlayBenchmark
from proof.benchmarks.table import Table

STORMS = 16
STRANGER = 54321
"""A user and group that no machine knows."""

NOWHERE, ELSEWHERE, WAITING, TRYING = "nowhere", "elsewhere", "waiting", "trying"
TRYING_ELSEWHERE = "trying elsewhere"
KINDS = (NOWHERE, ELSEWHERE, WAITING, TRYING_ELSEWHERE, TRYING)

CODE = """
import os, socket, sys
path, kind, stranger = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.setgroups([]), os.setgid(stranger), os.setuid(stranger)
own = socket.socket(socket.AF_UNIX)
if kind == "elsewhere":
    path = f"\\0storm-{os.getpid()}"
    own.bind(path)
    own.listen(32)
if kind == "trying elsewhere":
    path = "\\0trying"
    try:
        own.bind(path)
        own.listen(32)
    except OSError:
        pass
print("ready", flush=True)
while True:
    with socket.socket(socket.AF_UNIX) as one:
        one.setblocking("trying" not in kind)
        try:
            one.connect(path)
        except (BlockingIOError, PermissionError):
            continue
        if kind == "elsewhere":
            own.accept()[0].close()
"""


class Storms:
    """``cards_us`` and ``visits_us`` by kind: from a card to its acknowledgement, and from a
    dealer's connecting to his answer, in microseconds."""

    def __init__(self, table: Table, play: PlayBenchmark, control: Path, log: Path) -> None:
        self._table = table
        self._play = play
        self._control = control
        self._log = log
        self.cards_us: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self.visits_us: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def measure(self, rounds: int, visits: int) -> None:
        """Rounds and visits among storms of each kind, turn by turn."""
        for _ in range(rounds):
            for kind in KINDS:
                self._play.forget()
                with self._storming(kind):
                    self._play.cards()
                    self.visits_us[kind] += [self._visit() for _ in range(visits)]
                self.cards_us[kind] += [ours for ours, _, _ in self._play.cards_us]
        self._play.forget()

    def middle(self, kind: str) -> float:
        """The median card."""
        return statistics.median(self.cards_us[kind])

    def late(self, kind: str) -> float:
        """The 99th card of a hundred."""
        return statistics.quantiles(self.cards_us[kind], n=100)[98]

    def visit(self, kind: str) -> float:
        """The median visit."""
        return statistics.median(self.visits_us[kind])

    @contextmanager
    def _storming(self, kind: str) -> Iterator[None]:
        arguments = ("-c", CODE, str(self._control), kind, str(STRANGER))
        processes: list[Process] = []
        try:
            for _ in range(0 if kind == NOWHERE else STORMS):
                processes.append(Process(*arguments, log=self._log))
                self._table.rest()  # the devices are alive meanwhile
            for process in processes:
                self._table.wait(process.has_said)
            self._table.rest()
            yield
        finally:
            for process in processes:
                process.stop(self._table.serve)

    def _visit(self) -> float:
        """Somebody connects, asks for the state, and leaves; the devices are served meanwhile."""
        took: list[float] = []

        def visit() -> None:
            begun = time.perf_counter_ns()
            with ControlClient(self._control) as client:
                client.status()
            took.append((time.perf_counter_ns() - begun) / 1000)

        thread = threading.Thread(target=visit)
        thread.start()
        self._table.wait(lambda: not thread.is_alive())
        thread.join()
        return took[0] if took else float("inf")


def may_storm() -> bool:
    """Whether strangers can be made here."""
    return os.geteuid() == 0
