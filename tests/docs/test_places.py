"""The maintainer's page: every function that it names is in its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "maintainer.md").read_text("utf-8")
WAYS = {
    title: [line for line in section.splitlines() if re.match(r"\| \d+\w? \|", line)]
    for title, section in re.findall(r"(?ms)^## The way of (.+?)$(.+?)(?=^## )", PAGE)
}
PLACES = re.findall(r"`([\w/]+\.(?:py|js))`: `(\w+)`", PAGE)


def test_five_ways_are_told() -> None:
    assert len(WAYS) == 5
    assert min(map(len, WAYS.values())) > 8


@pytest.mark.parametrize("way", WAYS)
def test_every_step_names_its_place(way: str) -> None:
    named = re.compile(r"`[\w/]+\.(?:py|js)`: `\w+` \|$")
    assert [step for step in WAYS[way] if not named.search(step)] == []


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_the_function_is_there(file: str, name: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"\b(?:def|function|async) {name}\(", text)
