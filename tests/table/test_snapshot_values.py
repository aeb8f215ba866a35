"""Values as plain data: what a snapshot takes, and what it refuses by name."""

from __future__ import annotations

from dataclasses import replace
from types import NoneType
from typing import Any

import pytest

from controller.game.round.log import Input, Loose
from controller.game.round.wagers import Limits
from controller.game.rules.cards import Card, parse_card
from controller.journal.canonical import canonical, decode
from controller.table.snapshot import GIVEN, BadSnapshot, dump, dump_table, load, load_table
from controller.table.state.table import Table
from hil_tests.benches.driven_table import FACE_UP
from hil_tests.tables.scripted import hands_of
from tests.table.live.driver import Live, dealt


def cleared(table: Live) -> Table:
    """The table after its round was cleared away, which can be taken back."""
    table.play("stand 1", "KD", "next")
    return table.table


def test_cards_that_waited_for_a_place_are_kept_with_all_that_is_known_of_them() -> None:
    loose = Input("loose", Loose((parse_card("9C"),), "face-up", True, (parse_card("9C"),), 2))
    plain = dump(loose)
    assert plain == ["loose", [["9C"], "face-up", True, ["9C"], 2, True]]
    assert load(plain, Input) == loose


def test_a_cleared_round_with_such_a_card_can_still_be_taken_back() -> None:
    live = dealt("9C 7D")
    live.slip("9H", FACE_UP)
    plain = dump_table(cleared(live))
    live.table = load_table(decode(canonical(plain)))
    assert dump_table(live.table) == plain
    live.say("undo")
    assert hands_of(live.status(), 1) == [("9C 9H", 18)]


@pytest.mark.parametrize(
    ("plain", "hint", "what"),
    [
        ([1], dict[str, int], r"\[0\] = 1: expected a list of 2 values"),
        ({"a": 1}, dict[str, int], "expected a list"),
        ("AS", list[str], '"AS": expected a list'),
        (True, int, "true: expected a whole number"),
        (1, str, "1: expected text"),
        ("a", bool, '"a": expected true or false'),
        ([1], list[str], "1: expected text"),
        ("9X", Card, "9X"),
    ],
)
def test_a_value_of_another_type_is_refused(plain: object, hint: Any, what: str) -> None:
    with pytest.raises(BadSnapshot, match=what):
        load(plain, hint)


@pytest.mark.parametrize("value", [object(), 0.5, b"9C"])
def test_a_value_that_no_snapshot_knows_is_refused(value: object) -> None:
    with pytest.raises(BadSnapshot, match="a snapshot cannot hold"):
        dump([value])


@pytest.mark.parametrize("what", [name for name, kind in GIVEN.items() if kind is NoneType])
def test_an_input_of_nothing_is_read_as_it_was_written(what: str) -> None:
    assert load(dump(Input(what)), Input) == Input(what)


def test_an_input_that_no_round_knows_is_refused() -> None:
    for give in (lambda: load(["wish", None], Input), lambda: dump(Input("wish"))):
        with pytest.raises(BadSnapshot, match="a round is given no 'wish'"):
            give()


def test_a_round_under_other_settings_than_the_tables_is_refused() -> None:
    table = cleared(dealt("9C 7D 9H"))
    [saved] = table.entering.saved
    dealing = dict(saved.parts["dealing"])
    dealing["rnd"] = replace(dealing["rnd"], limits=Limits(min=1))  # type: ignore[type-var]
    table.entering.saved = [replace(saved, parts={**saved.parts, "dealing": dealing})]
    with pytest.raises(BadSnapshot, match="played under no settings of the table"):
        dump_table(table)
