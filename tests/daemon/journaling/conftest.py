"""What tests of closing begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from tests.daemon.journaling.aged import LONG_AGO, play_at, with_archive
from tests.daemon.process import Place


@pytest.fixture
def old(tmp_path: Path, mocker: MockerFixture) -> Place:
    """A table that was played at forty days ago, and closes its journal after thirty."""
    place = Place(tmp_path)
    with_archive(place, after_days=30)
    play_at(LONG_AGO, mocker, place)
    return place
