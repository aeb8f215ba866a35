"""Fixtures of the command line's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import Played, Tablectl


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tablectl:
    monkeypatch.delenv("TABLE_CONTROLLER_SOCKET", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    return Tablectl(capsys)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    played = Played()
    played.a_round()
    played.dealer("next")
    played.a_round()
    return played.write(tmp_path / "state")
