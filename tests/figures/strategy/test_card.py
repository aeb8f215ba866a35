"""The table to print, in its forms, and the command that makes it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from controller import __version__
from controller.files.rules import rule_files, rules_digest
from figures.program.main import main
from figures.strategy.charts import chart_of
from figures.strategy.solving import DocumentStrategy, strategy_of
from tests.figures.strategy.support import DOCUMENTS, changed

pytestmark = pytest.mark.needs("numba")
RULES = rule_files()[DOCUMENTS[0]]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> DocumentStrategy:
    return strategy_of(changed("pontoon-five-card-trick"), 4, error=1e-3)


def test_a_chart_has_a_row_for_each_hand_and_says_what_is_bought(found: DocumentStrategy) -> None:
    chart = chart_of(found)
    hands = [f"{row.kind} {row.name}" for row in chart.rows]
    assert len(set(hands)) == len(hands)
    assert {"hard 5", "hard 20", "soft 13", "soft 20", "pair 2", "pair 10", "pair A"} <= {*hands}
    assert all(len(row.cells) == 10 for row in chart.rows)
    cells = {f"{row.kind} {row.name}": [str(cell) for cell in row.cells] for row in chart.rows}
    assert set(cells["hard 20"]) == {"S"}
    assert cells["pair A"][4] == "P"
    assert cells["hard 11"][0].startswith("B")
    assert not chart.withdraws  # nothing is doubled, so nothing is withdrawn


def test_the_card_is_black_and_grey_on_one_page_and_complete(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "card.svg"
    command = ["strategy", "division-15-pontoon", "--decks", "4", "--error", "0.001", "--seed", "3"]
    assert main([*command, "--svg", str(picture)]) == 0
    printed = capsys.readouterr()
    text = printed.out
    assert "seed 3\n" in printed.err
    svg = picture.read_text(encoding="utf-8")
    drawn = list(ET.fromstring(svg).iter(f"{SVG}text"))
    width, height = (float(ET.fromstring(svg).attrib[name]) for name in ("width", "height"))
    assert height / width < 297 / 210
    for colour in re.findall(r"#(\w+)", svg):
        parts = colour if len(colour) == 3 else re.findall("..", colour)
        assert len(set(parts)) == 1, colour
    assert "@font-face" not in svg
    assert "url(" not in svg
    said = ["".join(part.itertext()) for part in drawn]
    assert said[0] == "Division 15 - Pontoon, 4 decks"
    for line in ("Command", "Seed", "Version", "Rule file, SHA-256"):
        assert line in text
    foot = " ".join(said[-3:])
    digest = rules_digest("division-15-pontoon")
    assert f"Seed 3, version {__version__}, rules {digest[:16]}" in foot
    assert "table-figures strategy division-15-pontoon --decks 4 --seed 3 --error 0.001" in foot
    lines = [line.split() for line in text.splitlines()]
    rows = [words[2:] for words in lines if words[:1] in (["hard"], ["soft"], ["pair"])]
    assert all(cell in said for row in rows for cell in row)
    assert sum(words[:3] == ["withdraw", "up", "to"] for words in lines) == 1
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["origin"]["command"].startswith("table-figures strategy division-15-pontoon")
    assert [row["cells"] for row in told["rows"]] == rows


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nowhere.toml"], "nowhere.toml"),
        ([DOCUMENTS[0], "--decks", "2"], "--decks 2: expected 4 to 8"),
        ([str(RULES), "--svg", str(RULES)], f"{RULES}: it is the rule file"),
        ([DOCUMENTS[0], "--svg", "/nowhere/card.svg", "--error", "0.01"], "/nowhere/card.svg"),
    ],
)
def test_what_cannot_be_is_told(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strategy", *options]) in (1, 2)
    assert said in capsys.readouterr().err
