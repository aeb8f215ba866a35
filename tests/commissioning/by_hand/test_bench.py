"""A trial over a real socket: what a device says, once; refusals; a controller that goes."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli.command_line.person import PersonAtTerminal
from controller.commissioning.by_hand.bench import Bench
from controller.control.client import RefusedByController
from tests.control import technicians
from tests.control.support import controller


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


@pytest.fixture
def person() -> Iterator[PersonAtTerminal]:
    reading, typing = os.pipe()
    yield PersonAtTerminal(reading, io.StringIO())
    os.close(reading)
    os.close(typing)


def card(number: int, raw: str) -> dict[str, Any]:
    return {**technicians.line(number, "CARD", rank=number), "raw": raw}


def test_what_is_repeated_is_heard_once(path: Path, person: PersonAtTerminal) -> None:
    said = technicians.Bench(portions=[{"lines": [card(1, "aa"), card(1, "aa"), card(2, "bb")]}])
    with controller(path, technician=said), Bench(path, "shoe", person, 5.0) as bench:
        first, second = bench.wait("CARD"), bench.wait("CARD", "PRESS")
        assert first is not None
        assert second is not None
        assert (first.whole("rank"), second.whole("rank")) == (1, 2)
        assert bench.wait("CARD", within_s=0.05) is None


def test_what_was_said_before_is_forgotten(path: Path, person: PersonAtTerminal) -> None:
    said = technicians.Bench(portions=[{"lines": [card(1, "aa"), card(2, "bb")]}])
    with controller(path, technician=said), Bench(path, "shoe", person, 5.0) as bench:
        assert bench.wait("CARD") is not None
        bench.forget()
        assert bench.wait("CARD", within_s=0.05) is None


def test_other_messages_are_passed_over(path: Path, person: PersonAtTerminal) -> None:
    said = technicians.Bench(portions=[{"lines": [card(1, "aa"), card(2, "bb")]}])
    with controller(path, technician=said), Bench(path, "shoe", person, 0.2) as bench:
        assert bench.wait("PRESS") is None


def test_a_trial_that_is_refused(path: Path, person: PersonAtTerminal) -> None:
    said = technicians.Bench(refusal="devices are tried by hand in service")
    with controller(path, technician=said), pytest.raises(RefusedByController, match="in service"):
        Bench(path, "shoe", person, 5.0)


def test_a_controller_that_goes_ends_the_wait(path: Path, person: PersonAtTerminal) -> None:
    with controller(path, technician=technicians.Bench()):
        bench = Bench(path, "shoe", person, 60.0)
    with bench:
        assert bench.wait("CARD") is None
