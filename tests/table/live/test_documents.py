"""The dealers' page and the states, as the code has them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import controller.table
from controller.table import describe_keys, describe_states
from controller.table.generated import DOCS, between
from controller.table.machine import ARROWS, STATES


@pytest.mark.parametrize("generator", [describe_keys, describe_states])
def test_what_is_committed_is_what_the_code_says(generator: object) -> None:
    assert generator.main(["--check"]) == 0  # type: ignore[attr-defined]


def test_drift_is_told_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "states.md"
    assert describe_states.main(["--check", "--output", str(other)]) == 1
    assert "run python -m controller.table.describe_states" in capsys.readouterr().err
    assert not other.exists()
    assert describe_states.main(["--output", str(other)]) == 0
    assert describe_states.main(["--check", "--output", str(other)]) == 0


def test_a_page_without_markers_is_no_page() -> None:
    with pytest.raises(ValueError, match="no markers <!-- keys: begin -->"):
        between("text", "keys", [])


def test_every_arrow_is_in_the_diagram() -> None:
    text = describe_states.make()
    assert text.count(" --> ") == len(ARROWS) + 2  # the beginning and the end
    assert all(f'"{state}' in text for state in STATES)


def test_every_fault_is_explained_to_dealers() -> None:
    page = (DOCS / "dealer.md").read_text(encoding="utf-8")
    faults = {
        node.value
        for path in Path(controller.table.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith(("card-", "cards-", "device-", "power-", "shoe-re", "meter-"))
        and " " not in node.value
    }
    assert len(faults) > 10
    assert {fault for fault in faults if fault.replace("-", " ").upper() not in page} == set()
