"""Planted defects: the checker finds each, its run does the same harm to the same code, and none to
the code as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from proof.models.__main__ import PLANTED
from proof.models.checker import SOURCES, Model, StepRecord
from proof.models.draw import defects as of_the_draw
from proof.models.playing import same, survive

pytestmark = pytest.mark.needs("spin", "gcc")

HARM = {
    "ACKNOWLEDGE_EARLY": "is lost",
    "FORGET_SESSION": "is taken twice",
    "SAME_SESSION": "is lost",
    "ACT_AGAIN": "is acted on twice",
    "EAGER": "is taken twice",
    "HELLO_SAYS_RECEIVED": "is lost",
    "ANY_HELLO_COUNTS": "is taken twice",
    "DRAW_AGAIN": "offer 1 is drawn twice",
    "EFFECTS_EARLY": "the meter has shown 2 figures for offer 1",
    "ROW_BEHIND": "is covered by no signature",
    "ROW_APART": "no attack, no loss, and a start finds 1",
    "ACK_EARLY": "what was acknowledged is under no good row",
    "HEAD_EARLY": "no attack, no loss, and a start finds 4",
    "ROW_WITH_SLICE": "the row of the copy is for an entry that it has not",
    "TAKE_ALL": "a recovery took what no row covers",
    "COPY_STAYS": "a journal that is all there is refused",
    "MARK_LATE": "what a medium has lost is passed over in silence",
    "SUCCESSOR_UNSIGNED": "no attack, no loss, and a start finds 1",
    "SNAPSHOT_FORGETS": "the offer is drawn twice",
    "BLIND": "an entry that no row covers starts unheld",
    "NO_HEADS": "what was put back starts unheld",
}


def found(name: str, macro: str, folder: Path) -> list[StepRecord]:
    """The run that the checker writes."""
    defect = PLANTED[name][1][macro]
    model = Model(SOURCES[name], {**defect.bounds, macro: None}, folder)
    assert model.check(depth=defect.depth, shortest=True, stuck=False).violated
    return model.trail()


@pytest.mark.parametrize(
    ("name", "macro"), [(name, macro) for name, (_, every) in PLANTED.items() for macro in every]
)
def test_a_defect_is_found_and_does_harm(name: str, macro: str, tmp_path: Path) -> None:
    honest, defects = PLANTED[name]
    defect = defects[macro]
    run = found(name, macro, tmp_path / "model")
    planted = defect.bench(tmp_path / "planted", defect.bounds)
    assert same(planted, run) == ""
    assert any(HARM[macro] in wrong for wrong in planted.wrong), planted.wrong
    planted.close()
    real = honest(tmp_path / "real", defect.bounds)
    assert survive(real, run) > (len(run) - (name == "stored")) // 2
    assert real.wrong == []
    real.close()


def test_the_database_refuses_the_second_draw_of_a_table_that_forgot_the_first(
    tmp_path: Path,
) -> None:
    defect = of_the_draw.DEFECTS["DRAW_AGAIN"]
    run = found("draw", "DRAW_AGAIN", tmp_path)
    fenced = of_the_draw.DrawAgainFenced(tmp_path / "fenced", defect.bounds)
    with pytest.raises(JournalError, match=r"UNIQUE constraint failed: entry\.offer"):
        same(fenced, run)
    fenced.close()
