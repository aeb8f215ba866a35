"""What the demo will play: rules, wagers, and a shoe shuffled from a seed.

The cards are a real shuffle, never arranged. Of the shuffles that follow from the demo's seed the
first is taken in which, with these wagers and this way of playing, a box with a Pandemonium wager
is dealt a Pontoon within the rounds to be played; that is found on paper, with the same engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from controller.files.rules import load_rules
from controller.game.rules.schema import RuleSet
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import DEVICES, WEIGHTS, Setup
from hil_tests.benches.in_process import InProcessBench
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end

SHUFFLES = 1000
"""How many shuffles are tried; each is one in two or better within six rounds."""

ENOUGH_CARDS = 100
"""The least number of cards in the shoe when a round begins: more than it can take."""

SPIN_MS = 1200
SHUFFLE_MS = 3000

MAIN = {"1": 100, "3": 50, "3b": 20, "5": 200}
SIDE = {
    "pair": {"1": 10},
    "bonus": {"1": 5, "5": 5},
    "pandemonium": {"1": 5, "3": 2, "5": 10},
}
OTHER_SIDE = {"1": 5, "3": 10}


@dataclass(frozen=True, slots=True)
class Plan:
    """The demo to be played. ``shoe_seed`` is what the first shoe is shuffled from, ``shuffles``
    how many were looked through for it; ``press_in`` the round with the first press."""

    rules: RuleSet
    setup: Setup
    rounds: int
    shoe_seed: int
    shuffles: int
    press_in: int | None

    def wagers(self, first: bool) -> Iterator[str]:
        """The calls of a round's wagers: main wagers stay from round to round."""
        kinds = self.rules.side_wagers
        shared = self.rules.betting.bettors_max.value > 1
        if first:
            seats = {seat: amount for seat, amount in MAIN.items() if shared or len(seat) == 1}
            yield from (f"wager {seat} main {amount}" for seat, amount in seats.items())
        for kind in kinds:
            yield from (
                f"wager {seat} {kind} {amount}"
                for seat, amount in SIDE.get(kind, OTHER_SIDE).items()
            )

    @property
    def tens(self) -> bool:
        """Whether the shoe has tens."""
        return bool(self.rules.cards.tens.value)

    def fill_shoe(self, dealer: Dealer, number: int) -> bool:
        """Load another shuffled shoe before the round of that number, where too few cards are left;
        whether it was."""
        if dealer.shoe.look()["remaining"] >= ENOUGH_CARDS:
            return False
        seed = self.shoe_seed + SHUFFLES * (number - 1)
        dealer.load(decks=self.setup.decks, seed=seed, tens=self.tens)
        return True

    def place_bets(
        self, dealer: Dealer, number: int, placed: Callable[[], object] = lambda: None
    ) -> str:
        """From the opening of bets to their close; ``placed`` is called behind each wager. What was
        burned, "" for nothing."""
        dealer.open_bets()
        burned = dealer.burn_where_due()
        for wager in self.wagers(number == 1):
            dealer.enter(wager)
            placed()
        dealer.no_more_bets()
        return burned


def make_plan(rules_id: str, seed: int, rounds: int) -> Plan:
    """The plan that follows from the seed. Raises ``RulesError`` for rules that are not there."""
    rules = load_rules(rules_id, Path.cwd())
    setup = _setup(rules, rules_id, seed)
    wanted = rules.pandemonium is not None
    for shuffles in range(1, SHUFFLES + 1):
        shoe_seed = seed * SHUFFLES + shuffles
        plan = Plan(rules, setup, rounds, shoe_seed, shuffles, None)
        press_in = _first_press(plan) if wanted else None
        if press_in is not None or not wanted:
            return Plan(rules, setup, rounds, shoe_seed, shuffles, press_in)
    raise ValueError(f"no Pontoon with a Pandemonium wager in {SHUFFLES} shuffles: more rounds?")


def shoe_options(plan: Plan) -> tuple[str, ...]:
    """How the simulated shoe is started."""
    tens = ("--tens",) if plan.tens else ()
    return ("--decks", str(plan.setup.decks), "--seed", str(plan.shoe_seed), *tens)


def cards_of(rules: RuleSet) -> int:
    """Cards of a whole set."""
    return rules.cards.decks_max.value * (52 if rules.cards.tens.value else 48)


def _setup(rules: RuleSet, rules_id: str, seed: int) -> Setup:
    path = Path(rules_id)
    return Setup(
        rules=str(path.resolve()) if path.suffix and path.exists() else rules_id,
        table="DEMO",
        decks=rules.cards.decks_max.value,
        boxes=min(7, rules.betting.boxes_max.value),
        spin_ms=SPIN_MS,
        weights=WEIGHTS if rules.pandemonium else {},
        seed=seed,
        devices=DEVICES,
        options={"shuffler": ("--shuffle-ms", str(SHUFFLE_MS), "--count", str(cards_of(rules)))},
    )


def _first_press(plan: Plan) -> int | None:
    """The first round with a press, if there is one and every round can be played: looked for at a
    table in this process, whose cards come in the order in which a simulated shoe of the same seed
    gives them."""
    dealer = Dealer(cast("Bench", InProcessBench(plan.setup)))
    for number in range(1, plan.rounds + 1):
        plan.fill_shoe(dealer, number)
        plan.place_bets(dealer, number)
        play_to_end(dealer, basic)
        if dealer.record.multipliers:
            return number
    return None
