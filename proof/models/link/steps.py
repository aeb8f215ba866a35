"""The steps of the model of the link, and what of its state is compared, as in ``link.pml``."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).with_name("link.pml")


class Step(IntEnum):
    """What happens. ``…_SEEN``: the device can tell that its port was opened anew."""

    MAKE = 1
    DEVICE_TAKES = 2
    DEVICE_TAKES_TWICE = 3
    DEVICE_REPEATS = 4
    DEVICE_GIVES_UP = 5
    DEVICE_RESTARTS = 6
    DEVICE_FORGETS = 7
    CONTROLLER_TAKES = 8
    CONTROLLER_TAKES_TWICE = 9
    COMMIT = 10
    ACKNOWLEDGE = 11
    CONTROLLER_WAITED = 12
    CONTROLLER_PINGS = 13
    CONTROLLER_COMMANDS = 14
    KILL = 15
    START = 16
    START_SEEN = 17
    CUT = 18
    PLUG = 19
    PLUG_SEEN = 20
    LOSE_OUTWARD = 21
    LOSE_INWARD = 22


FAULTS: Final = frozenset(
    {
        Step.DEVICE_TAKES_TWICE,
        Step.DEVICE_GIVES_UP,
        Step.DEVICE_RESTARTS,
        Step.DEVICE_FORGETS,
        Step.CONTROLLER_TAKES_TWICE,
        Step.CONTROLLER_WAITED,
        Step.KILL,
        Step.CUT,
        Step.LOSE_OUTWARD,
        Step.LOSE_INWARD,
    }
)
"""What goes wrong, or may (a timer that runs out has waited for something lost, or for long)."""


class Phase(IntEnum):
    """The controller's end of the link; DEAD: there is no process."""

    DEAD = 0
    CLOSED = 1
    GREETING = 2
    UP = 3


class Payload(IntEnum):
    """Types of payloads; an answer has its command's."""

    HELLO = 1
    PING = 2
    COMMAND = 3
    EVENT_ACK = 4
    EVENT = 5
    NAK = 6


class State(NamedTuple):
    """What is compared after every step: the controller's stream of events and its outstanding
    request (``again``: transmissions left), the device and its events, what is under way, and the
    journal."""

    phase: int
    session: int
    covered: int
    received: int
    stored_session: int
    stored: int
    asked: int
    again: int
    greeted: int
    listening: int
    device_session: int
    last: int
    held: int
    flight: int
    outward: int
    inward: int
    pending: int
    durable: int
    journal_session: int
    journal: int
