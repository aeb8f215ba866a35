"""The file that node_exporter's textfile collector reads.

It is written beside itself and renamed, so that nobody reads half of one. It goes when the exporter
ends: what it said would look like now.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest

from controller.regular_files import open_regular

BAD_PLACE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
"""What no later try would mend."""


class TextFile:
    """The metrics of ``registry`` in ``path``."""

    def __init__(self, path: Path, registry: CollectorRegistry) -> None:
        self.path = path
        self._beside = path.with_name(f"{path.name}.new")
        self._registry = registry

    def write(self) -> None:
        """Write it anew.

        Raises:
            OSError: it could not be written; the one before stays.
        """
        data = generate_latest(self._registry)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            with os.fdopen(open_regular(self._beside, flags, 0o644), "wb") as file:
                os.fchmod(file.fileno(), 0o644)
                file.write(data)
            self._beside.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                self._beside.unlink()
            raise

    def remove(self) -> None:
        """Take it away; harmless when there is none."""
        for path in (self.path, self._beside):
            with contextlib.suppress(OSError):
                path.unlink()
