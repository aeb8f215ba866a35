"""The demo as a technician runs it: ``tablectl demo``; and that it puts everything away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import DIVISION_15, MBS, PLUS, RWS, TRICK

WAIT_S = 60.0


def _start(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "demo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


@pytest.mark.parametrize("rules", [DIVISION_15, PLUS, TRICK])
def test_each_document_without_a_button(rules: str, tmp_path: Path) -> None:
    with _start(tmp_path, "--rules", rules, "--rounds", "3", "--json") as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    told = json.loads(out)
    assert told["well"]
    assert told["rules"] == rules
    assert (len(told["rounds"]), told["draws"], told["kills"]) == (3, 0, 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_all_is_as_it_must_be(rules: str, tmp_path: Path) -> None:
    with _start(tmp_path, "--rules", rules, "--json") as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    told = json.loads(out)
    assert told["well"]
    assert len(told["rounds"]) == 6
    assert told["draws"] >= 1
    assert told["kills"] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_person_reads_what_was_paid_and_by_which_clause(tmp_path: Path) -> None:
    with _start(tmp_path) as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    for said in ("Offer the jackpot button: box", "METER", "clause 3.19.1", "SIGKILL", ": well"):
        assert said in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_puts_everything_away(number: int, tmp_path: Path) -> None:
    with _start(tmp_path) as demo:
        assert demo.stdout
        for line in demo.stdout:
            if "Round 2" in line:
                break
        demo.send_signal(number)
        _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 130, err
    assert "interrupted" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [["--rules", "no-such-rules"], ["--rounds", "0"]])
def test_wrong_use(wrong: list[str], tmp_path: Path) -> None:
    with _start(tmp_path, *wrong) as demo:
        _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 2
    assert wrong[1] in err or wrong[0] in err
