"""What `make coverage` leaves out says why, where it stands."""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MEASURED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["coverage"][
    "run"
]["source"]
FILES = sorted(path for folder in MEASURED for path in (ROOT / folder).rglob("*.py"))

LEFT_OUT = re.compile(r"pragma:?\s*no\s*(cover|branch)", re.IGNORECASE)
WITH_REASON = re.compile(r"# pragma: no (cover|branch) - \w+ \w+")


def without_reason(source: str) -> list[str]:
    """The comments that leave something out and do not say why in two words or more."""
    return [
        f"line {token.start[0]}: {token.string}"
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
        if LEFT_OUT.search(token.string) and not WITH_REASON.match(token.string)
    ]


def test_everything_left_out_has_its_reason() -> None:
    found = {
        str(path.relative_to(ROOT)): complaints
        for path in FILES
        if (complaints := without_reason(path.read_text(encoding="utf-8")))
    }
    assert len(FILES) > 100
    assert found == {}


@pytest.mark.parametrize(
    ("line", "complaints"),
    [
        ("x = 1  # pragma: no cover", 1),
        ("x = 1  # pragma: no branch - because", 1),
        ("x = 1  # PRAGMA NO COVER - any case will do", 1),
        ("x = 1  # pragma: no cover - a closed port cannot be made here", 0),
        ("x = '# pragma: no cover'", 0),
    ],
)
def test_a_missing_reason_is_found(line: str, complaints: int) -> None:
    assert len(without_reason(line)) == complaints
