"""How far a long command is, and pages on paper: files that are there whole or not at all."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import progress
from controller.cli.progress import Bar
from controller.files.new_files import check_new, write_new
from controller.not_done import NotDone
from controller.sheets.sheet import cards, sheet, table, text
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
    assert out.getvalue() == ""


def test_a_simulation_shows_it_on_a_real_terminal() -> None:
    ours, theirs = pty.openpty()
    command = ["simulate", "--config", str(CONFIGURATION), "--rounds", "100000", "--jobs", "2"]
    command += ["--by", "rounds"]
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


def test_cards_have_the_symbols_of_their_suits() -> None:
    assert cards("TC ?? 9H^") == (
        '<span class="card">10<span>\u2663\ufe0e</span></span> <span class="card">??</span> '
        '<span class="card">9<span class="red">\u2665\ufe0e</span>^</span>'
    )
    assert cards("") == ""
    assert "<b>" not in cards("<b> AH<b>")


def test_text_is_only_shown() -> None:
    assert text("<a href='x'>\x1b\u202e&") == "&lt;a href=&#x27;x&#x27;&gt;\\x1b\\u202e&amp;"


def test_a_page_stands_alone() -> None:
    page = sheet("A & B", [table(("one",), [], widths=(100,))])
    assert "<title>A &amp; B</title>" in page
    assert "default-src 'none'" in page
    assert '<col style="width:100%">' in page


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    check_new(file)
    write_new(file, "one \u2660")
    with pytest.raises(NotDone, match="is there already"):
        check_new(file)
    with pytest.raises(NotDone, match="something stands there already"):
        write_new(file, "two")
    assert file.read_text(encoding="utf-8") == "one \u2660"
    assert list(tmp_path.iterdir()) == [file]
