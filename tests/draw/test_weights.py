"""The configured weights: what is taken, and that every mistake is named."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from controller.draw.odds import check, decimal, describe, odds, percent, pontoon_chance
from controller.draw.weights import TOTAL_LIMIT, BadWeights, FavoursPlayer, Weights, read_weights

MULTIPLIERS = (100, 50, 25, 20, 10, 5, 3, 2)
EXAMPLE: dict[str, Any] = {
    "100": 4,
    "50": 8,
    "25": 20,
    "20": 20,
    "10": 24,
    "5": 12,
    "3": 7,
    "2": 5,
}


def changed(**changes: Any) -> dict[str, Any]:
    return EXAMPLE | {key.removeprefix("_"): value for key, value in changes.items()}


def test_keys_may_be_text_or_numbers_in_any_order() -> None:
    weights = read_weights(EXAMPLE, MULTIPLIERS)
    as_numbers = {int(key): value for key, value in reversed(EXAMPLE.items())}
    assert read_weights(as_numbers, MULTIPLIERS) == weights
    assert weights.pairs[0] == (100, 4)
    assert weights.pairs[-1] == (2, 5)
    assert weights.total == 100


def test_identity_is_stable_and_tells_weights_apart() -> None:
    weights = read_weights(EXAMPLE, MULTIPLIERS)
    assert weights.canonical == "100=4,50=8,25=20,20=20,10=24,5=12,3=7,2=5"
    assert weights.identity == "fc987410df35800a4d3151b380b08ef36b78cd7b04abb52976766ecf5a795f39"
    assert read_weights(changed(_2=6), MULTIPLIERS).identity != weights.identity
    assert Weights(weights.pairs[::-1]).identity != weights.identity


@pytest.mark.parametrize(
    ("configured", "named"),
    [
        (changed(_2=0), "the weight of 2 is 0; expected a positive integer"),
        (changed(_2=-5), "the weight of 2 is -5; expected a positive integer"),
        (changed(_3=7.0), "the weight of 3 is 7.0; expected a positive integer"),
        (changed(_3=True), "the weight of 3 is True; expected a positive integer"),
        (changed(_3="7"), "the weight of 3 is '7'; expected a positive integer"),
        (changed(_7=1), "7 (weight 1) is no games multiplier of the rules; expected exactly 100,"),
        (changed(x=1), "the key 'x' is no games multiplier"),
        (changed(_02=1), "the key '02' is no games multiplier"),
        (changed(_٢=1), "the key '٢' is no games multiplier"),
        (EXAMPLE | {True: 1}, "the key True is no games multiplier"),
        (EXAMPLE | {2: 5}, "multiplier 2 is named twice"),
        ({"100": 4}, "no weight for 50, 25, 20, 10, 5, 3, 2; expected exactly 100, 50"),
        ({}, "no weight for 100, 50"),
        (changed(_100=TOTAL_LIMIT), f"expected less than {TOTAL_LIMIT}"),
    ],
)
def test_every_mistake_is_named(configured: dict[str, Any], named: str) -> None:
    with pytest.raises(BadWeights) as refused:
        read_weights(configured, MULTIPLIERS)
    assert named in str(refused.value)
    assert str(refused.value).startswith("[multiplier] weights: ")


def test_the_total_may_come_up_to_its_limit() -> None:
    assert Weights(((2, TOTAL_LIMIT - 2), (3, 1))).total == TOTAL_LIMIT - 1
    with pytest.raises(BadWeights):
        Weights(((2, TOTAL_LIMIT - 1), (3, 1)))


def test_weights_by_hand_are_looked_at_too() -> None:
    with pytest.raises(BadWeights, match="twice"):
        Weights(((2, 1), (2, 1)))
    with pytest.raises(BadWeights, match="no multiplier"):
        Weights(())


# The odds: the formula against every deal counted out, and unfair tables refused -----------------


WEIGHTS = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_the_chance_is_that_of_all_deals_counted_out(decks: int) -> None:
    deck = [rank for rank in "A23456789JQK" for _suit in range(4)]
    pontoons = sum(
        (first == "A" and second in "JQK") or (second == "A" and first in "JQK")
        for first, second in permutations(deck * decks, 2)
    )
    cards = len(deck) * decks
    assert pontoon_chance(decks) == Fraction(pontoons, cards * (cards - 1))


def test_the_example_is_accepted_with_these_figures() -> None:
    figures = check(WEIGHTS, 8)
    assert figures.chance == Fraction(16, 383)
    assert figures.mean == Fraction(2031, 100)
    assert figures.break_even == Fraction(367, 16)
    assert figures.player_return == Fraction(8524, 9575)
    assert figures.edge == Fraction(1051, 9575)
    # The same, as what the house nets on average: loses N stakes or keeps one.
    assert figures.edge == (1 - figures.chance) - figures.chance * figures.mean


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_the_edge_is_zero_at_break_even(decks: int) -> None:
    even = odds(WEIGHTS, decks).break_even
    low, high = 1, 100
    share = (even - low) / (high - low)
    weights = Weights(((high, share.numerator), (low, share.denominator - share.numerator)))
    assert check(weights, decks).edge == 0


def test_a_table_that_favours_the_player_is_refused_with_the_figures() -> None:
    with pytest.raises(FavoursPlayer) as refused:
        check(Weights(((100, 1), (2, 3))), 8)
    text = str(refused.value)
    for figure in ("53/2 (26.500000)", "16/383 (0.041775)", "367/16 (22.937500)", "14.883 %"):
        assert figure in text
    assert refused.value.edge == Fraction(-57, 383)


def test_the_description_adds_up() -> None:
    data: dict[str, Any] = describe(WEIGHTS, 8)
    rows = data["multipliers"]
    assert [row["multiplier"] for row in rows] == [n for n, _ in WEIGHTS.pairs]
    assert sum(Fraction(row["probability"]) for row in rows) == 1
    assert sum(Fraction(row["contribution"]) for row in rows) == Fraction(data["return"])
    assert Fraction(data["return"]) + Fraction(data["house_edge"]) == 1
    assert data["house_edge_percent"] == "10.977 %"
    assert rows[0]["one_in"] == "25.00"
    assert data["favours_player"] is False
    assert data["reckoned_by"] == "closed_form"


def test_no_decks_make_no_shoe() -> None:
    with pytest.raises(ValueError, match="0 decks"):
        pontoon_chance(0)


def test_decimals_are_rounded_without_binary_fractions() -> None:
    assert decimal(Fraction(-1, 3), 4) == "-0.3333"
    assert decimal(Fraction(1, 200), 3) == "0.005"
    assert percent(Fraction(2, 3)) == "66.667 %"
