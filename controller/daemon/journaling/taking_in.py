"""Takes the entries of an old journal into the tree, beside play.

A journal of an earlier version has no tree, and one whose file of nodes was lost has none any
more: until it is level, heads are signed without a checkpoint. It takes a tenth of one processor
while it works, ten million entries in an hour, and nothing once the tree is level: every head
then takes in what was written since the last one (:mod:`controller.daemon.journaling.sealing`).
"""

from __future__ import annotations

import logging
import sqlite3
import time
from typing import Final

from controller.evidence.tree.entries import NoNode
from controller.evidence.tree.growing import GrowingTree
from controller.journal.errors import JournalError
from controller.upkeep.stepping import Stepping

_log = logging.getLogger(__name__)

SLICE: Final = 64
"""Entries in a step: a millisecond or two."""

REST: Final = 9
LEVEL_S: Final = 60.0
RETRY_S: Final = 3600.0


class TakingIn(Stepping):
    """Brings ``tree`` level with its journal. ``facts`` are the part of the status."""

    def __init__(self, tree: GrowingTree) -> None:
        super().__init__("tree")
        self._tree = tree
        self.facts: dict[str, object] = {"taken_in": 0, "left": None}

    def step(self) -> float:
        """See :class:`controller.upkeep.stepping.Stepping`."""
        begun = time.monotonic()
        try:
            left = self._tree.step(SLICE)
        except (OSError, sqlite3.Error, JournalError, NoNode, ValueError) as error:
            _log.warning(
                "the tree over the journal cannot be made: %s. Heads are signed without "
                "checkpoints; it is tried again in an hour",
                error,
            )
            return RETRY_S
        self.facts |= {"taken_in": self._tree.size, "left": left}
        return REST * (time.monotonic() - begun) if left else LEVEL_S

    def _rest(self) -> float:
        return LEVEL_S  # nothing is left open
