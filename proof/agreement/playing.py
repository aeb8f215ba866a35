"""Trials played by both sides, round by round, up to the first difference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from transitions import MachineError

from controller.game.round.draft import begin
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.rules.pays import Indivisible
from figures.games.compiled import cells, compiled, small_cells
from figures.games.games import chance_of, full_shoe
from figures.kernel import blocks, felt
from figures.kernel.marks import SOURCES
from figures.kernel.plans import new_plan
from figures.kernel.shoe import AT, BEGIN, END, READY, REFILLS, SHUFFLES, new_shoe
from figures.kernel.tables import with_tape
from figures.kernel.values import values_of
from figures.rounds.shoe import ShoeRanOut
from proof.agreement.engine import Engine, OtherBounds
from proof.agreement.minds import Planned, Tape
from proof.agreement.outcomes import of_engine, of_kernel
from proof.agreement.shoes import Cards, DrawnCards, FollowingShoe, OtherCards
from proof.agreement.tables import DRAWN_CARDS, TAPE_LENGTH, Subject, Trial, trial_of

ROUNDS: Final = 25
"""Rounds of a trial, where the shoe does not become too small for one."""


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


class Differs(Exception):
    """The sides differ, or the engine refuses what the kernel does."""


@dataclass(slots=True)
class Found:
    """What was played: ``rounds``, what they brought (``seen``: settlements by kind and outcome),
    and the first difference: how to play it again, and what differs; "" for none."""

    rounds: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    difference: str = ""

    def add(self, other: Found) -> None:
        """Count what the other has counted, too."""
        self.rounds += other.rounds
        self.seen += other.seen
        self.difference = self.difference or other.difference


def agree(subject: Subject, way: Way, seed: int, first: int, rounds: int) -> Found:
    """Play that many rounds in trials of that seed from the ``first`` on, up to a difference."""
    found, number = Found(), first
    while found.rounds < rounds and not found.difference:
        chance = random.Random(f"{subject.name}:{seed}:{number}")
        trial = trial_of(subject, chance, number)
        sides = BothSides(subject, way, trial, number, chance, found.seen)
        for place in range(min(ROUNDS, rounds - found.rounds)):
            try:
                goes_on = sides.round(chance)
            except Differs as error:
                again = f"--seed {seed} --first {number} --rounds {place + 1}"
                found.difference = f"{subject.name}, {way.name}, {again}: {error}"
                break
            found.rounds += 1
            if not goes_on:
                break
        number += 1
    return found


class BothSides:
    """A trial at both sides."""

    def __init__(
        self,
        subject: Subject,
        way: Way,
        trial: Trial,
        seed: int,
        chance: random.Random,
        seen: Counter[str],
    ) -> None:
        self._seen = seen
        self._subject, self._trial, self._way = subject, trial, way
        self._sheet = trial.sheet(subject)
        self._values = values_of(subject.rules, trial.limits)
        table, self._planned = subject.table, None
        if trial.tape:
            table = with_tape(table, trial.tape)
        else:
            least = subject.rules.stand.minimum.value
            self._planned = Planned(chance, self._drawn, least)
        policy = self._planned.policy if self._planned else None
        self._plan = way.small_cells(new_plan(self._values, policy))
        self._table = way.cells(table)
        self._row = way.cells(_row_of(trial, seed))
        cards = trial.cards or full_shoe(subject.rules, trial.decks)
        self._shoe = way.cells(new_shoe(cards, trial.penetration, len(trial.boxes)))
        self._cards: Cards = DrawnCards()
        if not trial.cards:
            self._cards = FollowingShoe(subject.engine, trial.decks, trial.penetration)
        self._happenings = [0] * felt.SEEN_MAX

    def round(self, chance: random.Random) -> bool:
        """Play a round; False: the shoe was too small for it.

        Raises:
            Differs: the sides do.
        """
        start, begun = chance.randrange(TAPE_LENGTH // 2), False
        shoe, row, boxes = self._shoe, self._row, len(self._trial.boxes)
        row[felt.TAPE_USED], kernel = start, self._way.functions
        if self._trial.cards:
            shoe[AT], shoe[READY] = BEGIN + chance.randrange(DRAWN_CARDS // 2), shoe[END]
        else:
            begun = bool(kernel["begin_round"](self._values, shoe, row))
        at, end, sides = int(shoe[AT]), int(shoe[END]), len(self._trial.sides)
        rows = self._values, self._table, self._plan, row, shoe
        behind = int(kernel["play_again"](*rows, boxes, sides))
        too_small = bool(kernel["is_too_small"](shoe, behind))
        tape, taken = Tape(self._trial.tape, start), _Counted(self._cards)
        player = Engine(taken.take, self._planned or tape)
        try:
            _same({"shuffled": begun}, {"shuffled": self._cards.begin_round(shoe)})
            rnd = player.play(begin(self._subject.engine, self._trial.limits, self._sheet))
        except ShoeRanOut:
            _same({"shoe too small": too_small}, {"shoe too small": True})
            self._seen["shoe too small"] += 1
            return False
        except (Refused, OtherBounds, OtherCards, Indivisible, MachineError) as error:
            raise Differs(f"{type(error).__name__}: {error}") from error
        by_kernel = of_kernel(row, self._subject, boxes, waiting=player.waiting is not None)
        by_engine = of_engine(rnd, self._subject, self._happenings, player.waiting)
        used = int(row[felt.TAPE_USED]) - start
        by_kernel |= {"shoe too small": too_small, "cards": behind - at, "choices": used}
        by_engine |= {"shoe too small": False, "cards": taken.count, "choices": tape.at - start}
        _same(by_kernel, by_engine)
        if not self._trial.cards:
            kernel["end_round"](self._values, shoe, behind)
            self._cards.end_round()
            counts = int(shoe[SHUFFLES]), int(shoe[REFILLS])
            self._seen["shoe ran out"] += behind > end
            _same({"shuffles, refills": counts}, {"shuffles, refills": self._cards.counts})
        self._see(rnd)
        return True

    def _drawn(self, place: int) -> int:
        return int(self._row[felt.DRAWN + place])

    def _see(self, rnd: Round) -> None:
        self._seen.update(f"{one.kind} {one.outcome}" for one in rnd.settlements)
        self._seen[f"{max(len(box.hands) for box in rnd.boxes.values())} hands"] += 1
        self._seen["multiplier"] += len(rnd.draws)


@dataclass(slots=True)
class _Counted:
    cards: Cards
    count: int = 0

    def take(self) -> Any:
        self.count += 1
        return self.cards.take()


def _row_of(trial: Trial, seed: int) -> list[int]:
    row = [0] * felt.SIZE
    row[felt.RANDOM] = chance_of(seed, 0)
    rows = [(felt.MAIN, trial.main), (felt.BUTTON, trial.button)]
    rows += [(felt.SIDES + i * felt.BOXES_MAX, stakes) for i, stakes in enumerate(trial.sides)]
    for at, stakes in rows:
        row[at : at + len(stakes)] = stakes
    return row


def _same(kernel: Mapping[str, Any], engine: Mapping[str, Any]) -> None:
    """See that they are.

    Raises:
        Differs: they are not.
    """
    if kernel == engine:
        return
    names = [name for name in {**kernel, **engine} if kernel.get(name) != engine.get(name)]
    parts = [f"{name}: kernel {kernel.get(name)}, engine {engine.get(name)}" for name in names]
    raise Differs("; ".join(parts))
