"""The device to start from (docs/first-device.md) passes the checks that a keypad has to pass."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.table_link.messages import HELLO, encode
from hil_tests.conformance.catalogue import checks
from hil_tests.conformance.controller import NOTHING
from hil_tests.conformance.subject import Place, Subject
from simulators.hands import ROOT

PROGRAM: Final = ROOT / "docs" / "examples" / "first_device" / "keypad.py"
AT_LINE: Final = Place("keypad", "its port")
CHECKS: Final = {check.name: check for check in checks() if check.about(AT_LINE)}


STARTED: Final = (
    "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import keypad;"
    "keypad.Keypad(int(sys.argv[2]), pathlib.Path(sys.argv[3])).run_until_end()"
)


class AtKeypad:
    """Its fingers and its power: keys are typed, a start is a new process. A pseudo-terminal's
    cable is not pulled: that the port is closed and opened is all there is of it."""

    def __init__(self, line: int, memory: Path) -> None:
        self._line = line
        self._arguments = [str(PROGRAM.parent), str(line), str(memory)]
        self.process = self._start()

    def __call__(self, _: object, verb: str, **arguments: Any) -> None:
        """See :data:`hil_tests.conformance.subject.AtDevice`."""
        if verb == "key":
            assert self.process.stdin
            self.process.stdin.write(str(arguments["keys"]).encode() + b"\n")
            self.process.stdin.flush()
        elif verb == "power" and arguments["on"]:
            self.process = self._start()
        elif verb == "power":
            self.switch_off()

    def switch_off(self) -> None:
        """Off."""
        self.process.kill()
        self.process.communicate()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", STARTED, *self._arguments],
            stdin=subprocess.PIPE,
            pass_fds=[self._line],
        )


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """Where flushing takes no time: a disk that others write to can be slower than an answer."""
    parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path
    with tempfile.TemporaryDirectory(prefix="keypad-", dir=parent) as folder:
        yield Path(folder) / "memory"


@pytest.fixture
def keypad(memory: Path) -> Iterator[Subject]:
    """The device at one end of a pseudo-terminal, its examiner at the other."""
    line, port = os.openpty()
    tty.setraw(port)
    at_keypad = AtKeypad(line, memory)
    subject = Subject(Place("keypad", os.ttyname(port)), at_keypad)
    try:
        subject.restarted().line.close()  # a busy machine is slower to start it than HELLO waits
        yield subject
    finally:
        at_keypad.switch_off()
        os.close(line)
        os.close(port)


@pytest.mark.parametrize("name", CHECKS)
def test_it_conforms(name: str, keypad: Subject) -> None:
    for case in CHECKS[name].cases:
        CHECKS[name].examine(keypad, case)


def test_what_is_sent_outlasts_a_loss_of_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Section 4: the file is flushed before it gets its name, and the folder behind that; then the
    line has it. No check at a line can see it."""
    done: list[str] = []
    rename = os.replace

    def flushed(fd: int) -> None:
        done.append(f"flush {Path(f'/proc/self/fd/{fd}').readlink().name}")

    def renamed(source: Path, target: Path) -> None:
        done.append("rename")
        rename(source, target)

    kept = ["flush memory.new", "rename", f"flush {tmp_path.name}"]
    keypad = runpy.run_path(str(PROGRAM))["Keypad"]
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", flushed)
        patch.setattr(os, "replace", renamed)
        patch.setattr(os, "write", lambda fd, data: done.append("send"))
        device = keypad(-1, tmp_path / "memory")
        device.receive(encode(HELLO, 1, NOTHING))
        assert done == [*kept, "send"], "a session is told of before it is kept"
        done.clear()
        device.key("O")
        device.send_events()
        assert done == [*kept, "send"], "an event is sent before it is kept"
