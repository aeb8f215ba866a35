"""``watch`` at a real daemon with simulated devices: killed, stopped, pulled, resized."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer

WITHIN_S = 15.0


@pytest.fixture
def bench() -> Iterator[VirtualBench]:
    with VirtualBench() as bench:
        Dealer(bench).wait_for_devices()
        yield bench


@contextmanager
def watching(bench: VirtualBench, **more: str) -> Iterator[OnTerminal]:
    """``watch`` on a terminal of 80 by 24."""
    ours, line = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **more}
    command = [sys.executable, "-m", "controller.cli.main", "--socket", str(bench.socket), "watch"]
    with subprocess.Popen(
        command, stdin=line, stdout=line, stderr=line, env=environment, start_new_session=True
    ) as run:
        try:
            yield OnTerminal(run, ours, line)
        finally:
            run.kill()
            os.close(ours)
            os.close(line)


@dataclass
class OnTerminal:
    """The process, both ends of its terminal, and what it has written."""

    run: subprocess.Popen[bytes]
    ours: int
    line: int
    told: bytes = b""

    def until(self, text: bytes) -> bytes:
        """What it has written, once that is new in it."""
        deadline, new = time.monotonic() + WITHIN_S, b""
        while text not in new:
            assert time.monotonic() < deadline, new.decode()
            if select.select([self.ours], [], [], 0.1)[0]:
                new += os.read(self.ours, 1 << 16)
        self.told += new
        return new

    def ends(self) -> int:
        """Its exit code."""
        deadline = time.monotonic() + WITHIN_S
        while self.run.poll() is None or select.select([self.ours], [], [], 0)[0]:
            assert time.monotonic() < deadline
            if select.select([self.ours], [], [], 0.1)[0]:
                self.told += os.read(self.ours, 1 << 16)
        return self.run.wait()


def test_what_happens_at_the_table_is_seen(bench: VirtualBench) -> None:
    with watching(bench) as terminal:
        terminal.until(b"q quit")
        dealer = Dealer(bench)
        dealer.open_bets()
        dealer.wager(3, main=50)
        terminal.until(b"wager 3a main 50")
        os.write(terminal.ours, b"d")
        terminal.until(b"since start")
        bench.devices["keypad"].do("unplug")
        os.write(terminal.ours, b"\x1b")
        terminal.until(b"! keypad down")
        dealer.no_more_bets()
        dealer.deal()
        os.write(terminal.ours, b"r")
        terminal.until(b"Round 1")


def test_a_stopped_process_is_known_from_a_quiet_table_and_a_restart_survived(
    bench: VirtualBench,
) -> None:
    with watching(bench) as terminal:
        terminal.until(b" live, changed 2 s ago")
        assert bench.controller.pid
        os.kill(bench.controller.pid, signal.SIGSTOP)
        try:
            assert b"NOT LIVE" in terminal.until(b"FROZEN: the controller has not")
        finally:
            os.kill(bench.controller.pid, signal.SIGCONT)
        terminal.until(b"the controller answers again")
        bench.stop_controller()
        terminal.until(b"NO CONTROLLER ANSWERS since")
        bench.start_controller()
        terminal.until(b" live, changed")


@pytest.mark.parametrize("colour", [True, False])
def test_on_a_terminal_from_its_start_to_its_end(bench: VirtualBench, colour: bool) -> None:
    with watching(bench, NO_COLOR="" if colour else "1") as terminal:
        before = termios.tcgetattr(terminal.line)
        terminal.until(b"q quit")
        assert termios.tcgetattr(terminal.line) != before
        bench.devices["keypad"].do("unplug")
        terminal.until(b"keypad: down")
        os.write(terminal.ours, b"q")
        assert terminal.ends() == 0
        assert termios.tcgetattr(terminal.line) == before
    assert b"Table" in terminal.told
    coloured = re.findall(rb"\x1b\[[\d;]*\b(?:3[0-7]|4[0-7]|38;|48;|9[0-7])[\d;]*m", terminal.told)
    assert bool(coloured) == colour


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_ends_it_leaves_the_terminal_as_it_was(
    bench: VirtualBench, ending: signal.Signals
) -> None:
    with watching(bench) as terminal:
        before = termios.tcgetattr(terminal.line)
        terminal.until(b"q quit")
        terminal.run.send_signal(ending)
        assert terminal.ends() == 0
        assert termios.tcgetattr(terminal.line) == before
    assert terminal.told.rfind(b"\x1b[?1049l") > terminal.told.rfind(b"\x1b[?1049h")
