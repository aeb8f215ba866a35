"""The pages, written and compared."""

from __future__ import annotations

import pytest

from controller.files.rules import rule_files
from pages.clauses.describe import main
from pages.clauses.sources import document_files, read_clauses, read_defaults
from pages.generated import ROOT
from tests.pages.clauses.project import CLAUSES, ROUNDS, Project

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


def _run(project: Project, *arguments: str) -> int:
    return main(["--root", str(project.root), *arguments])


def test_what_is_written(project: Project) -> None:
    pages = project.made().pages
    assert pages["house.md"].endswith(PAGE)
    assert INDEX in pages["README.md"]
    assert pages["README.md"].endswith(DEFAULT)


def test_clauses_without_a_number_have_a_chapter_of_their_own(project: Project) -> None:
    more = '\n[[clauses]]\nnumber = "Appendix A"\ntext = "A picture."\nreason = "printed"\n'
    project.write("config/clauses/house.toml", CLAUSES + more)
    assert "\n## Appendix\n\n| clause |" in project.made().pages["house.md"]


def test_many_rounds_are_counted(project: Project) -> None:
    titled = [
        {**ROUNDS[0], "script": {"title": f"void {number}", "rules": "house"}}
        for number in range(5)
    ]
    project.rounds([*titled, ROUNDS[1]])
    assert (
        "“void 0”<br>“void 1”<br>“void 2”<br>and 2 more rounds |"
        in (project.made().pages["house.md"])
    )


def test_a_gap_is_written_and_fails_the_check(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.rounds(ROUNDS[1:])
    assert _run(project) == 0
    assert "**Gap**: is carried, but no test shows it" in (
        project.root / "docs/clauses/house.md"
    ).read_text(encoding="utf-8")
    assert _run(project, "--check") == 1
    assert "house: 3.1 is carried, but no test shows it" in capsys.readouterr().err


def test_drift_is_told_and_mended(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(project, "--check") == 1
    assert "run python -m pages.clauses.describe" in capsys.readouterr().err
    assert not (project.root / "docs").exists()
    assert _run(project) == 0
    assert _run(project, "--check") == 0
    project.write("docs/clauses/gone.md", "")
    assert _run(project, "--check") == 1
    assert "gone.md is of no document: delete it" in capsys.readouterr().err


def test_lists_that_cannot_be_used_are_told(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("config/clauses/house.toml", "[[clauses")
    assert _run(project) == 1
    assert "house.toml: " in capsys.readouterr().err


def test_the_lists_of_the_project_can_be_used() -> None:
    files = document_files(ROOT / "config/clauses")
    documents = {name: read_clauses(path) for name, path in files.items()}
    assert set(documents) == set(rule_files())
    for default in read_defaults(ROOT / "config/clauses/defaults.toml"):
        assert set(default.documents) <= set(documents)
