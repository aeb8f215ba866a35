"""A table with an old journal, and a medium for closed ones."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import tablectl
from tests.daemon.journaling.aged import with_archive
from tests.daemon.process import Place
from tests.daemon.sealed import play

__all__ = ["tablectl"]

SHM: Final = Path("/dev/shm")  # another medium than a test's own folder is on, or the other way


@pytest.fixture
def medium(tmp_path: Path) -> Iterator[Path]:
    """A directory on another file system than the journal."""
    other = SHM if SHM.stat().st_dev != tmp_path.stat().st_dev else Path("/var/tmp")
    if other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.fail("no second file system to take anything to")
    made = Path(tempfile.mkdtemp(prefix="medium-", dir=other))
    yield made
    shutil.rmtree(made)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that was played at, and closes its journal after thirty days."""
    made = Place(tmp_path)
    with_archive(made, after_days=30, keep_days=7)
    play(made, "open", "wager 1 main 10", "undo", "undo")
    return made
