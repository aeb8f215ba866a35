"""The pages, written and compared; what is no key of a rule file carries its clauses as a key."""

from __future__ import annotations

import pytest

from controller.files.rules import rule_files
from pages.generated import ROOT
from pages.sources import Listed, document_files, read_clauses, read_source
from tests.pages.clauses.conftest import CLAUSES, ROUNDS, Project

PAGE = """\
## 2. Play

| clause | in short | carried by | shown by |
| --- | --- | --- | --- |
| 2.1 | Below 12 one must draw. | `stand.minimum = 12` | `tests/test_play.py::test_below_12` |
| 2.2 | Players behave. | not the controller's concern: conduct at the table | |

## 3. What goes wrong

| clause | in short | carried by | shown by |
| --- | --- | --- | --- |
| 3 | What is done about it. | through 3.1, 3.2, 3.3 | |
| 3.1 | A void round gives its wagers back. | decision `void` | “a void round” |
| 3.2 | A card face up is used. | case `face-up` (before): use or discard, by table | “face up” |
| 3.3 | Or the wager is taken back. | case `face-up` (before), then options: return<br>with 3.2 | |
"""

INDEX = """\
| document | clauses | carried | not the controller's concern | gaps |
| --- | --- | --- | --- | --- |
| [House Pontoon](house.md) | 6 | 5 | 1 | 0 |
"""

DEFAULT = "| A-01 | Twelve is enough. | house | house: `stand.minimum = 12` | “a void round” |\n"


def test_what_is_written(project: Project) -> None:
    pages = project.made().pages
    assert pages["clauses/house.md"].endswith(PAGE)
    assert "| 3 to 3.3 | [3. What goes wrong](#3-what-goes-wrong) |" in pages["clauses/house.md"]
    assert INDEX in pages["clauses/README.md"]
    assert pages["clauses/README.md"].endswith(DEFAULT)


def test_clauses_without_a_number_have_a_chapter_of_their_own(project: Project) -> None:
    more = '\n[[clauses]]\nnumber = "Appendix A"\ntext = "A picture."\nreason = "printed"\n'
    project.write("config/clauses/house.toml", CLAUSES + more)
    assert "\n## Appendix\n\n| clause |" in project.made().pages["clauses/house.md"]


def test_many_rounds_are_counted(project: Project) -> None:
    titled = [{**ROUNDS[0], "script": {"title": f"void {n}", "rules": "house"}} for n in range(5)]
    project.rounds([*titled, ROUNDS[1]])
    page = project.made().pages["clauses/house.md"]
    assert "“void 0”<br>“void 1”<br>“void 2”<br>and 2 more rounds |" in page


def test_a_gap_is_written_and_told(project: Project) -> None:
    project.rounds(ROUNDS[1:])
    made = project.made()
    assert "**Gap**: is carried, but no test shows it" in made.pages["clauses/house.md"]
    assert "house: 3.1 is carried, but no test shows it" in made.complaints


def test_the_lists_of_the_project_can_be_used() -> None:
    files = document_files(ROOT / "config/clauses")
    documents = {name: read_clauses(path) for name, path in files.items()}
    assert set(documents) == set(rule_files())
    for default in read_source(Listed, ROOT / "config/clauses/defaults.toml").defaults:
        assert set(default.documents) <= set(documents)


LIST = "config/clauses/constants.toml"
HOUSE = "config/clauses/house.toml"
CONSTANT = """\
[[constants]]
name = "deal.cards"
text = "The dealer has one card."
carried_by = ["controller.rules"]

[constants.clauses]
house = "3.9; A-01"
"""
CLAUSE = """
[[clauses]]
number = "3.9"
text = "One card for the dealer."
"""
ROUND = {"script": {"title": "one", "rules": "house"}, "expect": {}, "clauses": ["3.1", "3.9"]}


@pytest.fixture
def accounted(project: Project) -> Project:
    """The project with a constant, its clause, module and round."""
    project.write("controller/rules/__init__.py", "")
    project.write(HOUSE, CLAUSES + CLAUSE)
    project.rounds([*ROUNDS, ROUND])
    project.write(LIST, CONSTANT)
    return project


def test_it_carries_its_clauses(accounted: Project) -> None:
    made = accounted.made()
    assert made.complaints == []
    always = "always (`controller.rules`): The dealer has one card."
    assert f"| 3.9 | One card for the dealer. | {always} |" in made.pages["clauses/house.md"]
    assert always in made.pages["clauses/README.md"]


def test_without_it_nothing_does(accounted: Project) -> None:
    accounted.write(LIST, "")
    said = "house: 3.9 is shown by a test, but nothing of the controller is named that carries it"
    assert said in accounted.complaints


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("controller.rules", "controller.gone", "deal.cards: there is no module controller.gone"),
        ("house =", "nobody =", "deal.cards is about nobody, of which config/clauses has no list"),
        ("3.9", "3.10", "house: always (`controller.rules`): The dealer has one card. cites 3.10"),
    ],
)
def test_what_is_not_there_is_said(accounted: Project, old: str, new: str, said: str) -> None:
    accounted.replace(LIST, old, new)
    assert any(line.startswith(said) for line in accounted.complaints), accounted.complaints
