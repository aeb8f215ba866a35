"""Parsed JSON that gets checked before it counts as a typed value."""

from __future__ import annotations

from typing import TypedDict

import pytest

from controller.forms.json_values import WrongForm, checked


class Card(TypedDict):
    rank: int
    marks: list[str]


class Deal(TypedDict, total=False):
    cards: list[Card]
    sums: dict[str, float]
    box: int | None
    last: Card | None


def test_a_value_of_the_form_is_the_same_value() -> None:
    value = {"cards": [{"rank": 1, "marks": ["^"], "later": True}], "sums": {"a": 1, "b": 0.5}}
    assert checked(Deal, value) is value
    assert checked(Deal, {"box": None, "last": {"rank": 1, "marks": []}})["box"] is None
    assert checked(dict[str, object], {"any": [None]}) == {"any": [None]}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "deal = []: expected an object"),
        ({"cards": {}}, "deal.cards = {}: expected a list"),
        ({"cards": [{"marks": []}]}, "deal.cards[0].rank is missing"),
        (
            {"cards": [{"rank": True, "marks": []}]},
            "deal.cards[0].rank = true: expected a whole number",
        ),
        ({"cards": [{"rank": 1, "marks": [2]}]}, "deal.cards[0].marks[0] = 2: expected text"),
        ({"sums": {"a": "1"}}, 'deal.sums.a = "1": expected a number'),
        ({"box": "1"}, 'deal.box = "1": expected a whole number'),
        ({"last": {"rank": 1}}, "deal.last.marks is missing"),
        ({"cards": "x" * 100}, f'deal.cards = "{"x" * 59}…: expected a list'),
    ],
)
def test_another_form_is_refused_with_its_place(value: object, said: str) -> None:
    with pytest.raises(WrongForm) as refused:
        checked(Deal, value, "deal")
    assert str(refused.value) == said
