"""The models within small bounds: every claim holds, nothing is left out, every line is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from proof.models import __main__ as command
from proof.models import checker
from proof.models.checker import SMALL, SOURCES, Claim, Model

pytestmark = pytest.mark.needs("spin", "gcc")


@pytest.mark.parametrize("claim", SMALL, ids=str)
def test_a_claim_holds_within_its_bounds(claim: Claim, tmp_path: Path) -> None:
    verdict = Model(SOURCES[claim.model], claim.defines, tmp_path).check(fair=claim.kind == "ends")
    assert verdict.violated == ""
    assert verdict.whole
    assert verdict.states > 1000
    assert verdict.holds


def test_without_repeats_the_end_is_not_reached(tmp_path: Path) -> None:
    """The search for runs that never end finds one: a device that does not send again."""
    defines = {"ENDS": None, "EVENTS": 1, "COMMANDS": 0, "ROOM": 3, "FAULTS": 1}
    model = Model(SOURCES["link"], {**defines, "NEVER_REPEAT": None}, tmp_path)
    assert model.check(fair=True).violated == "acceptance cycle"


def test_without_resume_a_draw_is_stuck(tmp_path: Path) -> None:
    """The search for runs that are stuck finds one: nobody ends the hold after a power cut."""
    model = Model(SOURCES["draw"], {"FAULTS": 1, "NEVER_RESUME": None}, tmp_path)
    assert model.check().violated == "invalid end state"


def test_a_search_that_is_cut_short_does_not_hold(tmp_path: Path) -> None:
    verdict = Model(SOURCES["draw"], {"FAULTS": 2}, tmp_path).check(depth=10)
    assert not verdict.violated
    assert not verdict.holds


def test_a_search_that_runs_out_of_memory_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "MEMORY_MB", 190)
    verdict = Model(SOURCES["link"], {"EVENTS": 2, "COMMANDS": 0, "FAULTS": 2}, tmp_path).check()
    assert not verdict.violated
    assert not verdict.holds


def test_the_command_tells_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "draw ends"]) == 0
    said = capsys.readouterr().out
    assert "draw ends: FAULTS=2" in said
    assert "holds: " in said
