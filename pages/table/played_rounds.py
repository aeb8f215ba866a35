"""Rounds played for the documentation: what occurs under a document's rules.

There is no chance in the core: what happens next is chosen by a fixed sequence of numbers, so that
the same rounds are played every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Final, TypeVar

from controller.files.rules import load_rules
from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.looks import card_expected
from controller.game.round.machine import MACHINE
from controller.game.round.model import BETTORS
from controller.game.round.permitted import permitted_steps
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Press, Step
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import TEN, Card
from controller.game.rules.schema import RuleSet

T = TypeVar("T")
Passage = tuple[str, str, str]
"""A state, what caused it to be left, and the state that followed."""

ROUNDS: Final = 300
_MOST_MOVES: Final = 300
# Shoes that make Pontoons and splits common, or hands of many small cards.
_HIGH: Final = (1, 1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13)
_LOW: Final = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9, 12)


class Sequel:
    """A fixed sequence of choices (the linear congruence of Knuth's MMIX)."""

    def __init__(self, seed: int) -> None:
        self._at = seed

    def among(self, things: Sequence[T]) -> T:
        """The next choice."""
        self._at = (self._at * 6364136223846793005 + 1442695040888963407) % 2**64
        return things[(self._at >> 33) % len(things)]

    def card(self, rules: RuleSet, *, low: bool = False) -> Card:
        """A card of the set."""
        rank = self.among(_LOW if low else _HIGH)
        return Card(11 if rank == TEN and not rules.cards.tens.value else rank, self.among(_SUITS))


_SUITS: Final = (1, 2, 3, 4)


@contextmanager
def _watched() -> Iterator[set[Passage]]:
    """The passages from state to state that any round takes meanwhile, on trials too."""
    seen: set[Passage] = set()

    def note(passage: Passage, *_: object) -> None:
        seen.add(passage)

    transitions = [
        (transition, (State[source], trigger, State[transition.dest or source]))
        for trigger, event in MACHINE.events.items()
        for source, several in event.transitions.items()
        for transition in several
    ]
    for transition, passage in transitions:
        transition.add_callback("before", partial(note, passage))  # behind its own actions
    try:
        yield seen
    finally:
        for transition, _ in transitions:
            transition.before.pop()


@cache
def passages_of(document: str) -> frozenset[Passage]:
    """Every passage that occurs in some hundred rounds of a rule document without amounts, in which
    nothing goes wrong."""
    rules = load_rules(document)
    with _watched() as seen:
        for number in range(ROUNDS):
            sequel = Sequel(number)
            rnd = play.begin_round(rules, Limits(), _sheet(rules, sequel))
            low = sequel.among((False, False, True))
            for _ in range(_MOST_MOVES):
                if rnd.is_over:
                    break
                rnd = _move(rnd, sequel, low=low)
    return frozenset(seen)


def _sheet(rules: RuleSet, sequel: Sequel) -> Sheet:
    """One to three boxes with as many bettors as the document permits, amounts not told."""
    sheet = Sheet()
    present = BETTORS[: rules.betting.bettors_max.value]
    for box in range(1, 1 + sequel.among((1, 2, 3))):
        for bettor in present[: sequel.among((1, 2, 3))]:
            sheet.set("main", box, bettor, None)
            for kind in rules.side_wagers:
                if sequel.among((True, False)):
                    sheet.set(kind, box, bettor, None)
    return sheet


def _move(rnd: Round, sequel: Sequel, *, low: bool) -> Round:
    """The round after one thing has happened."""
    if rnd.state == "jackpot.drawing":
        assert rnd.rules.pandemonium
        multiplier = sequel.among(rnd.rules.pandemonium.multipliers.value)
        return play.show_multiplier(play.draw(rnd, multiplier))
    steps: list[Step | None] = [*permitted_steps(rnd)]
    if rnd.state == "jackpot.armed":
        assert rnd.armed is not None
        steps.append(Press(Seat(rnd.armed)))
    chosen = sequel.among([*steps, None] if card_expected(rnd) else steps)
    if chosen is None:
        return play.take_card(rnd, sequel.card(rnd.rules, low=low))
    return play.take_step(rnd, chosen)
