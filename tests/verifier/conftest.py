"""An export as the controller makes it, and copies of it to be altered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.journal.keys import ControllerKey
from tests.verifier.support import Case, made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return made(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def case(whole: Case, tmp_path: Path) -> Case:
    """A copy that may be altered."""
    copy = tmp_path / "case"
    shutil.copytree(whole.folder, copy)
    return Case(copy, ControllerKey(copy / "key"))
