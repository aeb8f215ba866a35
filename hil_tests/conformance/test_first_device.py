"""The device to start from (docs/first-device.md) passes the checks that a keypad has to pass."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
import tty
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.table_link.messages import HELLO, encode
from hil_tests.conformance import test_commands as commands
from hil_tests.conformance import test_devices as devices
from hil_tests.conformance import test_events as events
from hil_tests.conformance import test_payloads as payloads
from hil_tests.conformance.controller import NOTHING, Controller
from hil_tests.conformance.subject import Place, Subject
from simulators.hands import ROOT

PROGRAM: Final = ROOT / "docs" / "examples" / "first_device" / "keypad.py"
CHECKS: Final[dict[str, tuple[Callable[..., None], dict[str, Any]]]] = {
    "crc": (payloads.test_a_wrong_crc_is_never_answered, {"place": -1}),
    "version": (payloads.test_another_version_is_never_answered, {}),
    "length": (payloads.test_a_command_of_the_wrong_length_gets_nak_2, {"more": 1}),
    "short": (payloads.test_a_command_of_the_wrong_length_gets_nak_2, {"more": -1}),
    "id 0": (payloads.test_a_command_with_id_0_is_dropped, {"name": "PING"}),
    "answers": (payloads.test_an_answer_sent_to_a_device_is_dropped, {"number": 0x81}),
    "noise": (payloads.test_noise_costs_no_frame_behind_its_end, {}),
    "half": (payloads.test_half_a_frame_costs_no_other, {}),
    "pieces": (payloads.test_a_frame_may_come_byte_by_byte, {}),
    "one piece": (payloads.test_frames_may_come_in_one_piece, {}),
    "hello": (commands.test_the_answer_to_hello, {}),
    "unknown": (commands.test_an_unknown_type_gets_nak_1, {}),
    "again": (commands.test_a_repeated_command_gets_the_same_answer, {}),
    "eight": (commands.test_eight_answers_are_remembered, {}),
    "empties": (commands.test_hello_empties_the_memory_of_answers, {}),
    "first": (commands.test_hello_is_first, {}),
    "life": (commands.test_only_valid_payloads_count_as_life, {}),
    "slow": (commands.test_a_controller_that_is_slow_is_not_gone, {}),
    "reset": (commands.test_a_reset_device_wants_hello_and_keeps_its_session, {}),
    "nonce": (commands.test_authenticate_depends_on_the_nonce, {}),
    "repeated": (events.test_an_event_is_repeated_until_it_is_acknowledged, {}),
    "other": (events.test_an_acknowledgement_of_something_else_changes_nothing, {}),
    "window": (events.test_at_most_eight_are_in_flight, {}),
    "covers": (events.test_hello_covers_what_is_stored, {}),
    "session": (events.test_hello_of_another_session_covers_nothing, {}),
    "wait": (events.test_events_wait_for_hello, {}),
    "cable": (events.test_nothing_is_lost_with_the_cable, {}),
    "power": (events.test_nothing_is_lost_with_the_power, {}),
    "keys": (devices.test_keys_come_as_they_are_pressed, {}),
    "rows": (devices.test_rows_and_lamps_are_taken, {}),
    "nobody": (devices.test_a_keypad_without_its_controller_takes_no_keys, {}),
}


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

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """See :class:`hil_tests.conformance.hands.AtDevice`."""
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
    check, more = CHECKS[name]
    controller = keypad.greeted()
    try:
        given = {"subject": keypad, "controller": controller, **more}
        check(**{key: given[key] for key in signature(check).parameters})
    finally:
        controller.line.close()


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
