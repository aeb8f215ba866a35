"""What can be seen of a round when it has ended, on both sides under the same names; and a trial at
the kernel, with the ways in which that runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from controller.game.round.model import Box, Hand
from controller.game.round.state import Round
from controller.game.rules.cards import BUST_ABOVE, is_pontoon, line_for_21, ranks_are
from figures.games.compiled import cells, compiled, small_cells
from figures.games.games import chance_of, full_shoe
from figures.kernel import blocks, felt, tallies
from figures.kernel.marks import SOURCES
from figures.kernel.plans import Policy, new_plan
from figures.kernel.shoe import AT, BEGIN, END, READY, REFILLS, SHUFFLES, new_shoe
from figures.kernel.tables import with_tape
from figures.kernel.values import Values, values_of
from figures.kernel.words import LINES, word_of
from proof.agreement.engine import Open
from proof.agreement.tables import BETTOR, Subject, Trial

Outcome = dict[str, Any]
OF_MAIN: Final = ("main", "split", "double", "buy")
BY_BOX: Final = {
    "net of the main wager": felt.NET,
    "wagered": felt.WAGERED,
    "insurance": felt.INSURED,
    "net of insurance": felt.INSURED_NET,
    "net at the button": felt.BUTTON_NET,
    "Super Bonus": felt.BONUS,
    "share": felt.SHARED,
    "multiplier": felt.DRAWN,
}
NETS: Final = {
    **dict.fromkeys(OF_MAIN, "net of the main wager"),
    "insurance": "net of insurance",
    "super_bonus": "Super Bonus",
    "super_bonus_share": "share",
}
"""What a settlement counts for, by its kind."""


def of_kernel(row: Sequence[int], subject: Subject, boxes: int, *, waiting: bool) -> Outcome:
    """What the kernel's row says; ``waiting``: of the hands that waited for the dealer, too."""

    def numbers(at: int, count: int = boxes) -> list[int]:
        return [int(number) for number in row[at : at + count]]

    found: Outcome = {name: numbers(at) for name, at in BY_BOX.items()}
    for side, kind in enumerate(subject.sides):
        found[f"net of {kind}"] = numbers(felt.SIDE_NET + side * felt.BOXES_MAX)
    found["dealer's hand"] = int(row[felt.DEALER])
    found["happenings"] = numbers(felt.SEEN, felt.SEEN_MAX)
    if waiting:
        columns = (
            felt.OPEN_BOX,
            felt.OPEN_TOTAL,
            felt.OPEN_STAKE,
            felt.OPEN_DOUBLE,
            felt.OPEN_BOUGHT,
        )
        found["hands that wait"] = list(
            zip(*(numbers(at, int(row[felt.OPEN])) for at in columns), strict=True)
        )
    return found


def of_engine(rnd: Round, subject: Subject, waiting: list[Open] | None) -> Outcome:
    """What the engine's round says."""
    places = {number: place for place, number in enumerate(rnd.boxes)}
    nets = {**NETS, **{kind: f"net of {kind}" for kind in subject.sides}}
    if kind := subject.rules.button_wager:
        nets[kind] = "net at the button"
    found: Outcome = {name: [0] * len(places) for name in [*BY_BOX, *nets.values()]}
    for settlement in rnd.settlements:
        place = places[settlement.box]
        found[nets[settlement.kind]][place] += settlement.net
        if settlement.kind in OF_MAIN:
            found["wagered"][place] += settlement.stake
    for (_, (number, _)), amount in rnd.insurance.items():
        found["insurance"][places[number]] += amount
    for number, multiplier in rnd.draws.items():
        found["multiplier"][places[number]] = multiplier
    found["dealer's hand"] = sum(map(word_of, rnd.dealer))
    happenings = Counter(_happenings(rnd))
    found["happenings"] = [happenings[place] for place in range(felt.SEEN_MAX)]
    if waiting is not None:
        found["hands that wait"] = [(places[number], *rest) for number, *rest in waiting]
    return found


def _happenings(rnd: Round) -> list[int]:
    """What has happened in a round, by the kernel's numbers, once for each time."""
    found = [place for box in rnd.boxes.values() for place in _at_box(rnd, box)]
    multipliers = rnd.rules.pandemonium.multipliers.value if rnd.rules.pandemonium else ()
    found += [tallies.DRAWN + multipliers.index(drawn) for drawn in rnd.draws.values()]
    found += [tallies.BOUGHT for settlement in rnd.settlements if settlement.kind == "buy"]
    return [*found, tallies.DEALER + _dealer(rnd)]


def _dealer(rnd: Round) -> int:
    """What the dealer has come to, by the kernel's numbers."""
    if len(rnd.dealer) == 1:
        return tallies.DEALER_IDLE
    if is_pontoon(rnd.dealer):
        return tallies.DEALER_PONTOON
    tricks, total = rnd.rules.trick, rnd.dealer_total
    if tricks and len(rnd.dealer) == tricks.cards.value and total <= BUST_ABOVE:
        return tallies.DEALER_TRICK
    return total


def _at_box(rnd: Round, box: Box) -> list[int]:
    tricks, before_play = rnd.rules.trick, rnd.rules.surrender.offered.value == "before_play"
    found = [tallies.PONTOON] * is_pontoon(box.first_two) + [tallies.SPLIT] * (len(box.hands) - 1)
    surrendered = any(bet.surrendered for bet in box.bets)
    found += [tallies.SURRENDERED] * surrendered
    if (surrendered and before_play) or (found[:1] == [tallies.PONTOON] and not tricks):
        return found
    for hand in box.hands:
        found.append(tallies.HAND)
        found += [tallies.DOUBLED] * hand.doubled
        found += [tallies.WITHDRAWN] * hand.bets[BETTOR].withdrawn
        if hand.total > BUST_ABOVE:
            found.append(tallies.BUST)
        elif tricks:
            found += [tallies.ROYAL] * ranks_are(hand.cards, (7, 7, 7))
        elif hand.total == BUST_ABOVE and not hand.doubled:
            found.append(tallies.LINE + LINES.index(line_for_21(hand.cards)))
            found += [tallies.SUPER_BONUS] * _brings_bonus(rnd, hand)
    return found


def _brings_bonus(rnd: Round, hand: Hand) -> bool:
    """Whether a hand of 21 brings a Super Bonus, if only the wager is large enough."""
    barred = hand.split and rnd.rules.split.pays.value == "as_unsplit_without_super_bonus"
    sevens = line_for_21(hand.cards) in ("777_suited", "777_spades") and rnd.dealer[0].rank == 7
    return sevens and rnd.rules.super_bonus is not None and not barred


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
