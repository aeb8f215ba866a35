"""Published edges played here, and that what others' rules need leaves ours as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from controller.files.rules import load_rules, rule_files
from figures.edges.policies import policy_of
from figures.games.games import Game, GameNumbers, Played, Player, numbers_of
from figures.strangers.comparison import Compared, compared, exactly, game_of, heading, line
from figures.strangers.rows import strangers

BY_NAME = {stranger.name: stranger for stranger in strangers()}
FROM_FULL_SHOES = {
    "pontoon-bb1-spl1-nlc": 0.3924,
    "pontoon-bb1-spl2-spa1-nlc": 0.3770,
    "pontoon-bb1-spl3-spa1-nlc": 0.2907,
    "pontoon-obbo-spl2-nlc": 0.3252,
    "pontoon-obbo-spl2-spa1": 0.5059,
    "pontoon-spl2-spa1-d9": 0.6035,
    "spanish-21-h17": 0.7771,
    "spanish-21-h17-redoubling": 0.4174,
    "spanish-21-s17": 0.3664,
}
"""Percent that each has with its first number of decks, to within 0.001."""
ERROR = 1.5e-5
OFF = 0.006
"""Percent: four standard errors. Nearly all that a file changes is worth more."""
BY_PLAY = {6: 0.419, 8: 0.447}
"""Percent of the row with redoubling, as played by another's decisions: they may be worse."""
CUTTING_CARD = 0.03
"""Percent by which one may move an edge: for the rows here 0.016 to 0.02."""
ROUNDS = 10_000_000
FEW = 3_000


@cache
def game(name: str) -> GameNumbers:
    return game_of(BY_NAME[name], BY_NAME[name].decks[0])


def test_every_file_is_looked_at() -> None:
    assert sorted(FROM_FULL_SHOES) == sorted(BY_NAME)


@pytest.mark.parametrize("name", FROM_FULL_SHOES)
def test_the_edge_from_full_shoes_is_as_it_was(name: str) -> None:
    value = exactly(BY_NAME[name], BY_NAME[name].decks[0], ERROR)
    assert -100 * value.total == pytest.approx(FROM_FULL_SHOES[name], abs=OFF)
    assert value.error == pytest.approx(ERROR, rel=0.1)


def test_spanish_21_is_met_with_redoubling() -> None:
    stranger = BY_NAME["spanish-21-h17-redoubling"]
    of_eight = replace(stranger, decks=(8,), published=stranger.published[1:])
    (row,) = compared(of_eight, not_played)
    assert row.verdict == "met"
    found = {6: FROM_FULL_SHOES[stranger.name], 8: row.ours}
    for decks, by_play in BY_PLAY.items():
        assert by_play - 0.005 < found[decks] < by_play


def not_played(_: GameNumbers) -> Played:
    raise AssertionError("rounds from full shoes need not be played")


def test_a_row_with_a_cutting_card_is_played_by_the_exact_strategy() -> None:
    name = "pontoon-obbo-spl2-nlc"
    handed: list[GameNumbers] = []

    def playing(numbers: GameNumbers) -> Played:
        handed.append(numbers)
        return Player(numbers).block(20, 0, ROUNDS)

    (row,) = compared(BY_NAME[name], playing)
    assert handed == [game(name)]
    assert handed[0].values == BY_NAME[name].values
    assert row.error < 0.04
    assert abs(row.ours - FROM_FULL_SHOES[name]) < 4 * row.error + CUTTING_CARD


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("spanish-21-h17", 0, "hole_card"),
        ("spanish-21-h17", 0, "double_soft"),
        ("spanish-21-h17", 1 << 11, "double_totals"),
        ("spanish-21-h17-redoubling", 0, "redoubles"),
        ("pontoon-obbo-spl2-nlc", 0, "aces_again"),
    ],
)
def test_a_value_of_others_changes_what_is_played(name: str, value: int, field: str) -> None:
    numbers = game(name)
    other = numbers._replace(values=numbers.values._replace(**{field: value}))
    played = Player(numbers).block(1, 0, FEW).tally
    assert Player(other).block(1, 0, FEW).tally != played
    assert Player(numbers, compile_it=False).block(1, 0, FEW).tally == played


@pytest.mark.parametrize("document", list(rule_files()))
def test_no_document_of_ours_is_played_otherwise(document: str) -> None:
    rules = load_rules(document)
    numbers = numbers_of(Game(rules, 8, policy_of("basic", rules)))
    assert numbers.values[-6:] == (0, (1 << 21) - 1, 0, 0, 0, 0)
    unused = numbers._replace(values=numbers.values._replace(redoubles=3))
    assert Player(unused).block(1, 0, FEW).tally == Player(numbers).block(1, 0, FEW).tally


def test_a_line_says_why_a_row_is_not_met() -> None:
    row = next(stranger for stranger in strangers() if stranger.why)
    met = Compared(row, 8, published=0.40, ours=0.412, error=0.001)
    off = Compared(row, 8, published=0.40, ours=0.42, error=0.001)
    undecided = Compared(row, 8, published=0.40, ours=0.42, error=0.01)
    assert [one.verdict for one in (met, off, undecided)] == ["met", "not met", "open"]
    assert line(met).endswith("+0.0120  met")
    assert line(off).endswith(f"+0.0200  not met\n    {row.why}")
    assert line(undecided).endswith(row.why)
    assert "by 3,000 hands" in heading(FEW)
