"""The glossary: every term stands once, and is where its row says."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"\| (?P<term>[^|]+) \| [^|]+ \| `(?P<file>[^`]+)`: `(?P<name>[^`]+)` \|")
LINES = [
    line
    for line in (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| term", "| ---"))
]


def test_every_term_stands_once() -> None:
    terms = Counter(term.lower() for line in LINES for term in line.split(" | ")[0][2:].split(", "))
    assert [term for term, times in terms.items() if times > 1] == []


@pytest.mark.parametrize("line", LINES)
def test_a_term_is_where_its_row_says(line: str) -> None:
    row = ROW.fullmatch(line)
    assert row, f"expected '| term | meaning | `file`: `name` |': {line}"
    text = (ROOT / row["file"]).read_text("utf-8")
    assert re.search(rf"\b{re.escape(row['name'])}\b", text), f"{row['file']}: no {row['name']}"
