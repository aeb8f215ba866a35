"""Rounds played for the sake of description: what really occurs under a document's rules.

There is no chance in the core: what happens next is chosen by a fixed sequence of numbers, so that
the same rounds are played every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from controller.round.model import BETTORS
from controller.round.permitted import permitted_steps
from controller.round.play import Round
from controller.round.steps.step import Seat, Step
from controller.round.wagers import Limits, Sheet
from controller.rules.cards import TEN, Card
from controller.rules.schema import RuleSet

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


def _watched(seen: set[Passage]) -> type[Round]:
    """A kind of round that notes every passage from state to state, on trials too."""

    class Watched(Round):
        cause = ""
        moved = False

        def __setattr__(self, name: str, value: Any) -> None:
            if name == "state" and "state" in self.__dict__:
                seen.add((self.state, self.cause, value))
                self.cause, self.moved = "advance", True
            object.__setattr__(self, name, value)

        def _fire(self, trigger: str, *args: Any) -> None:
            source = self.state
            self.cause, self.moved = trigger, False
            super()._fire(trigger, *args)
            if not self.moved:
                seen.add((source, trigger, source))

    return Watched


def passages(rules: RuleSet) -> set[Passage]:
    """Every passage that occurs in some hundred rounds without amounts, in which nothing goes
    wrong."""
    seen: set[Passage] = set()
    kind = _watched(seen)
    for number in range(ROUNDS):
        sequel = Sequel(number)
        rnd = kind(rules, Limits(), _sheet(rules, sequel))
        low = sequel.among((False, False, True))
        for _ in range(_MOST_MOVES):
            if rnd.ended:
                break
            _move(rnd, sequel, low=low)
    return seen


def _sheet(rules: RuleSet, sequel: Sequel) -> Sheet:
    """One to three boxes with as many bettors as the document permits, amounts not told."""
    sheet = Sheet()
    present = BETTORS[: rules.betting.bettors_max.value]
    for box in range(1, 1 + sequel.among((1, 2, 3))):
        for bettor in present[: sequel.among((1, 2, 3))]:
            sheet.set("main", box, bettor, None)
            for kind in rules.betting.side_wagers.value:
                if sequel.among((True, False)):
                    sheet.set(kind, box, bettor, None)
    return sheet


def _move(rnd: Round, sequel: Sequel, *, low: bool) -> None:
    """One thing happens."""
    if rnd.state == "jackpot.drawing":
        assert rnd.rules.pandemonium
        rnd.drawn(sequel.among(rnd.rules.pandemonium.multipliers.value))
        rnd.shown()
        return
    steps: list[Step | None] = [*permitted_steps(rnd)]
    if rnd.state == "jackpot.armed":
        assert rnd.armed is not None
        steps.append(Step("press", Seat(rnd.armed)))
    chosen = sequel.among([*steps, None] if rnd.card_expected else steps)
    if chosen is None:
        rnd.take(sequel.card(rnd.rules, low=low))
    else:
        rnd.step(chosen)
