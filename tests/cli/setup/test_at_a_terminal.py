"""``setup`` asks: the command as a process on a pseudo-terminal, and a person who answers."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from controller.configuration.reading import load_configuration
from tests.cli.setup.conftest import Box, sets
from tests.cli.setup.ports import environment
from tests.cli.support import ROOT

PATIENCE_S = 30.0
WEIGHTS = (4, 8, 20, 20, 24, 12, 7, 5)


class Terminal:
    """The person's side of it; ``seen`` is all that stood on the screen."""

    def __init__(self, fd: int, process: subprocess.Popen[bytes]) -> None:
        self._fd, self._process = fd, process
        self.seen = ""
        self._from = 0

    def until(self, text: str) -> None:
        """Read on until that stands there, behind what was waited for before."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.seen[self._from :]:
            assert self._more(deadline - time.monotonic()), f"{text!r} never came:\n{self.seen}"
        self._from = self.seen.index(text, self._from) + len(text)

    def answer(self, question: str, answer: str) -> None:
        """Wait for a question and type a line."""
        self.until(f"? {question}")
        os.write(self._fd, f"{answer}\n".encode())

    def hang_up(self, question: str) -> None:
        """Wait for a question, and go away."""
        self.until(f"? {question}")
        os.write(self._fd, b"\x04")

    def end(self) -> int:
        """Read the rest; the exit code."""
        while self._more(PATIENCE_S):
            pass
        return self._process.wait(PATIENCE_S)

    def _more(self, within_s: float) -> bool:
        if not select.select([self._fd], [], [], max(within_s, 0))[0]:
            return False
        try:
            data = os.read(self._fd, 4096)
        except OSError:  # hung up
            return False
        self.seen += data.decode().replace("\r\n", "\n")
        return bool(data)


@contextmanager
def terminal(box: Box, *options: str) -> Iterator[Terminal]:
    """``tablectl setup`` on a terminal of its own."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tests.cli.setup.ports", "setup", *box.options, *options]
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(box.ports),
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process)
        finally:
            process.kill()
            os.close(ours)


def test_what_the_devices_do_not_tell_is_asked(table: Box) -> None:
    with terminal(table) as screen:
        screen.answer("table.id, the table's name on the floor", "P12")
        screen.until("2  mbs-pontoon-pandemonium-v5")
        screen.answer("table.rules, the table's rules, by number or name", "baccarat")
        screen.until("no such rule set or file")
        screen.answer("table.rules", "2")
        screen.answer("table.decks", "99")
        screen.until("table.decks = 99: expected")
        screen.answer("table.decks", "8")
        screen.answer("table.boxes", "7")
        screen.answer("table.min, the lowest main wager, in dollars", "ten")
        screen.until('table.min = "ten": expected')
        screen.answer("table.min", "10")
        screen.answer("table.max", "5")
        screen.until("table.min = 10: expected no more than max, 5.00")
        screen.answer("table.max", "5000")
        screen.answer("table.side_min", "1")
        screen.answer("table.side_max", "500")
        screen.answer("table.increment, the smallest step of any wager, in dollars [1]", "")
        screen.until("none are proposed")
        screen.answer("weight of 100 to 1", "99")
        for multiplier in (50, 25, 20, 10, 5, 3, 2):
            screen.answer(f"weight of {multiplier} to 1", "1")
        screen.until("favours the player")
        for multiplier, weight in zip((100, 50, 25, 20, 10, 5, 3, 2), WEIGHTS, strict=True):
            screen.answer(f"weight of {multiplier} to 1", str(weight))
        screen.until("return to the player  8524/9575  89.023 %")
        screen.answer(f"write {table.udev} and {table.config} [y/n]", "y")
        screen.until("Left to do")
        assert screen.end() == 0, screen.seen
    config = load_configuration(table.config)
    assert (config.table.id, config.table.limits.max) == ("P12", 500_000)
    assert config.weights is not None
    assert [weight for _, weight in config.weights.pairs] == list(WEIGHTS)


def test_who_goes_away_has_nothing_written(table: Box) -> None:
    table.plug("shoe", "SHOE0002", "other")
    before = table.files()
    with terminal(table, "--yes", *sets(), "--set=table.increment=1") as screen:
        screen.until("2 devices are each a card shoe")
        screen.answer("which is the table's? 1 to 2", "3")
        screen.hang_up("which is the table's?")
        assert screen.end() == 2
    assert table.files() == before
