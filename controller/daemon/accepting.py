"""A supervisor accepts what the clock shows: what that means for the watch, the journal and starts.

The table permits it and stores who and why (:func:`controller.table.holds.to_accept`);
that the notices are over, and that times up to here count no more, is told to it in the same
transaction.
"""

from __future__ import annotations

from controller.daemon.health.clock import ClockWatch
from controller.daemon.owner import Owner
from controller.journal.store import Journal
from controller.table.events.event import Event
from controller.table.events.of_controller import ConditionChanged
from controller.table.events.of_people import SupervisorCommanded
from controller.table.holds import ACCEPTED


class Acceptance:
    """Accompanies the events of ``owner`` for ``clock``."""

    def __init__(self, owner: Owner, clock: ClockWatch, journal: Journal) -> None:
        self._owner = owner
        self._clock = clock
        self._journal = journal

    def attend(self, event: Event) -> None:
        """End the notices that a supervisor has accepted, unless the clock cannot be right."""
        ended = [code for code in ACCEPTED if code in self._owner.table.outcome.ended]
        if not isinstance(event, SupervisorCommanded) or not ended or not self._clock.accept():
            return
        for code in ended:
            self._owner.submit(
                ConditionChanged(
                    fault=code,
                    present=False,
                    detail="a supervisor has accepted the time",
                    clock_since=self._journal.head.seq,
                )
            )
