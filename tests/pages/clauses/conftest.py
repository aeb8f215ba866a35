"""A project of a few lines: one rule document with its clauses, rule file and rounds."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from pages.clauses import ClausePages, make_pages

RULES = """\
[document]
id = "house"
title = "House Pontoon"
version = "Version 1"

[stand]
minimum = { value = 12, clause = "2.1; A-01" }

[settled_by]
"void" = "3.1"

[[irregularities]]
trigger = "face-up"
when = ["before"]
remedies = ["use", "discard"]
by = "table"
clause = "3.2"
options = ["return"]
options_clause = "3.3"
"""

CLAUSES = """\
[sections]
"2" = "Play"
"3" = "What goes wrong"
"" = "Appendix"

[[clauses]]
number = "2.1"
text = "Below 12 one must draw."
tests = ["tests/test_play.py::test_below_12"]

[[clauses]]
number = "2.2"
text = "Players behave."
reason = "conduct at the table"

[[clauses]]
number = "3"
text = "What is done about it."
heading = true

[[clauses]]
number = "3.1"
text = "A void round gives its wagers back."

[[clauses]]
number = "3.2"
text = "A card face up is used."

[[clauses]]
number = "3.3"
text = "Or the wager is taken back."
covered_by = ["3.2"]
"""

DEFAULTS = """\
[[defaults]]
id = "A-01"
text = "Twelve is enough."
others = "Seventeen is."
money = "The house gains."
documents = ["house"]
"""

ROUNDS: list[dict[str, Any]] = [
    {
        "script": {"title": "a void round", "rules": "house"},
        "expect": {"settlements": [{"clause": "3.1; A-01"}]},
    },
    {
        "script": {"title": "face up", "rules": "house"},
        "expect": {},
        "clauses": ["3.2"],
    },
]


class Project:
    """The files, as they may be written over one by one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("config/rules/house.toml", RULES)
        self.write("config/clauses/house.toml", CLAUSES)
        self.write("config/clauses/defaults.toml", DEFAULTS)
        self.write("config/clauses/constants.toml", "")
        self.write("tests/test_play.py", "def test_below_12() -> None: ...\n")
        self.rounds(ROUNDS)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def rounds(self, lines: list[dict[str, Any]]) -> None:
        self.write("tests/rounds/house.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def made(self) -> ClausePages:
        return make_pages(self.root)

    @property
    def complaints(self) -> list[str]:
        return self.made().complaints


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
