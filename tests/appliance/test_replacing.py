"""The card for replacing a box has the steps that are drilled, and fits a page."""

from __future__ import annotations

import pytest

from appliance.trial.replacing import (
    CARD,
    EMPTY,
    KEEP,
    KEY,
    KEY_S,
    OFF,
    PREPARE,
    SETUP,
    STEPS,
    STICK_OF_THE_SAFE,
    THINK_S,
    table,
)

LINES_OF_A_PAGE = 55


def test_every_command_of_the_drill_stands_on_the_card_in_its_order() -> None:
    card = CARD.read_text("utf-8")
    typed = [step.command for step in STEPS if step.command]
    places = [card.index(f"       {command}\n") for command in typed]
    assert places == sorted(places)
    for command in (*PREPARE, EMPTY, KEEP):
        assert f"    {command}\n" in card
    assert all(f"`{command}`" in card for command in STICK_OF_THE_SAFE)


def test_the_steps_fit_a_page() -> None:
    assert CARD.read_text("utf-8").partition("\n## ")[0].count("\n") <= LINES_OF_A_PAGE


def test_estimates_and_measured_times_are_told_apart() -> None:
    assert OFF.person_s == OFF.by_hand_s
    assert KEY.person_s == pytest.approx(
        KEY.by_hand_s + THINK_S + KEY_S * (len(KEY.command) + 1), abs=0.01
    )
    lines = table([(OFF, 0.0), (SETUP, 90.0)], times=10.0, ended_s=50.0)
    assert "person, estimated | machine, emulated | at real speed (by 10)" in lines[0]
    assert lines[2] == f"| 1 | {OFF.what} | 30 s | | |"
    assert lines[3] == f"| 2 | {SETUP.what} | 9 s | 90 s | 9.0 s |"
    assert lines[4] == "| | **together** | 0:39 min | 1:30 min | 9 s |"
    assert lines[-1].startswith("Together 0:48 min, or 2:09 min with the emulated machine's own")
