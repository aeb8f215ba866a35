"""The matrix's defaults: those listed are cited, those cited are listed."""

from __future__ import annotations

from tests.pages.clauses.project import CLAUSES, DEFAULTS, Project

LIST = "config/clauses/defaults.toml"
RULE_FILE = "config/rules/house.toml"


def _more(**keys: str) -> str:
    lines = ["", "[[defaults]]", 'id = "A-02b"', 'text = "More."', 'others = ""', 'money = ""']
    return DEFAULTS + "\n".join([*lines, *(f"{key} = {value}" for key, value in keys.items()), ""])


def test_cited_by_no_rule_file(project: Project) -> None:
    project.write(LIST, _more(documents='["house"]'))
    assert project.complaints == ["A-02b is cited by no rule file"]


def test_a_reason_to_be_cited_nowhere(project: Project) -> None:
    project.write(LIST, _more(documents='["house"]', reason='"nothing follows from it"'))
    assert project.complaints == []
    project.replace(RULE_FILE, "A-01", "A-01; A-02b")
    assert project.complaints == ["A-02b has a reason to be cited nowhere, and is: delete it"]


def test_one_about_a_document_without_a_rule_file_is_not_due(project: Project) -> None:
    project.write("config/clauses/later.toml", CLAUSES)
    project.write(LIST, _more(documents='["later"]'))
    assert project.complaints == []


def test_one_about_a_document_that_nobody_knows(project: Project) -> None:
    project.write(LIST, _more(documents='["nobody"]'))
    assert project.complaints == ["A-02b is about nobody, of which config/clauses has no list"]


def test_cited_and_not_listed(project: Project) -> None:
    project.replace(RULE_FILE, "A-01", "A-01; A-99")
    assert project.complaints == [
        "house: `stand.minimum = 12` cites A-99, which the list of defaults has not"
    ]
