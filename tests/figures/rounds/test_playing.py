"""Simulated rounds: what must balance in them, and what they must come to."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache
from math import sqrt

import pytest

from controller.draw.odds import pontoon_chance
from controller.files.rules import load_rules, rule_files
from controller.game.round.model import Settlement
from controller.game.round.refusal import Refused
from figures.rounds.figures import far_off, figures
from figures.rounds.playing import Simulation
from figures.rounds.tally import PART_OF_MAIN, Tally
from tests.figures.rounds.support import WEIGHTS, played, table_of

DOCUMENTS = list(rule_files())
PANDEMONIUM, FIVE = "mbs-pontoon-pandemonium-v5", "pontoon-five-card-trick"
SIGMAS = 5
ROUNDS = {
    (PANDEMONIUM, "simple"): 2000,
    ("rws-pontoon-plus-v5", "simple"): 1500,
    (FIVE, "simple"): 1000,
    (FIVE, "basic"): 1000,
}
"""Rounds of the tables that are compared with what is computed; a few of any other are enough."""


def rounds_of(document: str, strategy: str) -> int:
    return ROUNDS.get((document, strategy), 300 if strategy == "basic" else 150)


@cache
def tally_of(document: str, strategy: str) -> Tally:
    """What was played of a document, once for all who look at it."""
    return played(table_of(document, strategy=strategy), rounds_of(document, strategy), seed=11)


def off_by(count: int, of: int, chance: float) -> float:
    return abs(count - of * chance) / sqrt(of * chance * (1 - chance))


@pytest.mark.parametrize("strategy", ["basic", "simple"])
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_document_is_played_and_its_wagers_balance(document: str, strategy: str) -> None:
    tally = tally_of(document, strategy)
    assert tally.rounds == rounds_of(document, strategy)
    dealt = tally.rounds * 7
    assert tally.seen["box dealt"] == dealt
    kinds = {"main", *load_rules(document).side_wagers}
    assert set(tally.wagers) == kinds
    for kind, wager in tally.wagers.items():
        stake = 1000 if kind == "main" else 100
        assert wager.count == dealt
        assert wager.staked == wager.count * stake
        settled = sum(count for (part, _, _), count in wager.results.items() if part == kind)
        assert settled == wager.count
        assert {part for part, _, _ in wager.results} <= (
            PART_OF_MAIN if kind == "main" else {kind}
        )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_splits_doubles_and_bought_cards_belong_to_the_main_wager(document: str) -> None:
    rules, main = load_rules(document), tally_of(document, "basic").wagers["main"]
    raised = {part for part, _, _ in main.results}
    assert "split" in raised
    assert ("double" in raised) == (rules.double is not None)
    assert ("buy" in raised) == (rules.buy is not None)
    assert main.wagered > main.staked


def test_the_pandemonium_wager_and_pairs_come_as_often_as_they_must() -> None:
    tally = tally_of(PANDEMONIUM, "simple")
    wins = sum(tally.drawn.values())
    dealt = tally.seen["box dealt"]
    assert off_by(wins, dealt, float(pontoon_chance(8))) < SIGMAS
    assert tally.seen["pontoon"] == wins
    # The second card is one of 31 of 383 that are of the first one's denomination.
    pairs = tally.wagers["pair"].results["pair", "win", "11:1"]
    assert off_by(pairs, dealt, 31 / 383) < SIGMAS
    for multiplier, weight in WEIGHTS.pairs:
        assert off_by(tally.drawn[multiplier], wins, weight / WEIGHTS.total) < SIGMAS


def test_the_bonus_wager_comes_as_often_as_it_must() -> None:
    tally = tally_of("rws-pontoon-plus-v5", "simple")
    results, dealt = tally.wagers["bonus"].results, tally.seen["box dealt"]
    # An ace and a picture: 32 and 96 cards of 384, in either order.
    assert off_by(results["bonus", "win", "4:1"], dealt, 2 * 32 * 96 / (384 * 383)) < SIGMAS


def test_figures_stand_beside_exact_ones_and_a_false_game_is_noticed() -> None:
    table, tally = table_of(PANDEMONIUM), deepcopy(tally_of(PANDEMONIUM, "simple"))
    assert far_off(figures(table, tally)) == []
    # A table whose pairs of that number of boxes had been dealt another one each time.
    pair = tally.wagers["pair"]
    moved = pair.results["pair", "lose", ""] // 20
    pair.results["pair", "lose", ""] -= moved
    pair.results["pair", "win", "11:1"] += moved
    assert far_off(figures(table, tally)) == ["pair"]


def test_insurance_is_taken_where_that_is_wanted_and_only_there() -> None:
    assert "insurance" not in tally_of(PANDEMONIUM, "simple").wagers
    tally = played(table_of(PANDEMONIUM, insured=True), 200)
    insurance = tally.wagers["insurance"]
    assert insurance.staked == insurance.count * 500
    assert insurance.count > 50
    wins = insurance.results["insurance", "win", "2:1"]
    assert insurance.net == wins * 1000 - (insurance.count - wins) * 500


def test_without_weights_no_pandemonium_wager_is_placed() -> None:
    assert "pandemonium" not in played(table_of(PANDEMONIUM, weights=None), 20).wagers


def test_the_super_bonus_is_part_of_what_a_main_wager_returns() -> None:
    tally = Tally()
    tally.settled(
        [
            Settlement(1, "a", 1, "main", 1000, "win", "2:1", 2000, "4.1"),
            Settlement(1, "a", 1, "super_bonus", 1000, "win", None, 100_000, "4.1.1.1"),
            Settlement(2, "a", 1, "super_bonus_share", 1000, "win", None, 5000, "4.1.1.2"),
        ]
    )
    main = tally.wagers["main"]
    assert (main.count, main.staked, main.wagered, main.net) == (1, 1000, 1000, 107_000)
    assert set(tally.wagers) == {"main"}


def test_the_same_chance_plays_the_same_rounds() -> None:
    table = table_of("division-15-pontoon", strategy="basic")
    first = played(table, 60, seed=3)
    assert first == played(table, 60, seed=3)
    assert first != played(table, 60, seed=4)


def test_blocks_add_up_in_any_order() -> None:
    simulation = Simulation(table_of(PANDEMONIUM))
    blocks = [simulation.block(40, random.Random(seed)) for seed in (1, 2, 3)]
    forth, back = Tally(), Tally()
    for block in blocks:
        forth.add(block)
    for block in reversed(blocks):
        back.add(block)
    assert forth == back
    assert forth.rounds == 120


def test_wagers_outside_the_limits_are_refused_before_anything_is_played() -> None:
    with pytest.raises(Refused, match="limits"):
        Simulation(table_of(PANDEMONIUM, main=200))
    with pytest.raises(Refused, match="no box 8"):
        Simulation(table_of(PANDEMONIUM, boxes=8))


def test_basic_strategy_returns_more_than_rules_of_thumb() -> None:
    # Rules of thumb buy no card: at the five card trick that costs nine of a hundred.
    basic, simple = (tally_of(FIVE, name).wagers["main"] for name in ("basic", "simple"))
    assert basic.net / basic.staked > simple.net / simple.staked
