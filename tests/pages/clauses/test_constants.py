"""What is no key of a rule file carries its clauses as a key does."""

from __future__ import annotations

import pytest

from tests.pages.clauses.project import Project

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
    project.write(HOUSE, (project.root / HOUSE).read_text(encoding="utf-8") + CLAUSE)
    lines = (project.root / "tests/rounds/house.jsonl").read_text(encoding="utf-8")
    project.rounds([ROUND])
    added = (project.root / "tests/rounds/house.jsonl").read_text(encoding="utf-8")
    project.write("tests/rounds/house.jsonl", lines + added)
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
