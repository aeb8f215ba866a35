"""The logs that the house knows: the folder of its tables' keys, read again when it changes.

The rules:

- It is looked at when somebody asks, every :data:`EVERY_S` at most: names, times and sizes of its
  files. Only when these have changed are they read.
- A file with a fault changes nothing: what was known of its table stays known, and the fault is
  logged once. The same of the folder as a whole, where it cannot be read or no file of it is well.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.configuration.tables import BadConfiguration
from controller.evidence.tree.checkpoint import LOG_KEY, key_id
from floor.protocol.notes import NoteKey
from floor.tables import SUFFIX, KnownLog, KnownTables, read_tables

EVERY_S: Final = 2.0

_log = logging.getLogger(__name__)


class KnownLogs:
    """The logs of that folder; ``now`` gives monotonic seconds.

    Raises:
        BadConfiguration: it cannot be read, or no file of it is well, at first.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._now = now
        self._looked_at = now()
        self._seen = _file_marks(folder)
        self._logs: Mapping[str, KnownLog] = {}
        self._take_tables(read_tables(folder))

    def get(self, origin: str) -> KnownLog | None:
        """The log of that origin; None where it is not known."""
        return self.all().get(origin)

    def origin_of(self, digest: str) -> str | None:
        """The origin whose SHA-256 that is, in hexadecimal; None where it is not known."""
        self.all()
        return self._origins.get(digest)

    def all(self) -> Mapping[str, KnownLog]:
        """All of them, by origin."""
        if self._now() - self._looked_at >= EVERY_S:
            self._looked_at = self._now()
            self._follow_folder()
        return self._logs

    def _take_tables(self, found: KnownTables) -> None:
        for one in found.bad:
            _log.error("%s/%s; what was known of the table stays", self._folder, one.fault)
        bad = {one.table for one in found.bad}
        kept = {origin: log for origin, log in self._logs.items() if log.table in bad}
        self._logs = {**kept, **found.logs}
        origins = {hashlib.sha256(origin.encode()).hexdigest(): origin for origin in self._logs}
        self._origins = origins

    def _follow_folder(self) -> None:
        seen = _file_marks(self._folder)
        if seen == self._seen:
            return
        self._seen = seen
        try:
            self._take_tables(read_tables(self._folder))
        except BadConfiguration as error:
            _log.error("%s; the tables stay as they were", error)
        else:
            _log.info("%s: %d logs are known", self._folder, len(self._logs))


def key_of(log: KnownLog) -> NoteKey:
    """The log's key, as signatures name it."""
    return NoteKey(log.origin, key_id(log.origin, LOG_KEY, log.key.raw), log.key)


def _file_marks(folder: Path) -> frozenset[tuple[str, int, int, int]] | None:
    """What tells that a file of the folder is another one; None where it cannot be looked at."""
    try:
        with os.scandir(folder) as found:
            # Of a link itself, which is not read: one that leads nowhere would hide the others.
            marks = [
                (one.name, one.stat(follow_symlinks=False))
                for one in found
                if one.name.endswith(SUFFIX)
            ]
    except OSError:
        return None
    return frozenset((name, at.st_ino, at.st_mtime_ns, at.st_size) for name, at in marks)
