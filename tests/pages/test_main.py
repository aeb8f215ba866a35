"""Documents made from the code are written and compared; what the pages of forms and rooms list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.files.rules import rule_files
from pages import __main__ as pages
from pages import forms, rooms
from pages.generated import ROOT
from pages.sources import SourceError

PAGE = "\n".join(forms.form_sections())


def test_every_form_has_one_heading_and_every_link_leads_to_one() -> None:
    headings = [line.lstrip("# ") for line in PAGE.splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings)) == len(forms.NAMED)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\(#([^)]+)\)", PAGE)) <= anchors


def test_what_a_docstring_calls_none_is_null_on_the_page() -> None:
    assert "None" not in PAGE
    assert "``" not in PAGE
    assert "| `until` | text or null |" in PAGE
    assert "| `stakes` | object of object of (text or null) |" in PAGE


def test_a_key_that_may_be_missing_stands_last_and_says_so() -> None:
    closed = PAGE.partition("### Closed\n")[2].partition("\n### ")[0]
    assert closed.strip().endswith("| `sha256` | text; may be left out |")
    status = PAGE.partition("## Status\n")[2].partition("\n### ")[0]
    assert "left out" not in status


def test_every_folder_of_the_controller_has_a_row_with_its_purpose() -> None:
    inner, outer = "\n".join(rooms.controller_rooms()), "\n".join(rooms.other_folders())
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", inner, re.MULTILINE))
    folders = {
        f"{file.parent.relative_to(ROOT / 'controller')}/"
        for file in (ROOT / "controller").glob("*/**/__init__.py")
    }
    assert {name for name in rows if name.endswith("/")} == folders
    assert all(len(what.split()) > 2 for what in rows.values())
    tops = [name.rstrip("/").removesuffix(".py") for name in rows if "/" not in name.rstrip("/")]
    assert tops == rooms.layers()
    assert "| `proof/torture/` |" in outer
    assert "``" not in inner + outer


def test_drift_is_told_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--docs", str(tmp_path), "states", "drawn", "wireshark/table-link.lua"]
    assert pages.main(["--check", *chosen]) == 1
    assert "states.md does not agree with the code: run python -m pages" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert pages.main(chosen) == 0
    assert pages.main(["--check", *chosen]) == 0
    assert sorted(path.stem for path in (tmp_path / "states").iterdir()) == sorted(rule_files())
    (tmp_path / "states/gone.md").touch()
    changed = tmp_path / "pictures/drawn-keypad.svg"
    changed.write_text(changed.read_text("utf-8").replace(">box 1<", ">box 8<"), "utf-8")
    assert pages.main(["--check", *chosen]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.rpartition("/")[2].split()[0] for line in told] == ["drawn-keypad.svg", "gone.md"]


def test_a_part_is_written_between_its_markers(tmp_path: Path) -> None:
    page = tmp_path / "models.md"
    page.write_text("Ours.\n<!-- claims: begin -->\n<!-- claims: end -->\nOurs.\n")
    chosen = ["--docs", str(tmp_path), "models.md"]
    assert pages.main(["--check", *chosen]) == 1
    assert pages.main(chosen) == 0
    text = page.read_text("utf-8")
    assert text.startswith("Ours.\n<!-- claims: begin -->\n| model | claim |")
    assert text.endswith("<!-- claims: end -->\nOurs.\n")
    assert pages.main(["--check", *chosen]) == 0


def test_what_sources_lack_fails_the_check_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(pages.FAULTS, "states", lambda: ["nobody shows it"])
    chosen = ["--docs", str(tmp_path), "states"]
    assert pages.main(chosen) == 0
    assert pages.main(["--check", *chosen]) == 1
    assert capsys.readouterr().err == "nobody shows it\n" * 2


def test_what_cannot_be_made_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> dict[str, str]:
        raise SourceError("house.toml: no list")

    monkeypatch.setitem(pages.SEVERAL, "states", fail)
    assert pages.main(["states"]) == 1
    assert capsys.readouterr().err == "house.toml: no list\n"
    with pytest.raises(SystemExit, match="2"):
        pages.main(["states.txt"])
