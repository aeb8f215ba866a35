"""What the controller's half of a link reports to the driver, as frozen values.

In the order of their causes: a link that goes down reports :class:`Down` first and then
:class:`Lost` for the command in flight and for those queued behind it, so that a receiver of a lost
command already knows that the link is down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.api import Identity, Value


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
