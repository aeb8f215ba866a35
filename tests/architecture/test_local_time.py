"""Local time is read in one place: nothing else takes it from the C library, which calls a zone
that it does not find UTC."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("console", "controller", "drivers", "exporter", "floor", "web")
THE_PLACE = "controller/local_time.py"

GIVEN_A_ZONE = {"astimezone": 1, "now": 1, "fromtimestamp": 2}
"""How many arguments they have that are given one; else they take the C library's."""
ALWAYS = frozenset({"localtime", "mktime", "ctime", "asctime", "tzset", "today", "ZoneInfo"})


def local(source: str) -> Iterator[int]:
    """The lines in which local time is read, or a zone by its name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            of, given = node.func, len(node.args) + len(node.keywords)
            name = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
            is_time = "datetime" in ast.unparse(of) or name == "astimezone"
            if name in ALWAYS or (is_time and given < GIVEN_A_ZONE.get(name, 0)):
                yield node.lineno


def test_nobody_else_reads_local_time() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if str(path.relative_to(ROOT)) != THE_PLACE
        for line in local(path.read_text(encoding="utf-8"))
    ]
    assert found == [], "use controller.local_time"


@pytest.mark.parametrize(
    "source",
    [
        "moment.astimezone()",
        "datetime.now()",
        "datetime.fromtimestamp(1)",
        "date.today()",
        "time.localtime()",
        "time.tzset()",
        "ZoneInfo('Asia/Singapore')",
    ],
)
def test_each_way_is_seen(source: str) -> None:
    assert list(local(source)) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "moment.astimezone(zone)",
        "datetime.now(UTC)",
        "datetime.fromtimestamp(1, UTC)",
        "datetime.fromtimestamp(1, tz=UTC)",
        "clock.now()",
    ],
)
def test_what_names_its_zone_is_none(source: str) -> None:
    assert list(local(source)) == []
