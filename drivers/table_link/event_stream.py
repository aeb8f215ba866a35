"""Which events of a device are new to the controller (section 4, the controller's side).

Three numbers belong to the session that the device named last: up to ``covered`` everything is
on stable storage; up to ``received`` it was handed upwards and is being stored; ``received`` + 1
is the only event that is taken. Beside them stands ``stored``, the pair which HELLO carries.

A session goes on only if the device's numbers agree with what was taken. Otherwise it counts as new
and starts at ``oldest_unacked``, or at ``last_event`` + 1 when that is 0. That is so too where the
device's last event lies below what was received and not yet stored: the protocol speaks of what is
stored, but a renumbered event would be taken for a duplicate, and lost.

A device has eight events in flight at most. One that sends more without being told that the first
are stored is not listened to before they are: it would have nothing to wait for.

What it sends again is one of those eight. One far below them is no repetition: its numbers went
round, or it counts anew without a word. To acknowledge it would lose it; it counts as one before
which another is missing, so that the device is greeted and says its numbers.

When a session begins again while events of it are being stored (it was renumbered, or another
device came and went), their acknowledgements cannot be told from those of the new numbers. So
nothing new is taken until the last of the old ones is stored; the device keeps and repeats it
meanwhile.
"""

from __future__ import annotations

from enum import Enum

from drivers.table_link.timing import EVENT_WINDOW


class EventHandling(Enum):
    """What to do with an event."""

    NEW = "hand it upwards"
    STORED = "ignore it and acknowledge again"
    BEING_STORED = "ignore it"
    GAP = "ignore it: one before it is missing"
    TOO_MANY = "ignore it: eight before it wait for their acknowledgement"


class EventStream:
    """Numbering of one device's events; begins with what is on stable storage."""

    __slots__ = ("_being_stored", "covered", "received", "session", "stored")

    def __init__(self, resume: tuple[int, int]) -> None:
        self.stored = resume
        self.session, self.covered = resume
        self.received = self.covered
        # By session, the last event of an earlier numbering that is not stored yet.
        self._being_stored: dict[int, int] = {}

    def greeted(self, session: int, oldest_unacked: int, last_event: int) -> bool:
        """HELLO was answered so; returns whether the device begins a session new to us."""
        if self.agrees(session, oldest_unacked, last_event):
            return False
        before = (oldest_unacked or last_event + 1) - 1
        if self.received > self.covered:
            self._being_stored[self.session] = self.received
        if session == self.session:
            self.stored = (session, before)
        self.session = session
        self.covered = self.received = before
        return True

    def agrees(self, session: int, oldest_unacked: int, last_event: int) -> bool:
        """Whether an answer to HELLO goes on with the session and numbers known here."""
        if session != self.session or last_event < self.received:
            return False
        if oldest_unacked == 0:
            return last_event <= self.covered
        return oldest_unacked <= self.covered + 1

    def judge_event(self, event_no: int) -> EventHandling:
        """Judge an event by its number; a new one counts as received from now on."""
        if event_no <= self.covered:
            repeated = event_no > max(0, self.covered - EVENT_WINDOW)
            return EventHandling.STORED if repeated else EventHandling.GAP
        if event_no <= self.received or self.session in self._being_stored:
            return EventHandling.BEING_STORED
        if event_no != self.received + 1:
            return EventHandling.GAP
        if event_no > self.covered + EVENT_WINDOW:
            return EventHandling.TOO_MANY
        self.received = event_no
        return EventHandling.NEW

    @property
    def may_come(self) -> bool:
        """Whether the device has room in its window for another event, and it would be taken."""
        stuck = self.session in self._being_stored
        return not stuck and self.received - self.covered < EVENT_WINDOW

    def acknowledge(self, session: int, event_no: int) -> bool:
        """Events up to this one are stored; returns whether the device is to hear of it.

        Acknowledgements come in the order in which the events were handed upwards.
        """
        earlier = self._being_stored.get(session)
        if earlier is not None and event_no >= earlier:
            del self._being_stored[session]
        if session != self.session:
            # The end of an earlier session was stored after the device had begun another one.
            if self.stored[0] != self.session:
                self.stored = (session, event_no)
            return False
        if earlier is not None or not self.covered < event_no <= self.received:
            return False
        self.covered = event_no
        self.stored = (session, event_no)
        return True
