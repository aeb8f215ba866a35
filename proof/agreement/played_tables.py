"""Trials played by both sides, round by round, up to the first difference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from transitions import MachineError

from controller.game.round.draft import begin_round
from controller.game.round.refusal import Refused
from controller.game.rules.cards import Indivisible
from figures.rounds.shoe import ShoeRanOut
from proof.agreement.engine import Cards, DrawnCards, Engine, FollowingShoe, OtherBounds, OtherCards
from proof.agreement.minds import Planned, Tape
from proof.agreement.outcomes import KernelSide, Way, of_engine
from proof.agreement.tables import (
    DRAWN_CARDS,
    TAPE_LENGTH,
    CardsOf,
    Subject,
    Trial,
    kind_of,
    trial_of,
)

ROUNDS: Final = 25
"""Rounds of a trial, where the shoe does not become too small for one."""
SEARCHED: Final = 200
OF_A_SEARCH: Final = 30
"""Trials that are searched for rounds in which a value matters, and rounds of each."""
MATTERS: Final = "a value matters"
"""What is seen in a round that the kernel plays otherwise by the ``unchanged`` rules."""


class Differs(Exception):
    """The sides differ, or the engine refuses what the kernel does."""


@dataclass(slots=True)
class PlayedRounds:
    """What was played: ``rounds``, what they brought (``seen``: settlements by kind and outcome),
    and the first difference: how to play it again, and what differs; "" for none."""

    rounds: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    difference: str = ""

    def add(self, other: PlayedRounds) -> None:
        """Count what the other has counted, too."""
        self.rounds += other.rounds
        self.seen += other.seen
        self.difference = self.difference or other.difference


def agree(subject: Subject, way: Way, seed: int, first: int, rounds: int) -> PlayedRounds:
    """Play that many rounds in trials of that seed from the ``first`` on, up to a difference."""
    found, number = PlayedRounds(), first
    while found.rounds < rounds and not found.difference:
        chance = random.Random(f"{subject.name}:{seed}:{number}")
        trial = trial_of(subject, chance, kind_of(number))
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


def agree_where_it_matters(
    subject: Subject, unchanged: Subject, way: Way, seed: int, kind: CardsOf | None, times: int
) -> PlayedRounds:
    """Play rounds in which the engine, by the rules of the ``subject``, plays otherwise than the
    kernel by the ``unchanged`` ones: so many ``times``, or as many as :data:`SEARCHED` trials with
    that kind of cards have. The kernel finds them, which plays all by both; of the others the
    engine plays the first of each trial."""
    found = PlayedRounds()
    for number in range(SEARCHED):
        if found.seen[MATTERS] == times:
            break
        chance = random.Random(f"{subject.name}:{seed}:{number}:{MATTERS}")
        trial = trial_of(subject, chance, kind)
        if not trial.tape:
            continue  # a plan takes longer to make than all rounds of a trial
        sides = BothSides(subject, way, trial, number, chance, found.seen, unchanged)
        for _ in range(OF_A_SEARCH):
            try:
                goes_on = sides.round(chance)
            except Differs as error:
                found.difference = f"{subject.name}, {way.name}, --seed {seed}: {error}"
                return found
            if not goes_on or found.seen[MATTERS] == times:
                break
        found.rounds += sides.played
    return found


class BothSides:
    """A trial at both sides, of which the engine has ``played`` so many rounds. Where there are
    ``unchanged`` rules, it plays the first, and those that the kernel plays otherwise by them."""

    def __init__(
        self,
        subject: Subject,
        way: Way,
        trial: Trial,
        seed: int,
        chance: random.Random,
        seen: Counter[str],
        unchanged: Subject | None = None,
    ) -> None:
        self._seen = seen
        self._subject, self._trial = subject, trial
        self._sheet = trial.sheet(subject)
        least = subject.rules.stand.minimum.value
        little = trial.little if subject.rules.buy else None
        self._planned = None if trial.tape else Planned(chance, self._drawn, least, little)
        policy = self._planned.policy if self._planned else None
        self._kernel = KernelSide(subject, way, trial, seed, policy)
        self._other = KernelSide(unchanged, way, trial, seed, policy) if unchanged else None
        self.played = 0
        self._cards: Cards = DrawnCards()
        if not trial.cards:
            self._cards = FollowingShoe(subject.engine, trial.decks, trial.penetration)

    def round(self, chance: random.Random) -> bool:
        """Play a round; False: the shoe was too small for it.

        Raises:
            Differs: the sides do.
        """
        start, kernel, other = chance.randrange(TAPE_LENGTH // 2), self._kernel, self._other
        place = chance.randrange(DRAWN_CARDS // 2) if self._trial.cards else 0
        kernel.play(start, place)
        if other:
            other.play(start, place)
        played = not other or not self.played or kernel.outcome() != other.outcome()
        try:
            _same({"shuffled": kernel.shuffled}, {"shuffled": self._cards.begin_round(kernel.shoe)})
            if played:
                self._engine(start)
            else:
                _ = [self._cards.next_card() for _ in range(kernel.cards)]
        except ShoeRanOut:
            _same({"shoe too small": kernel.too_small}, {"shoe too small": True})
            self._seen["shoe too small"] += 1
            return False
        except (Refused, OtherBounds, OtherCards, Indivisible, MachineError) as error:
            raise Differs(f"{type(error).__name__}: {error}") from error
        self._seen["shoe ran out"] += kernel.ran_out
        self._cards.end_round()
        _same({"shuffles, refills": kernel.end_round()}, {"shuffles, refills": self._cards.counts})
        if other:
            other.end_round()
            if played:
                other.go_on_from(kernel)
        return True

    def _engine(self, start: int) -> None:
        """Have the engine play the round that the kernel has played with the tape from there on."""
        self.played += 1
        tape, taken = Tape(self._trial.tape, start), _Counted(self._cards)
        little = self._trial.little if self._planned else 0
        player = Engine(taken.next_card, self._planned or tape, little)
        rnd = player.play(begin_round(self._subject.engine, self._trial.limits, self._sheet))
        by_engine = of_engine(rnd, self._subject, player.waiting) | {
            "shoe too small": False,
            "shuffled": self._kernel.shuffled,
            "cards": taken.count,
            "choices": tape.at - start,
        }
        waiting = player.waiting is not None
        _same(self._kernel.outcome(waiting=waiting), by_engine)
        if self._other and self._other.outcome(waiting=waiting) != by_engine:
            self._seen[MATTERS] += 1
        self._seen.update(f"{one.kind} {one.outcome}" for one in rnd.settlements)
        self._seen[f"{max(len(box.hands) for box in rnd.boxes.values())} hands"] += 1
        self._seen["multiplier"] += len(rnd.draws)
        self._seen["smallest buy"] += player.bought_little

    def _drawn(self, place: int) -> int:
        return self._kernel.drawn(place)


@dataclass(slots=True)
class _Counted:
    cards: Cards
    count: int = 0

    def next_card(self) -> Any:
        self.count += 1
        return self.cards.next_card()


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
