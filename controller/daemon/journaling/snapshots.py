"""When a snapshot is written, so that the next start is quick.

:mod:`controller.replay.recovery` begins at the last one. A snapshot is an entry like any other,
chained and stored, and has the state by value after the entry before it. It is written while no
round is played, at the first quiet moment after :data:`EVERY` entries, when everything before it is
durable: no answer to a device waits for it.
"""

from __future__ import annotations

import logging
from typing import Final

from controller.daemon.owner import Owner
from controller.journal.model import Draft
from controller.replay.recovery import snapshot
from controller.replay.replay import SNAPSHOT
from controller.table.snapshot import BadSnapshot

_log = logging.getLogger(__name__)

EVERY: Final = 2000
"""Entries from one snapshot to the next. Replaying this number of entries takes less than half as
long as the process takes to begin, and a snapshot adds three per cent to what they take on the disk
(figures in docs/decisions/0009-snapshots.md)."""


class Snapshots:
    """Writes a snapshot whenever one is due; ``since`` entries stand behind the last one."""

    def __init__(self, owner: Owner, since: int) -> None:
        self._owner = owner
        self._due = owner.submitted + EVERY - since

    def write_if_due(self) -> None:
        """To be called after commits."""
        owner = self._owner
        if owner.submitted < self._due or not owner.all_durable or not owner.counted.quiet:
            return
        if owner.shown.restarting:
            return
        self._due = owner.submitted + EVERY
        try:
            body = snapshot(owner.counted, owner.shown)
        except BadSnapshot:  # play goes on: the next start only takes longer
            _log.exception("no snapshot can be made")
            return
        owner.record(Draft(SNAPSHOT, body))
