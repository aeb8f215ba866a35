"""Cards bought for less than the stake: the exact strategy against a reckoning card by card, which
tries sums in between, too; against the kernel, and against the table's own rounds."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
import pytest

from controller.files.rules import load_rules
from controller.game.round.draft import begin_round
from controller.game.round.wagers import MAIN, Limits, Sheet
from controller.game.rules.schema import RuleSet
from figures.games.games import full_shoe, little_of, unit_of
from figures.kernel.choices import BUY, BUY_LITTLE, HIT, STAND
from figures.kernel.plans import FirstTwo, Later, Policy, Preferences
from figures.kernel.words import card_of, class_of
from figures.program.main import main
from figures.strategy.deciding import best, first, later
from figures.strategy.doubling import NONE
from figures.strategy.model import model_of
from figures.strategy.preferring import optimum
from figures.strategy.shoes import Array, Whole
from figures.strategy.solving import strategy_of
from proof.agreement.engine import Engine
from proof.agreement.minds import Planned
from proof.agreement.tables import BETTOR
from tests.figures.strategy.plain import Plain, best_total
from tests.figures.strategy.support import number, value

DOCUMENT: Final = "pontoon-five-card-trick"
SMALLEST: Final = [Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)]
FEW: Final = "AC AD 2C 2D 3C 3D 4C 4D 5C 6C 7C 7D 7H 8C 9C TC JC QC KC KD"
ASKED: Final = "2C-3C:6 AC-5C:2 3C-4C:K 7C-7D:8 TC-2C:4 4C-KC:A 9C-8C:7 AC-7C:3 TC-KC:9"
"""First two cards of a class, and the dealer's."""


class PlainTricks(Plain):
    """The same for a hand that may buy, for one of some ``sums`` at each card, units of the
    stake."""

    def __init__(self, rules: RuleSet, cards: list[int], sums: list[Fraction]) -> None:
        super().__init__(rules, cards)
        self.sums = sums

    def worths(self, hand: tuple[int, ...], up: int) -> dict[object, float]:
        """The value of two cards by choice: a sum, or ``hit``, ``stand``."""
        self.up = up
        self.against.cache_clear()
        self.best_of.cache_clear()
        return dict(self.ways(hand, Fraction(1), may_buy=True))

    @cache  # noqa: B019 - cleared with each question
    def best_of(self, hand: tuple[int, ...], staked: Fraction, may_buy: bool) -> float:
        return max(worth for _, worth in self.ways(hand, staked, may_buy=may_buy))

    def ways(
        self, hand: tuple[int, ...], staked: Fraction, *, may_buy: bool
    ) -> Iterator[tuple[object, float]]:
        total = best_total(hand)
        if total > 21:
            yield "bust", -float(staked)
            return
        trick = len(hand) == 5
        if trick or total >= 15:
            yield "stand", float(staked) * self.standing(hand)
        if trick or total == sum(hand) == 21:
            return
        yield "hit", self.mean(hand, staked, may_buy=False)
        if may_buy and not (len(hand) == 4 and sum(hand) < 12):
            for sum_ in self.sums:
                yield sum_, self.mean(hand, staked + sum_, may_buy=True)

    def mean(self, hand: tuple[int, ...], staked: Fraction, *, may_buy: bool) -> float:
        left = self.left(hand)
        return sum(
            count / left.total() * self.best_of(tuple(sorted((*hand, points))), staked, may_buy)
            for points, count in left.items()
            if count
        )

    def standing(self, hand: tuple[int, ...]) -> float:
        if hand == (7, 7, 7):
            return self.odds("royal")
        trick, total, worth = len(hand) == 5, best_total(hand), 0.0
        for dealer, chance in self.against(hand).items():
            if dealer == "bust":
                worth += chance * (self.odds("trick_dealer_bust") if trick else 1.0)
            elif dealer in ("pontoon", "trick"):
                worth -= chance
            elif trick:
                worth += chance * self.odds("trick")
            else:
                worth += chance if total > int(dealer) else -chance
        return worth

    def deal(
        self, dealer: tuple[int, ...], left: Counter[int], chance: float, found: dict[str, float]
    ) -> None:
        if len(dealer) == 5 and best_total(dealer) <= 21:
            found["trick"] += chance
        else:
            super().deal(dealer, left, chance, found)


@pytest.mark.parametrize("smallest", SMALLEST)
def test_every_first_decision_is_exact_and_no_sum_in_between_is_better(smallest: Fraction) -> None:
    rules, cards = load_rules(DOCUMENT), [number(name) for name in FEW.split()]
    options = optimum(model_of(rules, 1, cards=cards, smallest_buy=smallest)).options
    plain = PlainTricks(rules, cards, [smallest, (1 + smallest) / 2, Fraction(1)])
    names = {STAND: "stand", HIT: "hit", BUY: Fraction(1), BUY_LITTLE: smallest}
    met = Counter[object]()
    for question in ASKED.split():
        two, _, dealer = question.partition(":")
        first, second = (card_of(number(name)) for name in two.split("-"))
        hand, up = (
            tuple(sorted((first.points, second.points))),
            card_of(number(f"{dealer}C")).points,
        )
        worths = plain.worths(hand, up)
        found = options[:, class_of(first, second), up - 1]
        said = {name: found[choice] for choice, name in names.items() if name in worths}
        assert said == pytest.approx({name: worths[name] for name in said}, abs=1e-12), question
        assert max(said.values()) == pytest.approx(max(worths.values()), abs=1e-12), question
        assert np.isinf(found[STAND]) == ("stand" not in worths)
        met[max(said, key=said.__getitem__)] += 1
    assert min(met[name] for name in (smallest, Fraction(1), "stand")) > 0


def test_who_may_buy_for_less_gains() -> None:
    rules, values = load_rules(DOCUMENT), []
    for smallest in [None, Fraction(1), *SMALLEST]:
        model = model_of(rules, 8, smallest_buy=smallest)
        values.append(100 * value(model, optimum(model)))
    assert values[1] == pytest.approx(values[0])
    gains = [one - values[0] for one in values[2:]]
    assert gains == pytest.approx([0.25, 0.79, 1.04], abs=0.005)  # as an auditor has reckoned


def no_more_than_before(options: Array, _rows: Whole) -> Whole:
    """Choose what is worth most where no card may be bought for more than the one before: after one
    for the smallest sum none for the stake."""
    may = options.copy()
    may[BUY, :, 1:-1] = NONE
    return best(may, _rows)


def test_who_may_not_buy_for_more_than_before_gains_nothing() -> None:
    rules = load_rules(DOCUMENT)
    whole, little = (model_of(rules, 8, smallest_buy=one) for one in (None, SMALLEST[-1]))
    told = first(little, later(little, no_more_than_before)).max(axis=0)
    expected = optimum(whole).options.max(axis=0)
    there = np.isfinite(expected)
    assert np.abs(told[there] - expected[there]).max() < 1e-12
    assert (optimum(little).options.max(axis=0)[there] > told[there] + 1e-3).any()


@dataclass(slots=True)
class Exact(Planned):
    """Who plays by a policy at the table."""

    by: Policy | None = None

    def first_two(self, two: FirstTwo) -> Preferences:
        assert self.by
        return self.by.first_two(two)

    def later(self, hand: Later) -> Preferences:
        assert self.by
        return self.by.later(hand)


def table_rounds(policy: Policy, smallest: Fraction, rounds: int, seed: int) -> list[float]:
    """What rounds from full shoes of eight decks bring at the table's own engine, in units."""
    rules, chance = load_rules(DOCUMENT), random.Random(seed)
    little, unit = little_of(smallest), unit_of(smallest)
    cards = [card_of(card) for card in full_shoe(rules, 8)]
    limits, sheet = Limits(min=unit, increment=2), Sheet()
    sheet.set(MAIN, 1, BETTOR, unit)
    mind, nets = Exact(chance, lambda _: 0, rules.stand.minimum.value, little, by=policy), []
    for _ in range(rounds):
        dealt = iter(chance.sample(cards, 60))
        engine = Engine(lambda dealt=dealt: next(dealt), mind, little)  # type: ignore[misc]
        ended = engine.play(begin_round(rules, limits, sheet))
        nets.append(sum(one.net or 0 for one in ended.all_settlements) / unit)
    return nets


@pytest.mark.needs("numba")
def test_the_tables_own_rounds_bring_what_was_reckoned() -> None:
    smallest = Fraction(1, 10)
    found = strategy_of(load_rules(DOCUMENT), 8, smallest_buy=smallest, error=1e-3)
    nets = table_rounds(found.policy, smallest, 3000, seed=1)
    error = float(np.std(nets)) / len(nets) ** 0.5
    assert abs(float(np.mean(nets)) - found.played.total) < 4 * error
    assert {Fraction(net).limit_denominator(100) % 1 for net in nets} > {Fraction(1, 10)}


@pytest.mark.needs("numba")
def test_strategy_and_edge_tell_by_which_smallest_buy_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = [DOCUMENT, "--smallest-buy", "1/10", "--seed", "1", "--json"]
    assert main(["strategy", *asked, "--error", "0.005"]) == 0
    strategy = json.loads(capsys.readouterr().out)
    assert strategy["smallest_buy"] == 0.1
    assert "--smallest-buy 1/10" in strategy["origin"]["command"]
    cells = [cell for row in strategy["rows"] for cell in row["cells"]]
    assert any("L" in cell or "l" in cell for cell in cells)
    assert main(["edge", *asked, "--rounds", "200000", "--boxes", "1"]) == 0
    edge = json.loads(capsys.readouterr().out)
    assert edge["setting"]["policy"] == "optimal, smallest buy 1/10"
    main_wager, best_play = edge["main"]["per_initial"], strategy["values"]["best"]
    error = (main_wager["standard_error"] ** 2 + best_play["error"] ** 2) ** 0.5
    assert abs(main_wager["edge"] + best_play["total"]) < 4 * error
    brought = sum(halves * rounds for halves, rounds in edge["distributions"]["main"])
    assert brought / 2 / edge["rounds"] == pytest.approx(-main_wager["edge"], abs=1e-5)
