"""Which of the core's tests a change can break, the nearest first."""

from __future__ import annotations

import pytest

from tests.quick import CORE, nearest_first


@pytest.mark.parametrize(
    ("changed", "first"),
    [
        ("controller/table/sequence.py", "tests/table/test_sequence.py"),
        ("tests/draw/test_patterns.py", "tests/draw/test_patterns.py"),
        ("tests/evidence/conftest.py", "tests/evidence/"),
    ],
)
def test_the_nearest_come_first(changed: str, first: str) -> None:
    nearest = nearest_first([changed])
    assert nearest[0].startswith(first)
    assert all(path.startswith(CORE) for path in nearest)


def test_a_rule_file_can_break_each_and_a_page_none() -> None:
    assert len(nearest_first(["config/rules/rws-pontoon-plus-v5.toml"])) > 100
    assert nearest_first(["docs/dealer.md"]) == []
