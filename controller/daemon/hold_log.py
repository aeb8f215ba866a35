"""Logs what holds play and which conditions are present, so that a reader of the log sees why.

Each is logged when it begins, when its text changes, and when it ends; only once that is on stable
storage. How often a condition's text changes is limited where it is reported to the table
(:mod:`controller.daemon.health.telling`), so that a rapid series of changes does not flood the log
either.
"""

from __future__ import annotations

import logging

from controller.daemon.owner import Owner
from controller.table.state.holds import as_told

_log = logging.getLogger(__name__)


class HoldLog:
    """Looks at the owner's table whenever something of it became durable."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._said: dict[str, str] = {}

    def begin_log(self) -> None:
        """Say what there is, and from now on what comes."""
        self._owner.subscribe(self._log_changes)
        self._log_changes()

    def _log_changes(self) -> None:
        if not self._owner.all_durable:
            return  # it is looked at again once it is
        table = self._owner.table
        holding = {hold.fault for hold in table.holds.standing}
        now = {
            f"note, {code}": detail
            for code, detail in table.holds.conditions.items()
            if code not in holding
        }
        for hold in as_told(table.holds.standing):
            whose = f" of the {hold.device}" if hold.device else ""
            now[f"play is held, {hold.fault}{whose}"] = hold.reason
        for what, words in now.items():
            if self._said.get(what) != words:
                _log.warning("%s: %s", what, words)
        for what in self._said.keys() - now.keys():
            _log.info("over: %s", what)
        self._said = now
