"""Which clauses and defaults are accounted for, and what is complained about: defaults that are
listed are cited, and those cited are listed."""

from __future__ import annotations

import pytest

from pages.sources import SourceError
from tests.pages.clauses.conftest import CLAUSES, DEFAULTS, ROUNDS, RULES, Project

HOUSE = "config/clauses/house.toml"
RULE_FILE = "config/rules/house.toml"
DEFAULT_LIST = "config/clauses/defaults.toml"


def test_all_accounted_for(project: Project) -> None:
    assert project.complaints == []


def test_a_carrier_without_a_test_is_a_gap_and_so_is_what_waits_for_it(project: Project) -> None:
    project.rounds(ROUNDS[:1])
    assert project.complaints == [
        "house: 3 waits for 3.2, 3.3",
        "house: 3.2 is carried, but no test shows it",
        "house: 3.3 waits for 3.2",
    ]


@pytest.mark.parametrize(
    "other",
    [{"missing": "void"}, {"script": {"title": "a void round", "rules": "elsewhere.toml"}}],
    ids=["not played yet", "of another document"],
)
def test_some_rounds_show_nothing(project: Project, other: dict[str, object]) -> None:
    project.rounds([{**ROUNDS[0], **other}, ROUNDS[1]])
    assert "house: 3.1 is carried, but no test shows it" in project.complaints


@pytest.mark.parametrize(
    "line",
    [
        {"error": {"status": 3, "step": 0, "clause": "3.1"}},
        {"error": {"status": 2, "about": "3.1"}},
        {"expect": {"irregularities": [{"steps": [{"clause": "3.1"}]}]}},
        {"expect": {}, "clauses": ["A-01; 3.1"]},
    ],
)
def test_refusals_faults_and_notes_show_their_clause_too(
    project: Project, line: dict[str, object]
) -> None:
    project.rounds([{"script": ROUNDS[0]["script"], **line}, ROUNDS[1]])
    assert project.complaints == []


def clause(number: str, more: str = "") -> str:
    return f'\n[[clauses]]\nnumber = "{number}"\ntext = "More."\n{more}'


def default(**keys: str) -> str:
    lines = ["", "[[defaults]]", 'id = "A-02b"', 'text = "More."', 'others = ""', 'money = ""']
    return DEFAULTS + "\n".join([*lines, *(f"{key} = {value}" for key, value in keys.items()), ""])


NO_CARRIER = "is shown by a test, but nothing of the controller is named that carries it"


@pytest.mark.parametrize(
    ("file", "text", "rounds", "complaints"),
    [
        (HOUSE, CLAUSES + clause("4.1"), [], ["house: 4.1 has neither carrier nor reason"]),
        (HOUSE, CLAUSES + clause("4.1"), ["4.1"], [f"house: 4.1 {NO_CARRIER}"]),
        (
            HOUSE,
            CLAUSES
            + clause("4.1", 'covered_by = ["4.2"]\n')
            + clause("4.2", 'covered_by = ["4.1"]\n'),
            [],
            ["house: 4.1 waits for 4.2", "house: 4.2 waits for 4.1"],
        ),
        (
            DEFAULT_LIST,
            default(documents='["house"]'),
            [],
            ["A-02b is cited by no rule file"],
        ),
        (
            DEFAULT_LIST,
            default(documents='["nobody"]'),
            [],
            ["A-02b is about nobody, of which config/clauses has no list"],
        ),
        (
            RULE_FILE,
            RULES.replace("A-01", "A-01; A-99"),
            [],
            ["house: `stand.minimum = 12` cites A-99, which the list of defaults has not"],
        ),
        ("config/rules/new.toml", RULES, [], ["new: config/clauses has no list of its clauses"]),
    ],
    ids=["neither", "no carrier", "each other", "not cited", "nobody", "not listed", "no clauses"],
)
def test_what_is_not_accounted_for_is_said(
    project: Project, file: str, text: str, rounds: list[str], complaints: list[str]
) -> None:
    project.write(file, text)
    if rounds:
        project.rounds([*ROUNDS, {**ROUNDS[1], "clauses": rounds}])
    assert project.complaints == complaints


def test_what_carries_the_whole_carries_the_part_but_does_not_show_it(project: Project) -> None:
    project.write(HOUSE, CLAUSES + '\n[[clauses]]\nnumber = "3.1(a)"\ntext = "At once."\n')
    assert project.complaints == ["house: 3.1(a) is carried, but no test shows it"]
    project.rounds([*ROUNDS, {**ROUNDS[1], "clauses": ["3.1(a)"]}])
    assert project.complaints == []
    assert "as part of 3.1: decision `void`" in project.made().pages["clauses/house.md"]


def test_a_citation_of_a_clause_that_is_not_there(project: Project) -> None:
    project.replace(RULE_FILE, '"void" = "3.1"', '"void" = "3.1; 9.9; matrix 3.5"')
    project.rounds([*ROUNDS, {**ROUNDS[1], "clauses": ["8.8"]}])
    assert [
        complaint.removesuffix(", which the document does not have")
        for complaint in project.complaints
    ] == [
        "house: decision `void` cites 9.9",
        "house: the round 'face up' in house.jsonl cites 8.8",
    ]


def test_a_reason_that_the_rule_file_contradicts(project: Project) -> None:
    project.replace(RULE_FILE, '"2.1; A-01"', '"2.1; 2.2; A-01"')
    (complaint,) = project.complaints
    assert complaint == (
        "house: 2.2 is said to be no concern of the controller, but `stand.minimum = 12` cites it: "
        "delete the reason"
    )


@pytest.mark.parametrize(
    "node",
    [
        "tests/test_play.py",
        "tests/test_play.py::test_nothing",
        "tests/test_play.py::test_below_12[1]",
        "tests/test_nothing.py::test_below_12",
        "config/rules/house.toml::test_below_12",
    ],
)
def test_a_test_that_is_not_there(project: Project, node: str) -> None:
    project.replace(HOUSE, "tests/test_play.py::test_below_12", node)
    assert project.complaints == [f"house: 2.1: there is no test {node}"]


def test_tests_of_classes_and_modules(project: Project) -> None:
    project.write("tests/test_more.py", "class TestMore:\n    def test_it(self): ...\n")
    project.write("controller/play.py", "")
    more = """
    [[clauses]]
    number = "4.1"
    text = "More."
    carried_by = ["controller.play"]
    tests = ["tests/test_more.py::TestMore::test_it"]
    """
    project.write(HOUSE, CLAUSES + more.replace("\n    ", "\n"))
    assert project.complaints == []
    project.replace(HOUSE, "controller.play", "controller.plays")
    assert project.complaints == ["house: 4.1: there is no module controller.plays"]


def test_a_document_without_a_rule_file_has_no_page_yet(project: Project) -> None:
    project.write("config/clauses/later.toml", CLAUSES)
    assert set(project.made().pages) == {"clauses/README.md", "clauses/house.md"}
    assert project.complaints == []


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('[[clauses]]\nnumber = "2.1"\ntext = "Again."', "2.1 stands twice"),
        ('[[clauses]]\nnumber = "4.1"', r"clauses\[6\]\.text is missing"),
        ('[[clauses]]\nnumber = "4.1"\ntext = "?"\nwhy = "?"', r"clauses\[6\]\.why is unknown"),
        (
            '[[clauses]]\nnumber = "4.1"\ntext = "?"\ncovered_by = ["5.1"]',
            "covered_by 5.1, which it cannot",
        ),
        (
            '[[clauses]]\nnumber = "4.1"\ntext = "?"\ncovered_by = ["4.1"]',
            "covered_by 4.1, which it cannot",
        ),
        ('[[clauses]]\nnumber = "4.1"\ntext = "?"\nheading = true\nreason = "?"', "only one of"),
        ("[[clauses", "Expected"),
    ],
)
def test_lists_that_cannot_be_used(project: Project, more: str, fault: str) -> None:
    project.write(HOUSE, CLAUSES + "\n" + more)
    with pytest.raises(SourceError, match=fault) as error:
        project.made()
    assert HOUSE in str(error.value)


def test_a_reason_to_be_cited_nowhere(project: Project) -> None:
    project.write(DEFAULT_LIST, default(documents='["house"]', reason='"nothing follows from it"'))
    assert project.complaints == []
    project.replace(RULE_FILE, "A-01", "A-01; A-02b")
    assert project.complaints == ["A-02b has a reason to be cited nowhere, and is: delete it"]


def test_one_about_a_document_without_a_rule_file_is_not_due(project: Project) -> None:
    project.write("config/clauses/later.toml", CLAUSES)
    project.write(DEFAULT_LIST, default(documents='["later"]'))
    assert project.complaints == []
