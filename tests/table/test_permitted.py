"""What may be said: everything that is taken is listed, everything listed is taken. Of the people
without a wager, who are all alike, one is listed for all.

A grid of steps, every verb with every seat, is tried in the states of random rounds. A step that
is refused changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.files.rules import rules_in
from controller.game.commands.values import Seat
from controller.game.round import play as verbs
from controller.game.round import steps
from controller.game.round.hands import controller_of
from controller.game.round.model import BETTORS, OUTSIDE
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.steps import (
    AtBox,
    Buy,
    Done,
    Double,
    Insure,
    Nominate,
    Place,
    Press,
    Step,
    Surrender,
)
from controller.game.scripts.runner import play_script
from controller.game.scripts.script import ScriptStep, read_json, read_script
from tests.table.play import RULES, begin, filled_in, is_state, state_of

each_rules = pytest.mark.parametrize("rules", RULES)
SEATED: Final[tuple[type[AtBox], ...]] = (
    steps.Hit,
    steps.Stand,
    steps.Split,
    steps.Follow,
    steps.Withdraw,
    steps.Keep,
    Surrender,
    Press,
    steps.Free,
    steps.Absent,
)


def _seats(rnd: Round, chance: Random) -> Iterator[Seat]:
    """Every seat, one of them on a box that is not in the round; of the people at a box who have
    nothing there two, since they are all alike."""
    takers = {taker for taker, _ in rnd.insurance}
    for number, box in rnd.boxes.items():
        alike = [b for b in OUTSIDE if b not in box.bettors and (number, b) not in takers]
        two = chance.sample(alike, min(2, len(alike)))
        for bettor in (None, *BETTORS):
            if bettor not in alike or bettor in two:
                yield Seat(number, bettor)
    yield Seat(max(rnd.boxes) + 1)


def _grid(rnd: Round, chance: Random) -> Iterator[Step]:
    """Every verb with every seat."""
    seats = list(_seats(rnd, chance))
    amounts = (None, 1, 1000, 10**9)
    yield Done()
    for seat in seats:
        yield from (kind(seat) for kind in SEATED)
        yield from (Place(seat, number) for number in range(1, 6))
        yield from (Buy(seat, amount) for amount in amounts)
        yield from (Double(seat, amount) for amount in amounts)
        yield from (Insure(seat, amount=amount) for amount in amounts)
        yield Nominate(seat, None)
        yield from (Nominate(seat, other) for other in seats)
        yield from (Insure(seat, other, 1) for other in seats)


Said = tuple[str, int | None, str | None, tuple[int, str] | None, int]


def _said(rnd: Round, step: Step) -> Said:
    """What the step comes to, however its seat is written; amounts and nominees left out, and which
    of the people without a wager says it."""
    if not isinstance(step, AtBox):
        return step.verb, None, None, None, 0
    seat, owner = step.seat, step.owner if isinstance(step, Insure) else None
    if isinstance(step, Press | Nominate):
        return step.verb, seat.box, None, None, 0
    of_box = (
        "a" if isinstance(step, Insure | Surrender) else controller_of(rnd, rnd.boxes[seat.box])
    )
    bettor = seat.bettor or of_box
    if bettor in OUTSIDE and bettor not in rnd.boxes[seat.box].bettors:
        bettor = "outside"
    return (
        step.verb,
        seat.box,
        bettor,
        (owner.box, owner.bettor or "a") if owner else None,
        step.hand if isinstance(step, Place) else 0,
    )


def _listed(rnd: Round, chance: Random) -> set[Said]:
    """What ``permitted`` lists, each of which must be taken; and the button, a device's to say."""
    listed = set()
    for step in permitted_steps(rnd):
        verbs.take_step(rnd, filled_in(rnd, step, chance))
        listed.add(_said(rnd, step))
    if rnd.state == "jackpot.armed":
        listed.add(("press", rnd.armed, None, None, 0))
    return listed


def _taken(rnd: Round, chance: Random) -> set[Said]:
    """What of the grid is taken; all else must leave the round as it is."""
    before = state_of(rnd)
    taken = set()
    for step in _grid(rnd, chance):
        with suppress(Refused):
            verbs.take_step(rnd, step)
            taken.add(_said(rnd, step))
    assert is_state(rnd, before), "a step has changed the round that it was given"
    return taken


@each_rules
@settings(max_examples=settings().max_examples // 12)
@given(seed=st.integers(0, 2**32))
def test_listed_is_what_is_taken(rules: str, seed: int) -> None:
    play = begin(rules, seed)
    chance = Random(seed)
    for rnd in play.until_end():
        if rnd.state.startswith("deal.") and chance.random() < 0.7:
            continue
        assert _taken(rnd, chance) == _listed(rnd, chance), rnd.state


@each_rules
@settings(max_examples=settings().max_examples // 2)
@given(seed=st.integers(0, 2**32))
def test_a_refused_step_in_a_script_is_judged_without_a_change(rules: str, seed: int) -> None:
    """``! STEP`` in front of every step, for all that must be refused there: the same result."""
    play = begin(rules, seed)
    play.finish()
    by_name = rules_in(Path())
    script = read_script(read_json(json.dumps(play.script())), by_name)
    plain = play_script(script)
    never = [ScriptStep(Double(Seat(9), 1), must_be_refused=True)]
    steps = [entry for step in script.steps for entry in (*never, step)]
    judged = play_script(replace(script, steps=(*steps, *never)))
    assert judged.settlements == plain.settlements
