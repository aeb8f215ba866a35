"""Every mistake that is planted into a twin is found by the check that is about it, and a whole run
finds it by the checks that are about it alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from drivers.table_link.messages import ANSWER_BIT, COMMANDS, NAK, Message, encode, seal
from drivers.table_link.timing import RESET_WITHIN_S
from hil_tests.bench.processes import ROOT
from hil_tests.conformance.catalogue import checks
from hil_tests.conformance.conftest import TWINS
from hil_tests.conformance.defects.broken import DEFECTS
from hil_tests.conformance.defects.planted import broken
from hil_tests.conformance.judge import Violation
from hil_tests.conformance.words import Talk, failure, message_told, payload_told

CHECKS = {check.name: check for check in checks()}
WHOLE = ("never-says-shown", "numbers-go-back", "repeated-with-another-time", "stays-armed")
"""What failed in ten checks and more when each began where the one before had ended; the last
leaves an armed button. All, in 3 minutes: ``python -m hil_tests.conformance.defects.planted``."""


def test_every_defect_has_its_checks() -> None:
    for found in DEFECTS.values():
        kind = found.twin.partition("-")[0]
        about = {
            check.name
            for check in checks()
            for place in TWINS
            if place.kind == kind and check.about(place)
        }
        assert set(found.fails) <= about


@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_a_planted_defect_is_found(defect: str) -> None:
    check = CHECKS[DEFECTS[defect].fails[0]]
    failures = []
    with broken(defect) as subject:
        for case in check.cases:
            try:
                check.examine(subject, case)
            except Violation as failed:
                failures.append(str(failed))
    assert failures, f"{check.name} holds"
    for text in failures:
        assert text.startswith("expected: ")
        assert "\nasked for by: Table Link v1, section " in text


def test_a_whole_run_fails_in_the_checks_about_it_alone() -> None:
    """Beside each other, since nearly all of each is waiting."""
    command = [sys.executable, "-m", "hil_tests.conformance.defects.planted", *WHOLE]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert [line.partition(":")[0] for line in ran.stdout.splitlines()] == list(WHOLE)


def test_every_check_says_what_it_demands() -> None:
    for check in CHECKS.values():
        assert check.demand[0] != "S" or not check.demand.startswith("Section"), check.demand
        assert check.demand.endswith("."), f"{check.name}: {check.demand}"
        assert check.section.startswith("section "), check.name
    assert len(CHECKS) == len(checks()), "two checks of one name"
    assert (
        f"grace is {RESET_WITHIN_S:g} s"
        in CHECKS["a_reset_device_wants_hello_and_keeps_its_session"].demand
    )
    assert "METER reads multiplier 0" in CHECKS["the_meter_shows_what_it_is_told"].demand


def test_a_failure_says_what_was_sent_what_came_and_what_is_expected() -> None:
    talk = Talk()
    talk.add(f"sent: {payload_told(encode(COMMANDS['GATE'].type, 7, {'unlocked': 1, 'cards': 2}))}")
    nak = Message(NAK, 7, "NAK", {"code": 3, "refused": COMMANDS["GATE"].type})
    talk.add(f"came: {message_told(nak)}")
    assert failure("section 5, card shoe", "the gate unlocked", talk.lines()).splitlines() == [
        "expected: the gate unlocked",
        "  sent: GATE unlocked=1 cards=2",
        "  came: NAK 3 (not in this state) for GATE",
        "asked for by: Table Link v1, section 5, card shoe",
    ]


def test_what_is_no_message_is_told_by_its_bytes() -> None:
    assert payload_told(b"\x01\x02") == "2 bytes 0102, which are no message (bad_size)"
    assert "no message (unknown_type)" in payload_told(seal(0x33, 1, b""))
    answer = Message(COMMANDS["RESET"].type | ANSWER_BIT, 1, "RESET", {})
    assert message_told(answer) == "answer to RESET"
    nobody = Message(NAK, 1, "NAK", {"code": 9, "refused": 0x33})
    assert message_told(nobody) == "NAK 9 (no such code) for type 0x33"


def test_what_comes_several_times_is_one_line() -> None:
    talk = Talk()
    for line in ("a", "b", "b", "b"):
        talk.add(line)
    assert talk.lines() == ["a", "b, 3 times"]
    for number in range(9):
        talk.add(str(number))
    assert talk.lines() == ["3", "4", "5", "6", "7", "8"]
    talk.clear()
    assert talk.lines() == []
