"""A night whose disk or medium fails at any call: what is here stays, or is where it was taken."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.evidence.heads import beside
from controller.upkeep.night.night import Night
from tests.daemon.process import Place
from tests.upkeep.night.test_night import NOW, close

CALLS = (
    *("os.open", "os.fsync", "os.fchmod", "os.statvfs", "os.posix_fadvise"),
    *("pathlib.Path.unlink", "pathlib.Path.replace", "pathlib.Path.lstat"),
)


class Failing:
    """The call of number ``at`` fails, 0 for none; so many were ``made``."""

    def __init__(self, mocker: MockerFixture, number: int) -> None:
        self.at = self.made = 0
        self.number = number
        real = {"os": os, "pathlib.Path": Path}
        for call in CALLS:
            where, _, name = call.rpartition(".")
            mocker.patch(call, self._failing(getattr(real[where], name)))

    def _failing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            self.made += 1
            if self.made == self.at:
                raise OSError(self.number, os.strerror(self.number))
            return real(*given, **named)

        return call


def _after(days: int) -> datetime:
    return NOW + timedelta(days=days)


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_nothing_is_lost_whichever_call_fails(
    place: Place, medium: Path, mocker: MockerFixture, number: int
) -> None:
    file = close(place)
    content, heads = file.read_bytes(), beside(file).read_bytes()
    shutil.copytree(place.state, place.folder / "kept")
    config = load_configuration(place.configuration)
    failing, at = Failing(mocker, number), 0
    while True:
        at, failed = at + 1, False
        for day in (41, 60):
            report, wall = None, partial(_after, day)
            failing.at, failing.made = at, 0
            with contextlib.suppress(OSError):  # of the report itself
                report = Night(config, place.folder / "report.json", medium, wall).run()
            failed = failed or failing.made >= at
            failing.at = 0
            for here, what in ((file, content), (beside(file), heads)):
                there = medium / here.name
                assert here.exists() or there.read_bytes() == what, (at, day, here)
            assert report is None or file.exists() or file.name in report["removed"]
        if not failed:
            break
        shutil.rmtree(place.state)
        shutil.copytree(place.folder / "kept", place.state)
        for left in (*medium.iterdir(), *place.folder.glob("report.json*")):
            left.unlink()
    assert at > 20
    assert not file.exists()
