"""Plain values read by their forms: the value, or every fault with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import pytest

from controller.forms.expected import File, Flag, Range, Secret, Text, Usual, one_of
from controller.forms.faults import Wrong
from controller.forms.json_values import WrongForm, checked
from controller.forms.reading import form_of


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


class Place(TypedDict):
    at: tuple[int, ...] | float


@dataclass(frozen=True)
class Meal:
    name: Annotated[str, Text("a meal's name", longest=8)]
    cooks: tuple[Literal["ann", "bob"], ...]
    size: tuple[int, str]
    hot: Annotated[bool, Flag("whether it is hot")]
    folder: Annotated[Path, File("a folder"), Usual("recipes")]
    guests: int | None
    rating: Annotated[int | None, Range("stars", 1, 5)] = None
    pin: Annotated[str, Secret("digits", form=re.compile("[0-9]+"))] = ""
    course: Annotated[str, one_of("main", "sweet")] = "main"


MEAL = {"name": "soup", "cooks": ["ann"], "size": [2, "l"], "hot": True}


def read(**changes: object) -> list[str] | Meal:
    found: Meal | Wrong = form_of(Meal).read({**MEAL, **changes}, Path("/house"))
    return found.toml_lines("meal") if isinstance(found, Wrong) else found


def test_what_is_left_out_counts_as_usual() -> None:
    assert read() == Meal("soup", ("ann",), (2, "l"), True, Path("/house/recipes"), None)
    assert read(rating=None, guests=3) == replace(read(), guests=3)  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, ['meal.name = " ": expected a meal\'s name']),
        ({"name": "x" * 9}, [f'meal.name = "{"x" * 9}": expected at most 8 characters']),
        ({"cooks": ["an", "bob", 3]}, ["expected one of ann, bob; did you mean ann?", "[2] = 3"]),
        ({"cooks": "ann"}, ['meal.cooks = "ann": expected a list']),
        ({"size": [2]}, ["meal.size = [2]: expected a list of 2 values"]),
        ({"size": ["2", 1]}, ['size[0] = "2": expected a whole', "size[1] = 1: expected text"]),
        ({"hot": "yes"}, ['meal.hot = "yes": expected true or false (whether it is hot)']),
        ({"folder": 3}, ["meal.folder = 3: expected a folder, in quotes"]),
        ({"rating": 6}, ["meal.rating = 6: expected 1 to 5 (stars)"]),
        ({"rating": "5"}, ["expected 1 to 5 (stars): a whole number, without quotes"]),
        ({"pin": "secret"}, ["meal.pin: expected digits"]),
        ({"course": "swet"}, ["expected one of main, sweet; did you mean sweet?"]),
        ({"nam": 1, "hot": 1}, ["meal.hot = 1", "meal.nam is unknown: did you mean name? known"]),
    ],
)
def test_every_fault_is_found_with_its_place(changes: dict[str, object], said: list[str]) -> None:
    faults = read(**changes)
    assert isinstance(faults, list)
    assert len(faults) == len(said)
    assert all(words in fault for fault, words in zip(faults, said, strict=True)), faults


def test_a_typed_dict_with_values_that_change_is_another_object() -> None:
    value = {"at": [1, 2], "later": True}
    assert checked(Place, value) == {"at": (1, 2), "later": True}
    assert value["at"] == [1, 2]


def test_what_is_no_table_is_told_in_words_of_toml() -> None:
    assert form_of(Meal).read(3, None).toml_lines("meal") == ["meal = 3: expected a table, [meal]"]


def test_of_a_key_with_faults_the_others_are_known() -> None:
    found = form_of(Meal).read({**MEAL, "hot": 3}, Path("/house"))
    assert found.found["name"] == "soup"
    assert "hot" not in found.found
