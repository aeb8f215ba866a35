"""A disk of which one call fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pytest_mock import MockerFixture


class FailingDisk:
    """Each sync, each hard link and each renaming is a call to it; the one that ``left`` comes
    down to 0 with fails with EIO, and those behind it are well."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.left = 0
        mocker.patch("os.fsync", self._failing(os.fsync))
        mocker.patch("os.link", self._failing(os.link))
        mocker.patch("pathlib.Path.replace", self._failing(Path.replace))

    def _failing(self, real: Any) -> Any:
        def call(*arguments: Any, **more: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                raise OSError(5, "Input/output error")
            return real(*arguments, **more)

        return call
