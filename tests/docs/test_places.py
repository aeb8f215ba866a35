"""The maintainer's page: every function that it names is in its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "maintainer.md").read_text("utf-8")
SECTION = PAGE.partition("## The way of a card")[2].partition("\n## ")[0]
PLACES = re.findall(r"`([\w/]+\.py)`: `(\w+)`", PAGE)


def test_every_step_names_its_place() -> None:
    steps = [line for line in SECTION.splitlines() if re.match(r"\| \d+\w? \|", line)]
    assert len(steps) > 10
    assert [step for step in steps if not re.search(r"`[\w/]+\.py`: `\w+` \|$", step)] == []


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_the_function_is_there(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text("utf-8")
