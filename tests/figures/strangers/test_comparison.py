"""Published edges played here, and that what others' rules need leaves ours as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.files.rules import load_rules, rule_files
from figures.games.games import Game, GameNumbers, Played, Player, numbers_of
from figures.strangers.comparison import WITHIN, Compared, compared, exactly, game_of, heading, line
from figures.strangers.play import good_play
from figures.strangers.rows import Stranger, strangers

ROUNDS = 3_000_000
KNOWN_OFF = {"pontoon-bb1-spl1-nlc": 0.05}
"""Percent by which a row is known to be off beside :data:`MAY_BE_OFF`."""
MAY_BE_OFF = 0.03
FEW = 3_000


def playing(numbers: GameNumbers) -> Played:
    return Player(numbers).block(20, 0, ROUNDS)


@pytest.mark.parametrize("stranger", strangers(), ids=lambda stranger: stranger.name)
def test_a_published_edge_comes_out(stranger: Stranger) -> None:
    on = replace(stranger, penetration=stranger.penetration or 1)  # so that it is played
    rows = list(compared(on, playing))
    assert [row.decks for row in rows] == list(stranger.decks)
    for row in rows:
        off = MAY_BE_OFF + KNOWN_OFF.get(stranger.name, 0.0)
        assert row.error < 0.08
        assert abs(row.difference) < 4 * row.error + off


def test_spanish_21_is_met_exactly() -> None:
    stranger = next(stranger for stranger in strangers() if stranger.name == "spanish-21-s17")
    value = exactly(stranger, 8, 5e-5)
    assert abs(-100 * value.total - 0.38) < WITHIN + 400 * value.error


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
    stranger = next(stranger for stranger in strangers() if stranger.name == name)
    game = game_of(stranger, stranger.decks[0])
    other = game._replace(values=game.values._replace(**{field: value}))
    played = Player(game).block(1, 0, FEW).tally
    assert Player(other).block(1, 0, FEW).tally != played
    assert Player(game, compile_it=False).block(1, 0, FEW).tally == played


@pytest.mark.parametrize("document", list(rule_files()))
def test_no_document_of_ours_is_played_otherwise(document: str) -> None:
    policy = good_play(strangers()[0], 8)._replace(doubles_again=lambda *_: False)
    game = numbers_of(Game(load_rules(document), 8, policy))
    assert game.values[-5:] == (0, (1 << 21) - 1, 0, 0, 0)
    unused = game._replace(values=game.values._replace(redoubles=3))
    assert Player(unused).block(1, 0, FEW).tally == Player(game).block(1, 0, FEW).tally


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
