"""A row that nothing accounts for, or that names what is not there, fails the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.generated import ROOT
from pages.inspection import ID, complaints, read_rows
from pages.sources import SourceError

HEAD = '[families]\nRNG = "Random numbers"\n'
GOOD = """[RNG-01]
demand = "Outcomes come from the generator"
source = "somewhere 1.2"
carried_by = ["code/draw.py", "code.draw"]
tests = ["test_draw.py::test_it"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("config", "docs", "code"):
        (tmp_path / name).mkdir()
    (tmp_path / "code/draw.py").write_text("")
    (tmp_path / "test_draw.py").write_text("def test_it(): ...\n")
    return tmp_path


def _complaints(project: Path, text: str) -> list[str]:
    (project / "config/requirements.toml").write_text(HEAD + text)
    return list(complaints(read_rows(project), project))


def test_a_row_that_is_carried_and_shown_is_well(project: Path) -> None:
    assert _complaints(project, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("test_it", "test_that", "there is no test"),
        ("code/draw.py", "code/drawn.py", "there is no file code/drawn.py"),
        ("code.draw", "code.drawn", "there is no module code.drawn"),
        ('tests = ["test_draw.py::test_it"]', "", "wants what carries it and a test"),
        ("RNG-01", "RNG-02", "does not follow RNG-00"),
        ("RNG-01", "SEC-01", "of no family"),
    ],
)
def test_what_is_missing_is_said(project: Path, old: str, new: str, said: str) -> None:
    assert any(said in line for line in _complaints(project, GOOD.replace(old, new)))


@pytest.mark.parametrize(
    "text", ["[RNG]\n", "[RNG-01]\ndemand = 'x'\n", GOOD + "colour = 'red'\n", "[[[", "[RNG-01"]
)
def test_a_file_that_cannot_be_used_is_said(project: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"requirements\.toml"):
        _complaints(project, text)


def test_all_rows_of_the_checklist_are_there() -> None:
    rows = read_rows(ROOT).rows
    assert len(rows) == 84
    assert all(map(ID.fullmatch, rows))
