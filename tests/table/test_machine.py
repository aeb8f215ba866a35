"""The sequence of a round as a graph, and that what a round permits is what the graph shows."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from transitions import MachineError

from controller.game.commands.values import Seat
from controller.game.round import play as verbs
from controller.game.round.guards import CHECKS
from controller.game.round.looks import card_expected
from controller.game.round.machine import ARROWS, MACHINE, waiting_states
from controller.game.round.model import BETTORS
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Report, Use
from controller.game.round.state import Round
from controller.game.round.states import CARD_DUE, ENDED, PASSING, WINDOWS, State
from controller.game.round.steps import AtBox, Done, Insure, Nominate, Place, Raise, Step
from controller.game.rules.cards import Card
from tests.shares import NIGHT
from tests.table.play import LIMITS, RULES, begin, is_state, state_of, step_occurs

BEHIND_REMEDIES = {"play.dealer_card"}
WAITING = {name: waiting_states(rules) - BEHIND_REMEDIES for name, rules in RULES.items()}
EVERY = [s for s in State if s not in PASSING and s not in ENDED and s not in BEHIND_REMEDIES]
each_document = pytest.mark.parametrize("rules", RULES)
BY_ITSELF = {"card", "drawn", "shown", "advance", "regroup"}
KING = Card(13, 4)
PARTS = 1 if NIGHT else 3
"""Of the rounds where a step is never permitted, every third is asked by day."""


def _arrows(state: str, trigger: str) -> bool:
    return any(arrow.source == state and arrow.trigger == trigger for arrow in ARROWS)


def _places(rules: str) -> list[str]:
    """Where a round of these rules can stand."""
    return [*(state for state in EVERY if state in WAITING[rules]), "settled"]


@cache
def _remembered(rules: str, state: str) -> list[tuple[Round, dict[str, Any]]]:
    """Those rounds, and what each of them remembers."""
    return [(rnd, state_of(rnd)) for rnd in _rounds(rules)[state]]


@cache
def _rounds(rules: str) -> dict[str, list[Round]]:
    """Rounds standing in every state that waits, out of random play."""
    found: dict[str, list[Round]] = defaultdict(list)
    for seed in range(60):
        play = begin(rules, seed)
        found[play.rnd.state].append(play.rnd)
        for rnd in play.until_end():
            found[rnd.state].append(rnd)
            if rnd.state == "jackpot.armed":  # what a move goes on from at once
                drawing = verbs.take_step(rnd, play.press())
                found[drawing.state].append(drawing)
    return found


def test_the_machine_has_the_arrows_of_its_table_and_no_others() -> None:
    assert not any(trigger.startswith("to_") for trigger in MACHINE.events)
    table: dict[tuple[str, str], list[str]] = defaultdict(list)
    for arrow in ARROWS:
        table[arrow.source, arrow.trigger].append(arrow.dest or arrow.source)
    for state in set(State) - {State.VOID}:
        table[state, "void"] = ["void"]
    built = {
        (State[source], name): [State[t.dest or source] for t in transitions]
        for name, event in MACHINE.events.items()
        for source, transitions in event.transitions.items()
    }
    assert built == dict(table)


def test_every_state_is_reached_from_the_first_card_and_leads_to_the_end() -> None:
    onward: dict[str, set[str]] = defaultdict(set)
    for arrow in ARROWS:
        onward[arrow.source].add(arrow.dest or arrow.source)

    def reached(start: str) -> set[str]:
        seen, todo = set(), [start]
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                todo += onward[state]
        return seen

    assert reached("deal.first_cards") == set(State) - {State.VOID}
    assert all("settled" in reached(state) for state in State if state is not State.VOID)


@pytest.mark.parametrize("state", sorted(PASSING))
def test_a_passing_state_is_always_left(state: str) -> None:
    leaving = [arrow for arrow in ARROWS if arrow.source == state]
    assert {arrow.trigger for arrow in leaving} == {"advance"}
    assert not leaving[-1].conditions


def test_of_several_arrows_only_the_last_is_unconditional() -> None:
    groups = defaultdict(list)
    for arrow in ARROWS:
        groups[arrow.source, arrow.trigger].append(arrow)
    for several in groups.values():
        assert all(arrow.conditions for arrow in several[:-1])


@each_document
def test_every_state_that_waits_occurs_and_no_passing_one_is_seen(rules: str) -> None:
    assert set(_rounds(rules)) - {"settled"} == WAITING[rules]


def test_every_state_is_one_of_some_document() -> None:
    assert set().union(*WAITING.values()) == set(EVERY)


def test_the_dealers_first_card_comes_late_and_is_followed_by_the_offers() -> None:
    """A state that only a remedy brings."""
    for original in _rounds("mbs-pontoon-pandemonium-v5")["play.decide"][:20]:
        rnd = verbs.take_step(original, Report("dealer-no-card"))
        with suppress(Refused):  # nothing has been decided yet: the deal is put right, or void
            rnd = verbs.take_step(rnd, Use())
        if rnd.irregular.irregularity:
            continue
        assert rnd.state == "play.dealer_card"
        assert verbs.take_card(rnd, Card(1, 4)).state == "offers.open"


def test_the_machine_keeps_no_round() -> None:
    """It runs for months: what went through it must be free to go."""
    assert MACHINE.models == []
    rnd = begin(next(iter(RULES)), seed=1).rnd
    known = sys.getrefcount(rnd)
    verbs.take_card(rnd, KING)
    with pytest.raises(MachineError, match="shown"):
        verbs.show_multiplier(rnd)
    gc.collect()
    assert sys.getrefcount(rnd) == known


def test_a_card_is_due_where_the_table_has_an_arrow_for_it() -> None:
    assert {arrow.source for arrow in ARROWS if arrow.trigger == "card"} == CARD_DUE


def test_every_trigger_that_is_a_step_has_its_guard() -> None:
    triggers = {arrow.trigger for arrow in ARROWS}
    assert triggers - BY_ITSELF == {kind.verb for kind in CHECKS}


@pytest.mark.parametrize("kind", CHECKS, ids=lambda kind: kind.verb)
@each_document
def test_a_step_is_permitted_where_there_is_an_arrow_for_it(rules: str, kind: type[Step]) -> None:
    """In some round of that state where the document knows it, in none where it does not."""
    for state in _places(rules):
        occurs = _arrows(state, kind.verb) and step_occurs(RULES[rules], state, kind.verb)
        permitted = False
        for rnd, before in _remembered(rules, state)[:: 1 if occurs else PARTS]:
            for step in _steps(rnd, kind):
                try:
                    verbs.check(rnd, step)
                except Refused:
                    continue
                permitted = True
            assert is_state(rnd, before)
            if permitted:
                break
        assert permitted == occurs, state


def test_every_arrow_that_a_step_takes_occurs_in_some_document() -> None:
    guarded = {kind.verb for kind in CHECKS}
    for arrow in ARROWS:
        if arrow.trigger in guarded:
            assert any(
                arrow.source in WAITING[name]
                and step_occurs(RULES[name], arrow.source, arrow.trigger)
                for name in RULES
            ), arrow


def _steps(rnd: Round, kind: type[Step]) -> list[Step]:
    if not issubclass(kind, AtBox):
        return [Done()]
    seats = [Seat(box, bettor) for box in rnd.boxes for bettor in (None, *BETTORS)]
    if issubclass(kind, Nominate):
        return [kind(seat, None) for seat in seats]
    if issubclass(kind, Place):
        return [kind(seat, number) for seat in seats for number in range(1, 5)]
    if issubclass(kind, Raise):
        return [kind(seat, LIMITS.min) for seat in seats]
    if issubclass(kind, Insure):
        return [kind(seat, amount=1) for seat in seats]
    return [kind(seat) for seat in seats]


@each_document
def test_a_card_is_expected_where_there_is_an_arrow_for_it(rules: str) -> None:
    for state in _places(rules):
        expected = {card_expected(rnd) for rnd in _rounds(rules)[state]}
        if state in WINDOWS:
            assert True in expected, state  # it closes the window, if anybody is to have it
        else:
            assert expected == {_arrows(state, "card")}, state


@each_document
def test_a_card_that_is_not_expected_changes_nothing(rules: str) -> None:
    for rnd in (rnd for state in _places(rules) for rnd in _rounds(rules)[state][:20]):
        if not card_expected(rnd):
            before = state_of(rnd)
            with pytest.raises(Refused, match="no card"):
                verbs.take_card(rnd, KING)
            assert is_state(rnd, before), rnd.state


@each_document
def test_a_card_has_exactly_one_destination_and_it_is_known_before(rules: str) -> None:
    for rnd in (rnd for state in _places(rules) for rnd in _rounds(rules)[state][:40]):
        if not card_expected(rnd):
            continue
        receiver = rnd.receiver
        where = (receiver.box, receiver.number) if receiver else None
        before = _cards(rnd)
        after = {**before, where: [*before[where], KING]}
        assert _cards(verbs.take_card(rnd, KING)) == after, rnd.state


Where = tuple[int, int] | None


def _cards(rnd: Round) -> dict[Where, list[Card]]:
    hands: dict[Where, list[Card]] = {
        (hand.box, hand.number): hand.cards.copy()
        for box in rnd.boxes.values()
        for hand in box.hands
    }
    return {None: rnd.dealer.copy(), **hands}


@each_document
def test_no_multiplier_but_for_a_press(rules: str) -> None:
    for state in _places(rules):
        rnd = _rounds(rules)[state][0]
        if state == "jackpot.drawing":
            rnd = verbs.draw(rnd, 25)
        before = state_of(rnd)
        with pytest.raises((Refused, MachineError), match="drawn") as refused:
            verbs.draw(rnd, 25)
        assert isinstance(refused.value, Refused) == (state == "jackpot.drawing"), state
        assert is_state(rnd, before), state
