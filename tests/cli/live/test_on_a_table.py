"""``watch`` at a real daemon with simulated devices: killed, stopped, pulled, resized."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
from textual.pilot import Pilot

from controller.cli.live.app import WatchApp
from controller.cli.live.feed import Feed
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer
from pages.watch.pictures import text_on

WITHIN_S = 15.0


@pytest.fixture
def bench() -> Iterator[VirtualBench]:
    with VirtualBench() as bench:
        Dealer(bench).wait_for_devices()
        yield bench


@asynccontextmanager
async def watching(
    bench: VirtualBench, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[None]]:
    with bench.connect() as client:
        first = client.status()
    app = WatchApp(Feed(bench.socket, first, may_ask=True), ascii_only=False, colour=True)
    async with app.run_test(size=size) as pilot:
        yield pilot


async def until(pilot: Pilot[None], found: Callable[[str], object]) -> str:
    """The screen's text, once it has what is waited for."""
    deadline = time.monotonic() + WITHIN_S
    while not found(text := text_on(pilot)):
        assert time.monotonic() < deadline, text
        await pilot.pause(0.02)
    return text


async def test_what_happens_at_the_table_is_seen(bench: VirtualBench) -> None:
    async with watching(bench) as pilot:
        await until(pilot, lambda text: re.search(r"shoe +up +\d+ s +\d+\.\d ms +0 again", text))
        dealer = Dealer(bench)
        await asyncio.to_thread(dealer.open_bets)
        await asyncio.to_thread(dealer.wager, 3, main=50)
        text = await until(pilot, lambda text: "box 3" in text)
        assert "a main 50" in text
        assert "wager 3a main 50" in text
        await asyncio.to_thread(bench.devices["keypad"].do, "unplug")
        text = await until(pilot, lambda text: re.search(r"!keypad +DOWN", text))
        assert "! keypad down" in text
        await pilot.press("d", "1")
        await until(pilot, lambda text: "device shoe" in text and "-> PING" in text)
        await pilot.press("p")
        await until(pilot, lambda text: "without PINGs" in text and "-> PING" not in text)
        await asyncio.to_thread(dealer.no_more_bets)
        await asyncio.to_thread(dealer.deal)
        await pilot.press("escape", "r")
        text = await until(pilot, lambda text: "settled" in text or "hands" in text)
        assert "box 3" in text


async def test_a_stopped_process_is_known_from_a_quiet_table(
    bench: VirtualBench,
) -> None:
    async with watching(bench) as pilot:
        await until(pilot, lambda text: "live, changed 3 s ago" in text)
        assert bench.controller.pid
        os.kill(bench.controller.pid, signal.SIGSTOP)
        try:
            text = await until(pilot, lambda text: "FROZEN: the controller has not" in text)
            assert "NOT LIVE" in text
            assert " up? " in text
        finally:
            os.kill(bench.controller.pid, signal.SIGCONT)
        text = await until(pilot, lambda text: "FROZEN" not in text)
        assert "live" in text
        assert "the controller answers again" in text


async def test_a_restart_and_a_resize_are_survived(bench: VirtualBench) -> None:
    async with watching(bench) as pilot:
        await until(pilot, lambda text: " ms " in text)
        await asyncio.to_thread(bench.stop_controller)
        await until(pilot, lambda text: "NO CONTROLLER ANSWERS since" in text)
        await until(pilot, lambda text: f"{bench.socket}: there is no" in text)
        await pilot.resize_terminal(80, 24)
        text = await until(pilot, lambda text: text.count("\n") == 24)
        assert "NO CONTROLLER ANSWERS" in text
        await asyncio.to_thread(bench.start_controller)
        text = await until(pilot, lambda text: "NO CONTROLLER" not in text)
        assert "answers again" in text
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda text: text.count("\n") == 60 and " live, changed" in text)


@pytest.mark.parametrize("colour", [True, False])
def test_on_a_terminal_from_its_start_to_its_end(bench: VirtualBench, colour: bool) -> None:
    ours, line = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    environment.pop("NO_COLOR", None)
    if not colour:
        environment["NO_COLOR"] = "1"
    command = [sys.executable, "-m", "controller.cli.main", "--socket", str(bench.socket), "watch"]
    with subprocess.Popen(
        command, stdin=line, stdout=line, stderr=line, env=environment, start_new_session=True
    ) as run:
        os.close(line)
        told = b""
        deadline = time.monotonic() + WITHIN_S
        with suppress(OSError):  # the end of the terminal's last user
            while time.monotonic() < deadline:
                if select.select([ours], [], [], 0.1)[0]:
                    told += os.read(ours, 1 << 16)
                    if b"links" in told and b"quit" in told:
                        os.write(ours, b"q")
        assert run.wait(timeout=5) == 0
    os.close(ours)
    assert b"Table" in told
    coloured = re.findall(rb"\x1b\[[\d;]*\b(?:3[0-7]|4[0-7]|38;|48;|9[0-7])[\d;]*m", told)
    assert bool(coloured) == colour


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_leaves_the_terminal_as_it_was(
    bench: VirtualBench, ending: signal.Signals
) -> None:
    ours, line = pty.openpty()
    before = termios.tcgetattr(line)
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-m", "controller.cli.main", "--socket", str(bench.socket), "watch"]
    with subprocess.Popen(
        command, stdin=line, stdout=line, stderr=line, env=environment, start_new_session=True
    ) as run:
        told, sent = b"", False
        deadline = time.monotonic() + WITHIN_S
        while time.monotonic() < deadline:
            if select.select([ours], [], [], 0.1)[0]:
                told += os.read(ours, 1 << 16)
            elif run.poll() is not None:
                break
            if not sent and b"links" in told and b"quit" in told:
                assert termios.tcgetattr(line) != before
                run.send_signal(ending)
                sent = True
        assert run.wait(timeout=5) == 0
    after = termios.tcgetattr(line)
    os.close(line)
    os.close(ours)
    assert after == before
    assert told.rfind(b"\x1b[?1049l") > told.rfind(b"\x1b[?1049h")
