"""Planted defects: the checker finds each, its run does the same harm to the same code, and none to
the code as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from proof.models.checker import Model, StepRecord
from proof.models.draw import defects as of_the_draw
from proof.models.draw.draw_bench import DrawBench
from proof.models.draw.steps import SOURCE as DRAW
from proof.models.link import defects as of_the_link
from proof.models.link.link_bench import LinkBench
from proof.models.link.steps import SOURCE as LINK
from proof.models.playing import same, survive
from proof.models.stored import defects as of_what_is_stored
from proof.models.stored.bench import StoredBench
from proof.models.stored.steps import SOURCE as STORED

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


Defect = of_the_link.Defect | of_the_draw.Defect | of_what_is_stored.Defect


def found(source: Path, macro: str, defect: Defect, folder: Path) -> list[StepRecord]:
    """The run that the checker writes."""
    model = Model(source, {**defect.bounds, macro: None}, folder)
    assert model.check(depth=defect.depth, shortest=True, stuck=False).violated
    return model.trail()


@pytest.mark.parametrize("macro", of_the_link.DEFECTS)
def test_a_defect_of_the_link_is_found_and_does_harm(macro: str, tmp_path: Path) -> None:
    defect = of_the_link.DEFECTS[macro]
    run = found(LINK, macro, defect, tmp_path)
    planted = defect.bench(room=defect.bounds["ROOM"])
    assert same(planted, run) == ""
    assert any(HARM[macro] in wrong for wrong in planted.wrong), planted.wrong
    real = LinkBench(room=defect.bounds["ROOM"])
    assert survive(real, run) > len(run) // 2
    assert real.wrong == []


@pytest.mark.parametrize("macro", of_the_draw.DEFECTS)
def test_a_defect_of_the_draw_is_found_and_does_harm(macro: str, tmp_path: Path) -> None:
    defect = of_the_draw.DEFECTS[macro]
    run = found(DRAW, macro, defect, tmp_path)
    planted = defect.bench(tmp_path / "planted", defect.bounds["FAULTS"])
    assert same(planted, run) == ""
    assert any(HARM[macro] in wrong for wrong in planted.wrong), planted.wrong
    planted.close()
    real = DrawBench(tmp_path / "real", defect.bounds["FAULTS"])
    assert survive(real, run) > len(run) // 2
    assert real.wrong == []
    real.close()


@pytest.mark.parametrize("macro", of_what_is_stored.DEFECTS)
def test_a_defect_of_what_is_stored_is_found_and_does_harm(macro: str, tmp_path: Path) -> None:
    defect = of_what_is_stored.DEFECTS[macro]
    run = found(STORED, macro, defect, tmp_path / "model")
    planted = defect.bench(tmp_path / "planted", defect.bounds)
    assert same(planted, run) == ""
    assert any(HARM[macro] in wrong for wrong in planted.wrong), planted.wrong
    planted.close()
    real = StoredBench(tmp_path / "real", defect.bounds)
    assert survive(real, run) >= len(run) // 2
    assert real.wrong == []
    real.close()


def test_the_database_refuses_the_second_draw_of_a_table_that_forgot_the_first(
    tmp_path: Path,
) -> None:
    defect = of_the_draw.DEFECTS["DRAW_AGAIN"]
    run = found(DRAW, "DRAW_AGAIN", defect, tmp_path)
    fenced = of_the_draw.DrawAgainFenced(tmp_path / "fenced", defect.bounds["FAULTS"])
    with pytest.raises(JournalError, match=r"UNIQUE constraint failed: entry\.offer"):
        same(fenced, run)
    fenced.close()
