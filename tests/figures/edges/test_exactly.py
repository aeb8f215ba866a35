"""Closed forms beside the kernel, and beside counting."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.rules.cards import SPADES, Card
from controller.game.rules.loader import build_rules, dump_rules
from controller.game.rules.schema import RuleSet
from figures.edges import exactly
from figures.edges.expected import as_simulated
from figures.edges.figures import edge_figures
from figures.edges.results import SuperBonusFigures
from figures.games.games import Game
from figures.kernel.choices import HIT, SPLIT
from figures.kernel.plans import FirstTwo, Policy, Preferences
from figures.rounds.shoe import full_shoe
from tests.figures.edges.support import MBS, asked, game_of, run_of, sums_of

WITHIN = 4


def changed(rules: RuleSet, key: str, value: str) -> RuleSet:
    plain = json.loads(json.dumps(dump_rules(rules)))
    section, name = key.split(".")
    plain[section][name]["value"] = value
    return build_rules(plain, key)


@pytest.mark.parametrize("document", list(rule_files()))
def test_side_wagers_agree_within_four_standard_errors(document: str) -> None:
    game = game_of(document, 7, 0)
    told = edge_figures(asked(game, 4000), sums_of(run_of(game, 4000, 2000)))
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
        assert exactly.bonus_chance(rules, decks, 3) == Fraction(good, all_deals) * 3 / 4
        assert exactly.share_chances(rules, decks, boxes) == [0]
    one = exactly.bonus_chance(rules, 8)
    shares = exactly.share_chances(rules, 8, 7)
    assert [round(float(share / one), 3) for share in shares] == [0, 1, 2, 3, 4, 5, 6]
    assert shares[6] < 6 * one


@pytest.mark.needs("numba")
def test_the_super_bonus_comes_as_often_as_it_should() -> None:
    game = game_of("division-15-pontoon", 7, 0)
    run = run_of(game, 3_000_000, 1_000_000)
    sums = sums_of(type(run)(run.numbers, 7, run.rounds, run.block))
    told = edge_figures(asked(game, run.rounds), sums)["super_bonus"]
    assert told is not None
    assert told["suits"] == 4
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


def test_the_super_bonus_is_of_the_suits_whose_sevens_are_hit() -> None:
    game = game_of()

    def first_two(at: FirstTwo) -> Preferences:
        spades = at.first.suit == at.second.suit == SPADES
        return [HIT] if spades else [SPLIT, HIT]

    def told(rules: RuleSet, policy: Policy) -> SuperBonusFigures | None:
        other = Game(rules, 8, policy, 2)
        return edge_figures(asked(other, 200), sums_of(run_of(other, 200)))["super_bonus"]

    some = game.policy._replace(first_two=first_two)
    bonus = told(game.rules, some)
    assert bonus is not None
    chance = exactly.bonus_chance(game.rules, 8)
    assert (bonus["suits"], bonus["chance_exactly"]) == (1, str(chance / 4))
    none = told(game.rules, game.policy._replace(first_two=lambda _: [SPLIT, HIT]))
    assert none is not None
    assert (none["suits"], none["chance"], none["shares"], none["brackets"]) == (0, 0, [0, 0], [])
    by_splits = changed(game.rules, "split.pays", "as_unsplit")
    bonus = told(by_splits, some)
    assert bonus is not None
    assert (bonus["suits"], bonus["chance"], bonus["shares"]) == (None, None, [])


@pytest.mark.parametrize(("when", "paid"), [("winner", False), ("cards", True)])
def test_a_share_below_the_brackets_is_paid_where_the_cards_bring_it(when: str, paid: bool) -> None:
    game = game_of(MBS, 7)
    rules = changed(game.rules, "super_bonus.share_when", when)
    other = Game(rules, 8, game.policy, 7)
    told = edge_figures(asked(other, 200), sums_of(run_of(other, 200, 50)))
    (least, _), *_ = rules.super_bonus.brackets.value if rules.super_bonus else [(0, 0)]
    count, main = told["hands"], told["main"]["per_initial"]["edge"]
    shares = exactly.share_chances(rules, 8, 7)[-1] * 5000
    stake = (least - 1) * 100
    wager = as_simulated(told, stake)["wagers"]
    assert isinstance(wager, dict)
    brought = -main * count * stake + (float(shares * count) if paid else 0.0)
    assert 100 * float(wager["main"]["net"]) == pytest.approx(brought, abs=stake)


def test_a_bonus_and_its_shares_spread_together() -> None:
    game, stake, rounds = game_of(MBS, 7), 1000, 200
    told = edge_figures(asked(game, rounds), sums_of(run_of(game, rounds, 50)))
    wager = as_simulated(told, stake)["wagers"]
    assert isinstance(wager, dict)
    main = told["main"]["per_initial"]["standard_error"]
    assert main is not None
    of_bonus = (wager["main"]["standard_error_percent"] / 100) ** 2 - main**2
    at_once = 100_000 + 6 * 5_000  # cents of a round in which one box has it
    chance = 7 * float(exactly.bonus_chance(game.rules, 8))
    assert of_bonus == pytest.approx(chance * (at_once / (7 * stake)) ** 2 / rounds, rel=1e-3)
