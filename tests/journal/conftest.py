"""A journal and the place of its closed files."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.reader import ARCHIVE
from tests.journal.helpers import sample


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A state directory with a journal of ten entries, and the folder of closed files."""
    state = tmp_path / "state"
    sample(state)
    archive = state / ARCHIVE
    archive.mkdir()
    return state, archive
