"""``draw``, options that are wrong, and readers that stop reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import CONFIGURATION, EXAMPLES, ROOT, Tablectl, a_process


def test_draw_odds(tablectl: Tablectl) -> None:
    ran = tablectl("draw", "odds", "--config", CONFIGURATION, "--json")
    assert ran.code == 0
    assert ran.json["house_edge"] == "1051/9575"
    assert ran.json["reckoned_by"] == "closed_form"
    told = tablectl("draw", "odds", "--config", CONFIGURATION).out
    assert "reckoned exactly, from a full shoe" in told
    assert "10.977 %" in told
    assert "100 to 1" in told


def test_a_configuration_with_faults(tablectl: Tablectl, tmp_path: Path) -> None:
    bad = tmp_path / "table.toml"
    bad.write_text("[table]\ncolour = 5\n", "utf-8")
    ran = tablectl("draw", "odds", "--config", bad)
    assert ran.code == 2
    assert f"{bad}: table.colour is unknown" in ran.err
    assert tablectl("draw", "test", "--config", tmp_path / "none").code == 2


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["dance"],
        ["status", "now"],
        ["status", "--stat", "x"],
        ["dealer"],
        ["round"],
        ["round", "run"],
        ["journal", "mend"],
        ["status", "--state", "x"],
        ["dealer", "open", "--by", "Ida"],
        ["devices", "probe", "x", "--baud", "fast"],
        ["devices", "probe", "x", "--baud", "0"],
        ["devices", "probe", "x", "--baud", "-9600"],
        ["devices", "probe", "x", "--baud", "9" * 5000],
    ],
)
def test_wrong_use(tablectl: Tablectl, argv: list[str]) -> None:
    ran = tablectl(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert "usage: tablectl" in ran.err or "say which command:" in ran.err


def unread(*argv: object, errors_too: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command with nobody behind its standard output."""
    read, wrote = os.pipe()
    os.close(read)
    try:
        return a_process(*argv, stdout=wrote, stderr=wrote if errors_too else subprocess.PIPE)
    finally:
        os.close(wrote)


def test_who_does_not_read_still_gets_the_exit_code(state: Path, tmp_path: Path) -> None:
    bad, many = tmp_path / "bad.json", tmp_path / "many.jsonl"
    bad.write_text("{}", "utf-8")
    script = json.loads((EXAMPLES / "pontoon-with-standing-bettor.json").read_text("utf-8"))
    many.write_text(f"{json.dumps(script)}\n" * 300, "utf-8")
    assert (unread("--help").returncode, unread("--help").stderr) == (0, "")
    assert unread("journal", "export", "--state", state).returncode == 0
    assert unread("rules", "check", bad, "--json").returncode == 1
    done = unread("round", "run", "--json", many)
    assert (done.returncode, done.stderr) == (0, "")
    assert unread("round", "run", bad, errors_too=True).returncode == 2
    assert unread("status", "--socket", tmp_path / "none", errors_too=True).returncode == 4


def test_a_full_disk_behind_standard_output_is_told() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = a_process("rules", "list", stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith("tablectl: ")
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("argv", "code", "closed"),
    [
        ("--help", 0, ">&- 2>&-"),
        ("rules list", 0, ">&-"),
        ("rules list", 0, "2>&-"),
        ("rules show nothing", 2, ">&-"),
        ("rules show nothing", 2, ">&- 2>&-"),
        ("round", 2, "2>&-"),
    ],
)
def test_closed_streams_change_no_exit_code(argv: str, code: int, closed: str) -> None:
    command = ["sh", "-c", f"'{sys.executable}' -m controller.cli.main {argv} {closed}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_help_on_a_terminal_of_ascii_only() -> None:
    done = a_process("--help", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
