"""What each half of a link reports, as frozen values, and how it is collected until it is taken.

The device's half reports to the device's model. The controller's half reports to the driver, in the
order of causes: a link that goes down reports :class:`Down` first and then :class:`Lost` for the
command in flight and for those queued behind it, so that a receiver of a lost command already knows
that the link is down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from drivers.api import Identity, Value

Event = TypeVar("Event")


class Half(Generic[Event]):
    """Payloads, events and counters, waiting for the owner of the port."""

    def __init__(self) -> None:
        self._output: list[bytes] = []
        self._events: list[Event] = []
        self._counts: Counter[str] = Counter()

    def take_output(self) -> list[bytes]:
        """The payloads to send now, in order; each is given once."""
        output, self._output = self._output, []
        return output

    def take_events(self) -> list[Event]:
        """What happened since the last call, in order; each is given once."""
        events, self._events = self._events, []
        return events

    @property
    def statistics(self) -> Mapping[str, int]:
        """Counters since the start: payloads dropped by reason, repetitions, greetings."""
        return dict(self._counts)


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command to act on, once; answer it by ``answer(id, ...)`` or ``nak(id, ...)``."""

    id: int
    name: str
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Greeted:
    """A HELLO was answered: the controller is there."""


@dataclass(frozen=True, slots=True)
class ControllerGone:
    """2 s without a valid payload: take the safe state (section 3, Alive)."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What of its events survives a device's restart: unacknowledged payloads, oldest first."""

    session_id: int
    last_event: int
    events: tuple[bytes, ...]


DeviceEvent = Commanded | Greeted | ControllerGone


@dataclass(frozen=True, slots=True)
class Up:
    """``HELLO`` was answered by a device of the expected kind; it may be commanded.

    ``new_session``: something was stored of this device, and events since then may be lost
    (protocol section 4). ``first``: nothing was known of it before. ``last_event`` is the number
    of the last event that the device has made; those after ``taken``, the last one received or
    known to be stored, are still to come.
    """

    identity: Identity
    session: int
    new_session: bool
    first: bool
    last_event: int
    taken: int


@dataclass(frozen=True, slots=True)
class Down:
    """The device may not be commanded; ``reason`` is in plain words.

    Once per interruption (and at a start without the device), and again only when the reason
    changes: 'does not answer' may become 'a shuffler answers where a card shoe was expected'.
    ``answers`` is then the kind that answers, else "".
    """

    reason: str
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The device did what the command asked. ``fields`` is the answer's body."""

    token: int
    name: str
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Nak:
    """The device refuses: ``code`` 1 to 5 of protocol section 3 (4 after 5 s of trying)."""

    token: int
    name: str
    code: int


@dataclass(frozen=True, slots=True)
class Lost:
    """The link went down: what became of the command is not known. It is not repeated."""

    token: int
    name: str


@dataclass(frozen=True, slots=True)
class Received:
    """The device's next event, once and in order; to be acknowledged when it is stored.

    ``fields`` is the body without ``event_no`` and ``t_ms`` (the device's milliseconds since
    its start; wraps after 49.7 days).
    """

    session: int
    event_no: int
    t_ms: int
    name: str
    fields: Mapping[str, Value]


LinkEvent = Up | Down | Answered | Nak | Lost | Received
