"""Closed forms beside the kernel, and beside counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.rules.cards import Card
from figures.edges import exactly
from figures.edges.figures import edge_figures
from figures.edges.jobs import alone
from figures.edges.running import carry_out
from figures.games.games import Game
from figures.rounds.shoe import full_shoe
from tests.figures.edges.support import asked, game_of, run_of

WITHIN = 4


@pytest.mark.parametrize("document", list(rule_files()))
def test_side_wagers_agree_within_four_standard_errors(document: str) -> None:
    game = game_of(document, 7, 0)
    told = edge_figures(asked(game, 4000), carry_out(run_of(game, 4000, 2000), alone))
    wagers = [*told["sides"], *([told["button"]["wager"]] if told["button"] else [])]
    assert len(wagers) == len(game.rules.side_wagers)
    for wager in wagers:
        assert wager["sigmas"] is not None
        assert abs(wager["sigmas"]) < WITHIN, wager
    if told["button"]:
        assert told["button"]["returned"] == pytest.approx(1 - wagers[-1]["exact"]["edge"])
        parts = [one["part_of_return"] for one in told["button"]["multipliers"]]
        assert sum(parts) == pytest.approx(1)


def test_the_super_bonus_is_what_dealing_from_sevens_alone_counts() -> None:
    rules = load_rules("division-15-pontoon")
    for decks, boxes in ((2, 1), (3, 1)):
        sevens = [Card(7, suit) for suit in range(1, 5) for _ in range(decks)]
        deals = list(permutations(range(len(sevens)), 4))
        good = sum(len({sevens[at].suit for at in deal[:3]}) == 1 for deal in deals)
        cards = len(full_shoe(rules, decks))
        all_deals = cards * (cards - 1) * (cards - 2) * (cards - 3)
        assert exactly.bonus_chance(rules, decks) == Fraction(good, all_deals)
        assert exactly.share_chances(rules, decks, boxes) == [0]
    one = exactly.bonus_chance(rules, 8)
    shares = exactly.share_chances(rules, 8, 7)
    assert [round(float(share / one), 3) for share in shares] == [0, 1, 2, 3, 4, 5, 6]
    assert shares[6] < 6 * one


@pytest.mark.needs("numba")
def test_the_super_bonus_comes_as_often_as_it_should() -> None:
    game = game_of("division-15-pontoon", 7, 0)
    run = run_of(game, 3_000_000, 1_000_000)
    sums = carry_out(type(run)(run.numbers, 7, run.rounds, run.block), alone)
    told = edge_figures(asked(game, run.rounds), sums)["super_bonus"]
    assert told is not None
    assert told["hits"]
    assert told["expected"] is not None
    assert told["expected"] > 25
    assert told["sigmas"] is not None
    assert abs(told["sigmas"]) < WITHIN


@pytest.mark.parametrize("decks", [4, 8])
def test_insurance_is_what_the_cards_left_give(decks: int) -> None:
    rules = load_rules("division-15-pontoon")
    (told,) = exactly.insurance(rules, decks)
    high = 12 * decks
    assert (told["against"], told["edge_exactly"]) == (
        "A",
        str(1 - Fraction(3 * high, 48 * decks - 1)),
    )


def test_a_policy_that_splits_sevens_has_no_closed_form() -> None:
    game = game_of()
    splitting = game.policy._replace(first_two=lambda at: [3, 0])
    other = Game(game.rules, 8, splitting, 2)
    told = edge_figures(asked(other, 200), carry_out(run_of(other, 200), alone))["super_bonus"]
    assert told is not None
    assert (told["hits"], told["chance"], told["shares"]) == (False, None, [])
