"""A journal and the place that it is archived to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journal.helpers import sample


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A state directory with a journal of ten entries, and an archive."""
    state, archive = tmp_path / "state", tmp_path / "archive"
    archive.mkdir()
    sample(state)
    return state, archive
