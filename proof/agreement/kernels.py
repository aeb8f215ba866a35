"""A trial at the kernel, and the ways in which that runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from figures.games.compiled import cells, compiled, small_cells
from figures.games.games import chance_of, full_shoe
from figures.kernel import blocks, felt
from figures.kernel.marks import SOURCES
from figures.kernel.plans import Policy, new_plan
from figures.kernel.shoe import AT, BEGIN, END, READY, REFILLS, SHUFFLES, new_shoe
from figures.kernel.tables import with_tape
from figures.kernel.values import Values, values_of
from proof.agreement.outcomes import Outcome, of_kernel
from proof.agreement.tables import Subject, Trial


@dataclass(frozen=True, slots=True)
class Way:
    """How the kernel runs: its functions by name, and what makes rows of numbers for them, and of
    small numbers."""

    name: str
    functions: Mapping[str, Callable[..., Any]]
    cells: Callable[[Sequence[int]], Any]
    small_cells: Callable[[Sequence[int]], Any]


def as_it_stands() -> Way:
    """The kernel's source, run by Python."""
    assert blocks.play_again in SOURCES
    return Way("uncompiled", {source.__name__: source for source in SOURCES}, list, list)


def as_compiled() -> Way:
    """The kernel compiled.

    Raises:
        ImportError: Numba is not installed.
    """
    return Way("compiled", compiled(), cells, small_cells)


class KernelSide:
    """A trial as the kernel plays it, by a tape or a ``policy``. After each round: whether the shoe
    was ``shuffled`` for it, was ``too_small`` for it, or ``ran_out``, and what it used of cards and
    tape (``cards``, ``choices``)."""

    def __init__(
        self, subject: Subject, way: Way, trial: Trial, seed: int, policy: Policy | None
    ) -> None:
        self._subject, self._trial, self._functions = subject, trial, way.functions
        self._values = values_of(subject.rules, trial.limits)
        if policy:
            self._values = self._values._replace(little=trial.little)
        table = with_tape(subject.table, trial.tape) if trial.tape else subject.table
        plan = new_plan(self._values, policy) if policy else _undecided()
        self._plan = way.small_cells(plan)
        self._table = way.cells(table)
        self._row = way.cells(_row_of(trial, seed))
        cards = trial.cards or full_shoe(subject.rules, trial.decks)
        self.shoe = way.cells(new_shoe(cards, trial.penetration, len(trial.boxes)))
        self.shuffled = self.too_small = self.ran_out = False
        self.cards = self.choices = 0

    def play(self, start: int, place: int) -> None:
        """Play a round with the tape from ``start`` on, and with drawn cards those from ``place``
        on."""
        shoe, row = self.shoe, self._row
        row[felt.TAPE_USED] = start
        row[felt.SEEN : felt.SEEN + felt.SEEN_MAX] = [0] * felt.SEEN_MAX
        if self._trial.cards:
            shoe[AT], shoe[READY] = BEGIN + place, shoe[END]
        else:
            self.shuffled = bool(self._functions["begin_round"](self._values, shoe, row))
        at, boxes, sides = int(shoe[AT]), len(self._trial.boxes), len(self._trial.sides)
        rows = self._values, self._table, self._plan, row, shoe
        behind = int(self._functions["play_again"](*rows, boxes, sides))
        self.too_small = bool(self._functions["is_too_small"](shoe, behind))
        self.ran_out = not self._trial.cards and behind > int(shoe[END])
        self.cards, self.choices = behind - at, int(row[felt.TAPE_USED]) - start

    def outcome(self, *, waiting: bool = True) -> Outcome:
        """What can be seen of the round; ``waiting``: of the hands that waited for the dealer,
        too."""
        found = of_kernel(self._row, self._subject, len(self._trial.boxes), waiting=waiting)
        found |= {"shuffled": self.shuffled, "shoe too small": self.too_small}
        return found | {"cards": self.cards, "choices": self.choices}

    def drawn(self, place: int) -> int:
        """The multiplier of the box at that place among those in play."""
        return int(self._row[felt.DRAWN + place])

    def end_round(self) -> tuple[int, int]:
        """End the round; how often the shoe was shuffled, and ran out in mid-round, so far."""
        if not self._trial.cards:
            behind = int(self.shoe[AT]) + self.cards
            self._functions["end_round"](self._values, self.shoe, behind)
        return int(self.shoe[SHUFFLES]), int(self.shoe[REFILLS])

    def go_on_from(self, other: KernelSide) -> None:
        """Go on from where the other is after its round."""
        self._row, self.shoe = copy(other._row), copy(other.shoe)


def _row_of(trial: Trial, seed: int) -> list[int]:
    row = [0] * felt.SIZE
    row[felt.RANDOM] = chance_of(seed, 0)
    rows = [(felt.MAIN, trial.main), (felt.BUTTON, trial.button)]
    rows += [(felt.SIDES + i * felt.BOXES_MAX, stakes) for i, stakes in enumerate(trial.sides)]
    for at, stakes in rows:
        row[at : at + len(stakes)] = stakes
    return row


@cache
def _undecided() -> list[int]:
    """The plan where a tape decides: it asks for no value."""
    return new_plan(Values._make([0] * len(Values._fields)))
