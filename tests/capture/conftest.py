"""The command line, as its own tests have it."""

from __future__ import annotations

import pytest

from tests.cli.support import Tablectl


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Tablectl:
    return Tablectl(capsys)
