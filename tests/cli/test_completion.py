"""Completion, as a shell asks for it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import arguments
from controller.cli.commands import SHELLS
from controller.faults.catalogue import CATALOGUE
from controller.files.rules import rule_files
from hil_tests.bench.processes import tablectl as in_a_process
from tests.cli.support import Tablectl
from tests.control.support import controller

STATUS = {
    "permitted": ["stand 1", "double 1 AMOUNT"],
    "devices": {"shoe": {"link": "up"}, "keypad": {"link": "up"}},
    "held": {"reason": "look at the card", "fault": "card-unread", "remedies": ["use", "discard"]},
}


def offered(line: str, folder: Path, **more: str) -> set[str]:
    """What a shell would offer behind that line."""
    answer = folder / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    answer.unlink(missing_ok=True)
    assert in_a_process(environment=asked | more).returncode == 0
    found = answer.read_text(encoding="utf-8").split("\n")
    return {text.replace("\\", "").strip() for text in found}


def test_verbs_options_and_fixed_values(tmp_path: Path) -> None:
    assert offered("tablectl jour", tmp_path) == {"journal"}
    assert {"verify", "find", "prove"} <= offered("tablectl journal ", tmp_path)
    assert offered("tablectl journal find --mu", tmp_path) == {"--multiplier"}
    assert offered("tablectl completion ", tmp_path) >= set(SHELLS)
    assert offered("tablectl rules show ", tmp_path) >= set(rule_files())
    assert offered("tablectl faults disk-", tmp_path) == {
        code for code in CATALOGUE if code.startswith("disk-")
    }


def test_values_that_the_running_table_knows(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with controller(path, STATUS):
        socket = {"TABLE_CONTROLLER_SOCKET": str(path)}
        assert offered("tablectl devices test ", tmp_path, **socket) >= {"shoe", "keypad"}
        assert offered("tablectl twin unplug ke", tmp_path, **socket) == {"keypad"}
        assert offered("tablectl dealer s", tmp_path, **socket) == {"stand 1"}
        assert offered("tablectl supervisor u", tmp_path, **socket) == {"use"}
        there = offered(f"tablectl --socket {path} devices test sh", tmp_path)
        assert there == {"shoe"}


@pytest.mark.parametrize(
    ("state", "offers"),
    [
        ({"state": "idle"}, ["service on"]),
        ({"state": "held.closed", "held": {"remedies": ["resume"]}}, ["resume", "service on"]),
        ({"state": "service"}, ["service off"]),
        ({"state": "held.service", "held": {"remedies": ["service off"]}}, ["service off"]),
        ({"state": "play.decide"}, []),
    ],
)
def test_service_is_offered_where_it_may_be(
    monkeypatch: pytest.MonkeyPatch, state: dict[str, object], offers: list[str]
) -> None:
    monkeypatch.setattr(arguments, "_state", lambda _: state)
    assert list(arguments._supervisors(argparse.Namespace())) == offers


def test_without_a_controller_there_is_nothing_to_offer_and_no_word(tmp_path: Path) -> None:
    nowhere = {"TABLE_CONTROLLER_SOCKET": str(tmp_path / "none")}
    assert offered("tablectl twin unplug ke", tmp_path, **nowhere) == {""}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shells_text(tablectl: Tablectl, shell: str) -> None:
    told = tablectl("completion", shell)
    assert told.code == 0
    assert "tablectl" in told.out
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=told.out, text=True, check=True)


def test_bash_itself_completes(tmp_path: Path) -> None:
    """The function that the text defines, called as bash calls it."""
    script = """
eval "$(tablectl completion bash)"
COMP_WORDS=(tablectl journal ve) COMP_CWORD=2 COMP_LINE="tablectl journal ve" COMP_POINT=19
COMP_TYPE=9 COMP_WORDBREAKS=" "
_python_argcomplete tablectl
printf '%s\\n' "${COMPREPLY[@]}"
"""
    found = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert found.stdout.strip() == "verify"
