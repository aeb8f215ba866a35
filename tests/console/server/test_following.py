"""The table is live or it is said that it is not, within a second; nothing is done meanwhile. The
console's connection to the daemon, where one of them hangs up; what its process does without."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from console.acting import SocketLine
from console.following import TableFollower
from controller.control.client import NoController
from controller.control.serving.door import Bounds
from controller.forms.json_values import WrongForm
from tests.console.server.beside import PATIENCE_S, ConsolePage, DealersConsole, code
from tests.control.support import connected, serving

WITHOUT: Final = {"click", "controller.daemon", "multiprocessing", "segno", "sqlite3"}
"""uvicorn's command line and its processes, the controller itself, pictures of a code, a database:
each takes memory beside a table's cards."""


def test_it_imports_nothing_that_it_does_not_use() -> None:
    imported = "import json, sys, console.main; print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", imported], capture_output=True, check=True)
    assert not WITHOUT.intersection(json.loads(told.stdout))


IDLE_S = 0.2


async def test_after_a_long_silence_the_next_request_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    async with serving(path, bounds=Bounds(idle_s=IDLE_S)):
        line = SocketLine(path)
        try:
            before = await line.ask("status", {})
            async with connected(path) as later:  # silent for as long, and begun behind it
                assert b"no request for" in (await later.reader.readline())
            assert await line.ask("status", {}) == before
        finally:
            await line.close()


async def test_what_is_being_asked_is_answered_before_who_left_is_out(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    async with serving(path) as till:
        line = SocketLine(path, again=False)
        asked = asyncio.create_task(line.ask("dealer", {"command": "wait"}))
        while not till.given:  # it is at the table
            await asyncio.sleep(0)
        waiting = asyncio.create_task(line.ask("dealer", {"command": "stand 2"}))
        line.retire()
        ending = asyncio.create_task(line.close_when_idle())
        till.go.set()
        assert await asked == {"prompt": "next"}
        with pytest.raises(NoController, match="nothing was done"):
            await waiting
        await ending
        assert [given[0] for given in till.given] == ["wait"]


WITHIN_S = 1.0
BUSY_S = 0.5
"""What a machine that runs other tests may take longer."""
SIGNED_IN = 5
"""At every such visit somebody signs in: a PIN is made to take its time."""


def _lost(page: ConsolePage, begun: float) -> str:
    why = str(page.until(lambda parts: parts["lost"])["lost"])
    assert time.monotonic() - begun <= WITHIN_S + BUSY_S
    return why


def _nothing_is_handed_on(page: ConsolePage) -> None:
    for answered in (
        page.give("open"),
        page.give("open", dry=True),
        page.sign_in("Novak"),
        page.post("/touch"),
        page.get("/choices"),
    ):
        assert code(answered) == (503, "not_live")


def test_a_controller_that_is_killed_and_comes_back(disturbed: DealersConsole) -> None:
    with disturbed.acting() as page:
        before = page.parts["table"]
        begun = time.monotonic()
        disturbed.bench.kill_controller()
        assert _lost(page, begun)
        assert page.parts["table"] == before  # what was so stays to be seen
        _nothing_is_handed_on(page)
        disturbed.bench.start_controller()
        page.until(lambda parts: not parts["lost"])
        page.done("open")


def test_a_controller_that_hangs(resting: DealersConsole) -> None:
    pid = resting.bench.controller.pid
    assert pid
    with resting.acting() as page:
        at = page.parts["table"]["at"]
        begun = time.monotonic()
        os.kill(pid, signal.SIGSTOP)
        try:
            assert _lost(page, begun) == "the table does not answer"
            _nothing_is_handed_on(page)
        finally:
            os.kill(pid, signal.SIGCONT)
        page.until(lambda parts: not parts["lost"])
        assert page.parts["table"]["at"] == at
        page.done("open")


async def test_what_cannot_be_read_is_not_live_and_asked_for_anew(console: DealersConsole) -> None:
    """As where the daemon is of another version."""
    told: list[str] = []
    again = asyncio.Event()

    def changed() -> None:
        told.append(follower.lost)
        if told == [""]:
            raise WrongForm("meter: expected an object")
        if not follower.lost:
            again.set()

    follower = TableFollower(console.bench.socket, changed)
    following = asyncio.create_task(follower.follow_table())
    async with asyncio.timeout(PATIENCE_S):
        await again.wait()
    following.cancel()
    await asyncio.wait([following])
    assert told[:3] == ["", "the table tells something else: meter: expected an object", ""]


def test_the_streams_of_a_console_that_ends_end_and_it_ends_soon(
    disturbed: DealersConsole,
) -> None:
    with disturbed.page().following() as page, disturbed.page().following() as other:
        begun = time.monotonic()
        assert disturbed.program.stop() == 0
        assert time.monotonic() - begun < 10.0
        for one in (page, other):
            with pytest.raises(EOFError):
                one.until(lambda parts: False)
    disturbed.start_console()


def test_pages_that_come_and_go_leave_nothing(resting: DealersConsole) -> None:
    """No descriptor of the console, and no memory to speak of."""
    console, process = resting, resting.process

    def visit(number: int) -> None:
        with console.acting() as page:
            if number % SIGNED_IN == 0:
                page.sign_in("Novak")
            page.give("stand 1")
            page.get("/choices")

    def settled() -> int:
        with console.acting():
            return len(list((process / "fd").iterdir()))

    def kib() -> int:
        told = (process / "status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in told if line.startswith("VmRSS:"))

    for number in range(20):
        visit(number)
    before, memory = settled(), kib()
    for number in range(100):
        visit(number)
    end = time.monotonic() + 5
    while (left := settled()) > before and time.monotonic() < end:
        continue  # each look is a page of its own, which may see the end of the one before
    assert left <= before
    assert kib() - memory < 1024
