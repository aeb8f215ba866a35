"""What is told beside a run that goes on."""

from __future__ import annotations

import re

import pytest

from figures.edges.figures import main_figures
from figures.program.runs import Progress
from figures.rounds.figures import WITHIN_95
from tests.figures.edges.support import game_of, run_of, sums_of


def test_what_stands_behind_the_sign_is_95_percent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("figures.program.runs.TELL_EVERY_S", 0.0)
    run = run_of(game_of())
    sums = sums_of(run)
    error = main_figures(2, sums)["per_initial"]["standard_error"]
    assert error is not None
    Progress([run]).played([sums])
    found = re.search(r"\+/- ([\d.]+) % \(95 %\)", capsys.readouterr().err)
    assert found
    assert float(found[1]) == pytest.approx(100 * WITHIN_95 * error, abs=1e-4)
