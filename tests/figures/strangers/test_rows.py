"""Files of published edges: what is read from them, and what is said of faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.game.round.wagers import Limits
from figures.games.games import UNIT
from figures.kernel.values import values_of
from figures.strangers.rows import FOLDER, StrangerError, read_stranger, strangers

GOOD = (FOLDER / "pontoon-spl2-spa1-d9.toml").read_text(encoding="utf-8")


def test_all_seven_rows_of_pontoon_and_two_of_spanish_21_are_there() -> None:
    published = {stranger.name: stranger.published for stranger in strangers()}
    pontoon = sorted(e for name, edges in published.items() if "pontoon" in name for e in edges)
    assert pontoon == [0.31, 0.34, 0.38, 0.40, 0.41, 0.50, 0.62]
    spanish = {name: edges for name, edges in published.items() if "spanish" in name}
    assert spanish == {
        "spanish-21-h17": (0.78, 0.80),
        "spanish-21-s17": (0.37, 0.38),
        "spanish-21-h17-redoubling": (0.42, 0.45),
    }


def test_values_are_those_of_its_rules_and_what_is_set_beside() -> None:
    stranger = read_stranger(FOLDER / "pontoon-spl2-spa1-d9.toml")
    ruled = values_of(stranger.rules, Limits(min=UNIT))
    assert stranger.values == ruled._replace(**stranger.changed) != ruled
    assert [hard for hard in range(22) if stranger.values.double_totals >> hard & 1] == [9, 10, 11]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("decks = [8]", "decks = [0.5]", "decks = [0.5]: expected whole numbers, as in [6, 8]"),
        ("decks = [8]", "decks = [6, 8]", "published = [0.62]: expected a percentage for each"),
        ("decks = [8]", "", "decks = None: expected a list"),
        ("decks = [8]", "decks = [8]\nextra = 1", "extra is unknown; expected title,"),
        ("penetration = 75", "penetration = 175", "penetration = 175: expected a percentage"),
        ("penetration = 75", "kernel = 1", "cannot be read as TOML"),
        ('from = "division-15-pontoon"', 'from = "division-16"', "no such rule set or file"),
        ("hands_max", "hands_most", "split.hands_most is unknown; expected match,"),
        ('value = "first_two"', 'value = "always"', "double.cards = 'always': permitted are"),
        ("double_totals =", "double_total =", "kernel.double_total is unknown; expected one of"),
        ("value = 0xE00", "value = -1", "kernel.double_totals = -1: expected a whole number"),
        ("{ value = 0xE00,", "{ worth = 1,", "expected { value = …, clause"),
        ("[kernel]", "[[kernel]]", "kernel is a value: expected a table"),
    ],
)
def test_a_fault_says_where_it_is_and_what_was_expected(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert old in GOOD
    path = tmp_path / "row.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StrangerError) as error:
        read_stranger(path)
    assert str(error.value).startswith("row.toml: ")
    assert said in str(error.value)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(StrangerError, match=r"nowhere\.toml: cannot be read as TOML"):
        read_stranger(tmp_path / "nowhere.toml")
