"""Rounds played at random, but only as the rules let them.

What may happen next is asked of :func:`controller.game.round.permitted.permitted_steps`; amounts
and nominees are filled in here. The play is noted as a round script.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from controller.files.rules import load_rules, rule_files
from controller.game.commands.values import Seat, Stake, write_amount
from controller.game.round import play
from controller.game.round.hands import controller_of
from controller.game.round.looks import card_expected
from controller.game.round.model import BETTORS
from controller.game.round.permitted import permitted_steps
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS
from controller.game.round.steps import Done, Free, Hit, Insure, Press, Raise, Step
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import TEN, Card, write_cards
from controller.game.rules.schema import RuleSet

RULES = {name: load_rules(name) for name in rule_files()}
LIMITS = Limits(min=1000, max=100_000)
DONE = Done()
MOST_MOVES = 400
DECKS = 8

# Shoes that make Pontoons, splits and bonuses common, or hands of many cards, some of them forced;
# a ten is another picture where the set has none.
HIGH = (1, 1, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13)
LOW = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9, 12)
SUITS = (1, 2, 3, 4, 4, 4)


_REMEMBERED = tuple(known.name for known in fields(Round) if known.name != "rules")


def state_of(rnd: Round) -> dict[str, Any]:
    """Everything a round remembers, copied so deeply that nothing is shared with it."""
    copied: dict[str, Any] = pickle.loads(pickle.dumps(_remembered(rnd)))
    return copied


def is_state(rnd: Round, state: dict[str, Any]) -> bool:
    """Whether the round is as it was when ``state`` was taken."""
    return _remembered(rnd) == state


def _remembered(rnd: Round) -> dict[str, Any]:
    return {name: getattr(rnd, name) for name in _REMEMBERED}


def step_occurs(rules: RuleSet, state: str, verb: str) -> bool:
    """Whether a step that the machine knows in that state can be taken under these rules."""
    if verb in rules.not_played:
        return False
    match verb:
        case "surrender":
            return (state == "play.decide") == (rules.surrender.offered.value == "in_turn")
        case "follow":
            return rules.split.others.value != "nobody_else"
        case "done" if state.startswith("dealer."):
            return rules.dealer.moot_draw.value == "either"
    return True


def random_sheet(chance: Random, rules: RuleSet) -> Sheet:
    """Wagers of these rules on one to four boxes."""
    bettors = BETTORS[: rules.betting.bettors_max.value]
    sheet = Sheet()
    for box in sorted(chance.sample(range(1, 8), chance.randint(1, 4))):
        seated = chance.choice((("a",), ("a",), ("a", "b"), BETTORS, ("b", "c")))
        playing = [bettor for bettor in bettors if bettor in seated] or ["a"]
        for bettor in bettors:
            if bettor in playing:
                sheet.set("main", box, bettor, chance.choice((1000, 2502, 10_000, 9900)))
            for kind, rule in rules.side_wagers.items():
                may = bettor in playing or rule.by.value != "main_bettor"
                if may and chance.random() < 0.3:
                    sheet.set(kind, box, bettor, chance.choice((5, 100, 1234)))
    return sheet


def without_amounts(sheet: Sheet) -> Sheet:
    """The same wagers at a table that does not tell amounts."""
    blind = Sheet()
    for kind, boxes in sheet.wagers.items():
        for box, bettors in boxes.items():
            for bettor in bettors:
                blind.set(kind, box, bettor, None)
    return blind


def stake_of(rnd: Round, step: Raise | Insure) -> Stake:
    """The wager that bounds the step's amount."""
    if isinstance(step, Insure):
        seat = step.owner or step.seat
        return rnd.boxes[seat.box].main[seat.bettor or "a"]
    hand = rnd.receiver
    assert hand
    seat = step.seat
    return hand.bets[seat.bettor or controller_of(rnd, rnd.boxes[seat.box])].stake


def filled_in(rnd: Round, step: Step, chance: Random) -> Step:
    """The step with an amount that is permitted, where it takes one."""
    if not isinstance(step, Raise | Insure):
        return step
    stake = stake_of(rnd, step)
    if stake is None:
        return step
    if isinstance(step, Raise):
        return replace(step, amount=chance.choice((stake, 1000)))
    owner = step.owner or step.seat
    placed = sum(
        amount or 0
        for (_, insured), amount in rnd.insurance.items()
        if insured == (owner.box, owner.bettor or "a")
    )
    return replace(step, amount=chance.choice((stake // 2 - placed, 1)))


@dataclass
class PlayedRound:
    """A round with the cards and steps that made it."""

    rnd: Round
    chance: Random
    ranks: tuple[int, ...] = HIGH
    shoe: list[Card] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)

    def moves(self) -> list[Step | None]:
        """What may happen now; None is a card."""
        steps: list[Step | None] = [filled_in(self.rnd, s, self.chance) for s in self._steps()]
        return [None, *steps] if card_expected(self.rnd) else steps

    def _steps(self) -> list[Step]:
        steps = permitted_steps(self.rnd)
        return [*steps, self.press()] if self.rnd.state == "jackpot.armed" else steps

    def press(self) -> Press:
        """The press of the box that has the button."""
        assert self.rnd.armed
        return Press(Seat(self.rnd.armed))

    def move(self) -> None:
        """One thing happens."""
        rnd = self.rnd
        if rnd.state == "jackpot.drawing":
            assert rnd.rules.pandemonium
            multipliers = rnd.rules.pandemonium.multipliers.value
            self.rnd = play.show_multiplier(play.draw(rnd, self.chance.choice(multipliers)))
            return
        chosen = self.chance.choice(self.moves())
        if chosen is None:
            self._card()
            return
        self.rnd = play.take_step(rnd, chosen)
        # What only says that a card comes may be taken back until it does, and is noted with it.
        if not isinstance(chosen, Done | Hit | Free):
            self.steps.append(str(chosen))

    def _card(self) -> None:
        after = self.rnd
        if after.state in WINDOWS:
            after = play.take_step(after, DONE)
        if after.state == "play.decide":
            assert after.turn
            said = [s.verb for s in permitted_steps(after) if isinstance(s, Hit | Free)]
            self.steps.append(f"{self.chance.choice(said)} {after.turn[0]}")
        card = self._drawn()
        self.shoe.append(card)
        self.rnd = play.take_card(self.rnd, card)

    def _drawn(self) -> Card:
        while True:
            rank = self.chance.choice(self.ranks)
            no_tens = rank == TEN and not self.rnd.rules.cards.tens.value
            card = Card(11 if no_tens else rank, self.chance.choice(SUITS))
            if self.shoe.count(card) < DECKS:
                return card

    def until_end(self) -> Iterator[Round]:
        """The round after each move, until it has ended."""
        for _ in range(MOST_MOVES):
            if self.rnd.is_over:
                return
            self.move()
            yield self.rnd
        raise AssertionError(f"the round does not end: {self.steps}")

    def finish(self) -> Round:
        """The round at its end."""
        for _ in self.until_end():
            pass
        return self.rnd

    def script(self) -> dict[str, Any]:
        """The play as a round script."""
        sheet: dict[tuple[int, str], dict[str, Any]] = {}
        for box in self.rnd.boxes.values():
            for kind, wagers in (("main", box.main), *box.sides.items()):
                for bettor, stake in wagers.items():
                    entry = sheet.setdefault((box.number, bettor), {})
                    entry[kind] = float(write_amount(stake) or 0)
        return {
            "title": "",
            "rules": self.rnd.rules.id,
            "limits": {"min": 10, "max": 1000},
            "wagers": [{"box": b, "bettor": who, **kinds} for (b, who), kinds in sheet.items()],
            "shoe": write_cards(self.shoe),
            "multipliers": self.rnd.multipliers,
            "steps": self.steps,
        }


def begin(name: str, seed: int, *, amounts: bool = True) -> PlayedRound:
    """A round of these rules, to be played as ``seed`` says."""
    chance = Random(seed)
    rules = RULES[name]
    sheet = random_sheet(chance, rules)
    rnd = play.begin_round(rules, LIMITS, sheet if amounts else without_amounts(sheet))
    return PlayedRound(rnd, chance, chance.choice((HIGH, HIGH, LOW)))
