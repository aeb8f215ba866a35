"""A check beside play that fails as nobody has foreseen."""

from __future__ import annotations

import threading
import time

import pytest

from controller.upkeep import stepping
from controller.upkeep.stepping import Stepping


class Failing(Stepping):
    """Fails once, as nobody has foreseen."""

    def __init__(self) -> None:
        super().__init__("failing")
        self.steps = self.rests = 0
        self.went_on = threading.Event()

    def step(self) -> float:
        self.steps += 1
        if self.steps == 1:
            raise KeyError("nobody thought of it")
        self.went_on.set()
        return 60.0

    def _rest(self) -> float:
        self.rests += 1
        return 60.0


def test_it_is_told_and_begun_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stepping, "AGAIN_S", 0.0)
    work = Failing()
    work.start()
    assert work.went_on.wait(20)
    work.end()
    work.join(time.monotonic() + 20)
    assert "failing failed; it is begun again" in caplog.text
    assert work.rests == 2
