"""The questions of ``setup``, answered in this process: those of the terminal's tests, measured."""

from __future__ import annotations

import io
import os

import pytest

from controller.cli import commands
from controller.cli.setup import set_up
from controller.commissioning.person import PersonAtTerminal
from controller.commissioning.this_machine import ThisMachine
from controller.not_done import NotDone
from tests.cli.setup.conftest import Box, sets


def asked(box: Box, answers: str, *options: str) -> tuple[int, str]:
    """The exit code, and what the person was told."""
    ours, theirs = os.pipe()
    os.write(theirs, answers.encode())
    os.close(theirs)
    screen = io.StringIO()
    given = commands.parse(["setup", *box.options, *options])
    try:
        return set_up(given, ThisMachine(), PersonAtTerminal(ours, screen)), screen.getvalue()
    finally:
        os.close(ours)


def test_rules_of_a_path_that_is_none_and_a_step_that_is_none(table: Box) -> None:
    given = sets("table.rules", "multiplier.weights")
    code, told = asked(table, "5\nzero\n0.5\ny\n", *given)
    assert code == 0
    assert 'table.increment = "zero": expected the smallest step of any wager' in told


def test_an_existing_file_is_asked_only_for_what_it_lacks(table: Box) -> None:
    assert table.setup("--yes", *sets()).code == 0
    code, told = asked(table, "30\ny\n", "--unset=table.min")
    assert (code, told.count("? ")) == (0, 2)
    assert "min = 30\n" in table.config.read_text()


def test_one_of_two_is_chosen_or_none(table: Box) -> None:
    table.plug("shoe", "SHOE0002", "other")
    step = "--set=table.increment=1"
    with pytest.raises(NotDone, match="2 devices are each a card shoe"):
        asked(table, "3\n", *sets(), step)
    assert asked(table, "2\ny\n", *sets(), step)[0] == 0
    assert "SHOE0001" in table.udev.read_text()


def test_a_person_who_may_not_write_is_told_before_the_questions(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(NotDone, match="root does that") as failed:
        asked(box, "P12\n")
    assert failed.value.code == 3


@pytest.mark.parametrize("given", [[], sets("multiplier.weights")], ids=["its name", "weights"])
def test_who_stops_answering_or_says_no_has_nothing_written(table: Box, given: list[str]) -> None:
    before = table.files()
    with pytest.raises(NotDone, match="nobody answers: nothing was written"):
        asked(table, "P12\n", *given)
    with pytest.raises(NotDone, match="nothing was written: say yes") as refused:
        asked(table, "n\n", *sets(), "--set=table.increment=1")
    assert (refused.value.code, table.files()) == (1, before)
