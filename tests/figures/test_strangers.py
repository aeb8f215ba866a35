"""Published edges played here, and that what others' rules need leaves ours as they are; what is
read from their files, and what is said of faults."""

from __future__ import annotations

import signal
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.round.wagers import Limits
from controller.not_done import WRONG_USE
from controller.verbs import INTERRUPTED
from figures.edges.policies import policy_of
from figures.games.games import UNIT, Game, GameNumbers, Played, Player, numbers_of
from figures.kernel.values import values_of
from figures.program.main import main
from figures.report.reading import read_results
from figures.strangers import (
    FOLDER,
    Compared,
    StrangerError,
    compared,
    exactly,
    game_of,
    heading,
    line,
    read_stranger,
    strangers,
)

NAME = "pontoon-bb1-spl1-nlc"
ONE = "pontoon-spl2-spa1-d9"
FEW_ROUNDS = ["--rounds", "20000", "--seed", "1"]


def test_each_row_of_a_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strangers", NAME, *FEW_ROUNDS]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "by 20,000 hands" in told[0]
    end = "\n".join(told[-6:])
    assert f"table-figures strangers {NAME} --rounds 20000 --seed 1" in end
    assert "Version" in end
    assert [row.split("NLC")[1].split()[:2] for row in told[2:] if "NLC" in row] == [
        ["6", "0.41"],
        ["8", "0.38"],
    ]


def test_a_report_reads_its_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["strangers", ONE, *FEW_ROUNDS, "--json"]) == 0
    path = tmp_path / "strangers.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    (result,) = read_results([path])
    published = [row["published"] for row in result.told["strangers"]]
    assert published == pytest.approx([0.0062])
    assert ONE in result.told["origin"]["command"]


def test_ctrl_c_between_rows_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    monkeypatch.setattr("figures.strangers.line", lambda _: signal.raise_signal(signal.SIGINT))
    assert main(["strangers", NAME, *FEW_ROUNDS, "--resume", str(path)]) == INTERRUPTED
    told = capsys.readouterr()
    assert f"interrupted: 1 of 2 rows are done; go on with --resume {path}\n" in told.err
    assert "pontoon-bb1-spl1-nlc --rounds 20000" in told.out


def test_a_name_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strangers", "spanish"]) == WRONG_USE
    assert "spanish: expected some of pontoon-bb1-spl1-nlc, " in capsys.readouterr().err


def test_a_file_that_is_not_right_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "row.toml").write_text('title = "no more"\n', encoding="utf-8")
    monkeypatch.setattr("figures.strangers.FOLDER", tmp_path)
    assert main(["strangers"]) == WRONG_USE
    assert "row.toml: decks = None: expected a list" in capsys.readouterr().err


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
        ("hands_max", "hands_most", "split.hands_most is unknown: did you mean hands_max?"),
        (
            'value = "first_two"',
            'value = "always"',
            'double.cards = "always": expected one of first_two, any',
        ),
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
