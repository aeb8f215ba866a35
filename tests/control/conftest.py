"""Where the control socket of a test is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.control.support import open_to_all


@pytest.fixture
def path() -> Iterator[Path]:
    """A socket's path that every user can come to."""
    with open_to_all() as path:
        yield path
