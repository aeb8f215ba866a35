"""How far a long command is."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest

from controller.cli.printed import progress
from controller.cli.printed.progress import Bar
from tests.cli.support import CONFIGURATION, ROOT


class Terminal(io.StringIO):
    """Standard error on a terminal."""

    def isatty(self) -> bool:
        return True


def test_it_is_shown_after_a_while_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Terminal()
    with Bar(1000, "entries", out) as bar:
        for _ in range(500):
            bar.advance()
        assert out.getvalue() == ""  # it may be done in a moment
        monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.0)
        bar.advance(100)
    said = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out.getvalue())
    assert "entries" in said
    assert "60%" in said
    assert out.getvalue().rstrip().endswith("\x1b[2K"), "the line is cleared"


@pytest.mark.parametrize("total", [0, 1000])
def test_nothing_is_shown_but_on_a_terminal(monkeypatch: pytest.MonkeyPatch, total: int) -> None:
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.0)
    out = io.StringIO()
    with Bar(total, "entries", out) as bar:
        bar.advance(1000)
        assert not bar.shown
    assert out.getvalue() == ""


def test_a_simulation_shows_it_on_a_real_terminal() -> None:
    ours, theirs = pty.openpty()
    command = ["simulate", "--config", str(CONFIGURATION), "--rounds", "100000", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", *command],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm"},
    ) as run:
        os.close(theirs)
        said = b""
        while b"%" not in said and select.select([ours], [], [], 30)[0]:
            said += os.read(ours, 4096)
        run.send_signal(signal.SIGINT)  # its processes end with it
    os.close(ours)
    assert b"rounds" in said
    assert b"%" in said
