"""Decision records have one form and are short, and stand in the table of their folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
RECORDS = {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("[0-9]*.md"))}
SECTIONS = ["Question", "Options", "Decision", "What would change it"]
MOST_WORDS = 500
HEAD = re.compile(
    r"# (?P<number>\d{4}) \S.*\n\n"
    r"\*\*Status\*\*: (?P<status>accepted 20\d\d-\d\d-\d\d|superseded by (?P<successor>\d{4}))\n"
)
ROW = re.compile(r"\| \[(\d{4})\]\(([^)]+)\) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|")


def _head(name: str) -> re.Match[str]:
    head = HEAD.match(RECORDS[name])
    assert head, f"{name}: expected '# NNNN Title', an empty line, and its status"
    return head


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_its_four_sections_or_names_its_successor(name: str) -> None:
    head = _head(name)
    assert head["number"] == name[:4]
    assert len(RECORDS[name].split()) <= MOST_WORDS
    if head["successor"]:
        (successor,) = (other for other in RECORDS if other.startswith(f"{head['successor']}-"))
        assert f"({successor})" in RECORDS[name]
        return
    between, *sections = re.split(r"^## (.+)\n", RECORDS[name][head.end() :], flags=re.MULTILINE)
    assert not between.strip(), f"{name}: text before the first section"
    assert sections[::2] == SECTIONS
    assert all(text.strip() for text in sections[1::2]), f"{name}: an empty section"


def test_the_table_names_every_record_once_with_its_status() -> None:
    rows = ROW.findall((FOLDER / "README.md").read_text("utf-8"))
    assert [name for _, name, *_ in rows] == list(RECORDS)
    for number, name, _question, _decision, status in rows:
        head = _head(name)
        assert number == head["number"]
        assert status == (f"superseded by {head['successor']}" if head["successor"] else "accepted")
