"""Trials by hand: what each makes of what a device says, and what it hears over a real socket."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from controller.commissioning.by_hand import buttons, cards
from controller.commissioning.by_hand.bench import Bench, Failed, Heard, WantedTrial
from controller.commissioning.by_hand.trials import TRIALS, Trial
from controller.commissioning.person import PersonAtTerminal
from controller.control.client import RefusedByController
from tests.control import technicians
from tests.control.support import controller

WANTED = WantedTrial(figures=[25])

NOBODY = os.open(os.devnull, os.O_RDONLY)


class Device:
    """A device that answers and says what the test has written down."""

    device = "it"
    wait_s = 1.0

    def __init__(self, heard: list[Heard | None], **answers: dict[str, object]) -> None:
        self.heard = iter(heard)
        self.answers = answers
        self.person = PersonAtTerminal(NOBODY, io.StringIO())

    def command(self, text: str) -> Heard:
        name = text.split(maxsplit=1)[0]
        return Heard(f"{name} answer", self.answers.get(name, {}), 0.0)

    def forget(self) -> None:
        """All is still to come."""

    def somebody(self, text: str) -> None:
        """He is."""

    def wait(
        self, *names: str, within_s: float | None = None, typing_ends: bool = True
    ) -> Heard | None:
        heard = next(self.heard)
        assert heard is None or heard.name in names
        return heard

    def is_so(self, question: str) -> None:
        """It is."""


def heard(name: str, **fields: object) -> Heard:
    return Heard(name, fields, 1.0)


def failed(trial: Trial, device: Device, **more: Any) -> str:
    with pytest.raises(Failed) as raised:
        trial(cast("Bench", device), replace(WANTED, **more))
    return str(raised.value)


STOPPED = heard("SHUFFLER_STATE", state=4, set=1, count=0, progress=0)
GOING = heard("SHUFFLER_STATE", state=99, set=1, count=0, progress=10)
AMISS = heard("CARD_DISCREPANCY", rank=77, suit=0, difference=2)
DONE = heard("SHUFFLE_DONE", set=1, count=386, result=9)


@pytest.mark.parametrize(
    ("trial", "says", "answers", "told"),
    [
        (
            buttons.button,
            [heard("ARM answer"), heard("PRESS", offer_id=1)],
            {"METER": {"pressed": 0}},
            "says that it was not pressed",
        ),
        (
            buttons.button,
            [heard("ARM answer"), None],
            {"METER": {"pressed": 1}},
            "the unit itself says pressed",
        ),
        (buttons.not_armed, [heard("PRESS", offer_id=1)], {}, "without being armed"),
        (
            buttons.hold,
            [heard("STUCK", held_ms=5000), heard("FAULT", faults=1 << 5), None],
            {},
            "still down",
        ),
        (buttons.pattern, [], {"METER": {"state": 0}}, "not in its test"),
        (
            buttons.figures,
            [heard("SHOWN", multiplier=25)],
            {"METER": {"multiplier": 20}},
            "25 is reported, and read back as 20",
        ),
        (TRIALS["display"]["figures"], [None], {}, "25 is not reported"),
        (buttons.keys, [heard("KEY", key="?", supervisor=0), None], {}, "unknown keys: '?'"),
        (cards.passes, [None], {}, "says nothing any more"),
        (cards.passes, [STOPPED], {}, "it stopped, jam"),
        (cards.passes, [GOING, AMISS, DONE], {}, "2 ?? too many"),
        (cards.passes, [DONE], {}, "result 9"),
    ],
)
def test_what_is_amiss_is_said(
    trial: Trial, says: list[Heard | None], answers: dict[str, dict[str, object]], told: str
) -> None:
    assert told in failed(trial, Device(says, **answers))


def test_a_table_without_a_multiplier_has_no_figures() -> None:
    assert "draws no multiplier" in failed(buttons.figures, Device([]), figures=[])


def test_the_figures_of_a_display() -> None:
    device = Device([heard("SHOWN", multiplier=25)])
    of_display = TRIALS["display"]["figures"]
    assert of_display(cast("Bench", device), WANTED) == "25: each shown and read back"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_how_far_it_is_stays_on_one_line_of_a_terminal() -> None:
    screen = Terminal()
    person = PersonAtTerminal(screen=screen)
    person.pass_by("  card 1")
    person.pass_by("  card 2")
    person.write_line("done")
    assert screen.getvalue() == "  card 1\r\x1b[K  card 2\r\x1b[Kdone\n"


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
        assert (first.whole_number("rank"), second.whole_number("rank")) == (1, 2)
        assert bench.wait("CARD", within_s=0.05) is None


@pytest.mark.parametrize("heard_first", ["CARD", "PRESS"])
def test_what_was_said_before_is_forgotten_and_others_are_passed_over(
    path: Path, person: PersonAtTerminal, heard_first: str
) -> None:
    said = technicians.Bench(portions=[{"lines": [card(1, "aa"), card(2, "bb")]}])
    with controller(path, technician=said), Bench(path, "shoe", person, 5.0) as bench:
        assert (bench.wait(heard_first, within_s=0.2) is None) == (heard_first == "PRESS")
        bench.forget()
        assert bench.wait("CARD", within_s=0.05) is None


def test_a_trial_that_is_refused(path: Path, person: PersonAtTerminal) -> None:
    said = technicians.Bench(refusal="devices are tried by hand in service")
    with controller(path, technician=said), pytest.raises(RefusedByController, match="in service"):
        Bench(path, "shoe", person, 5.0)


def test_a_controller_that_goes_ends_the_wait(path: Path, person: PersonAtTerminal) -> None:
    with controller(path, technician=technicians.Bench()):
        bench = Bench(path, "shoe", person, 60.0)
    with bench:
        assert bench.wait("CARD") is None
