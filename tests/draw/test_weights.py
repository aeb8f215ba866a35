"""The configured weights: what is taken, and that every mistake is named."""

from __future__ import annotations

from typing import Any

import pytest

from controller.draw.weights import TOTAL_LIMIT, BadWeights, Weights, read_weights

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
