"""The cosignatures that are kept: read at the start, written beside the loop, one time after the
other (:mod:`controller.evidence.tree.cosignature`).

A medium that cannot be read or written costs neither a start nor play: what was lost the witnesses
say again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.daemon.outside import Outside
from controller.evidence.tree.cosignature import GoodCosignature, latest, read_kept, write_kept
from controller.files.media import MediumQuestion
from controller.upkeep.signing import ANSWERED_S

_log = logging.getLogger(__name__)


class Remembering:
    """Those in the file at ``path``, in the order of sizes in ``kept``."""

    def __init__(self, path: Path, outside: Outside, loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._outside = outside
        self._loop = loop
        self._writing = self._again = False
        self.kept: list[GoodCosignature] = []

    def load(self) -> None:
        """Read them, within the time that a start gives a medium."""
        try:
            self.kept = MediumQuestion(lambda: read_kept(self._path)).answer(ANSWERED_S)
        except OSError as error:
            why = cause_of(error, self._path, wants=READ)
            _log.warning("%s: %s; witnesses are asked anew", self._path, why)

    def add(self, new: GoodCosignature) -> None:
        """Keep one more."""
        self.kept = latest([*self.kept, new])
        self._again = True
        if not self._writing:
            self._write()

    def _write(self) -> None:
        kept, self._again, self._writing = self.kept, False, True
        self._outside.aside(
            self._loop,
            lambda: _write_error(self._path, kept),
            self._is_written,
            lambda error: str(cause_of(error, self._path)),
        )

    def _is_written(self, wrong: str) -> None:
        self._writing = False
        if wrong:
            _log.warning("cosignatures are not kept: %s", wrong)
        elif self._again:
            self._write()


def _write_error(path: Path, kept: Collection[GoodCosignature]) -> str:
    """In a thread: why they cannot be written, empty where they are."""
    try:
        write_kept(path, kept)
    except OSError as error:
        return f"{path}: {cause_of(error, path)}"
    return ""
