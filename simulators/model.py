"""What the four models have in common: a body with faults, a clock, and a person's verbs.

A model is the physical device and its firmware's decisions; it never sees a byte. The
:class:`simulators.twin.Twin` around it holds the session with the controller and calls:

- :meth:`Model.command` for a command: the answer's fields, or :class:`NakError` raised;
- :meth:`Model.present` at the beginning of a session (protocol section 4);
- :meth:`Model.abandoned` when the controller is gone (protocol section 3), and
  :meth:`Model.greeted` when it has said HELLO;
- :meth:`Model.deadline` and :meth:`Model.tick` for what happens by itself.

A verb of the hands is a method ``do_VERB``; it raises ``ValueError`` when a person could not do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Protocol

from drivers.api import Value

Fields = Mapping[str, Value]
Event = tuple[str, Fields]

UNKNOWN_TYPE = 1
BAD_BODY = 2
NOT_NOW = 3
BUSY = 4
HARDWARE = 5

FAULTS = ("power", "memory", "sensor", "motor", "display", "stuck", "cover")
"""Names of the fault bits, from bit 0 (protocol section 5)."""


class NakError(Exception):
    """The device refuses; ``code`` as in protocol section 3."""

    def __init__(self, code: int) -> None:
        super().__init__(f"refused with {code}")
        self.code = code


class Body(Protocol):
    """What a model may ask of the twin around it."""

    @property
    def now(self) -> float:
        """Monotonic time in seconds."""

    @property
    def last_event(self) -> int:
        """The number of the last event made, 0 for none."""

    @property
    def served(self) -> bool:
        """Whether a controller has said HELLO and is not gone."""

    def emit(self, name: str, fields: Fields) -> None:
        """Make an event; ``event_no`` and ``t_ms`` are added."""

    def tell_faults(self, faults: int) -> None:
        """The fault bits are others now: an event, and from now on in every PING answer."""


class Model:
    """A device without a line; the base of shoe, shuffler, jackpot unit and keypad."""

    kind: ClassVar[int]
    name: ClassVar[str]
    capabilities: ClassVar[int] = 0

    def __init__(self, body: Body) -> None:
        self.body = body
        self.faults = 0
        self.acted: dict[str, int] = {}

    def command(self, name: str, fields: Fields) -> Fields:
        """Carry out a command of this kind of device; counted by name once it was acted on."""
        method = getattr(self, f"on_{name.lower()}", None)
        if method is None:
            raise NakError(UNKNOWN_TYPE)
        answer: Fields = method(fields)
        self.acted[name] = self.acted.get(name, 0) + 1
        return answer

    def ping_state(self) -> int:
        """The ``state`` byte of the PING answer."""
        return 0

    def present(self) -> Iterable[Event]:
        """The events that begin a new session with the present state."""
        return ()

    def abandoned(self) -> None:
        """The controller is gone: make safe."""

    def greeted(self) -> None:
        """The controller has said HELLO."""

    def deadline(self) -> float | None:
        """When :meth:`tick` is wanted."""
        return None

    def tick(self) -> None:
        """Do what is due."""

    def visible_state(self) -> dict[str, Any]:
        """The physical state, as a person would see it."""
        return {}

    def remembered(self) -> dict[str, Any]:
        """What outlives a loss of power (the physical things do)."""
        return {}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """The other way round."""

    def set_faults(self, faults: int) -> None:
        """Change the fault bits; a change is an event."""
        if faults != self.faults:
            self.faults = faults
            self.body.tell_faults(faults)

    def do_fault(self, bits: int | None = None, **named: bool) -> dict[str, Any]:
        """``{"do": "fault", "bits": 6}`` or ``{"do": "fault", "motor": true}``."""
        faults = self.faults if bits is None else bits
        for name, on in named.items():
            mask = 1 << FAULTS.index(name)
            faults = faults | mask if on else faults & ~mask
        self.set_faults(faults)
        return {"faults": self.faults}


def number(fields: Fields, name: str) -> int:
    """A numeric field; what is none is a bad body."""
    value = fields[name]
    if not isinstance(value, int):
        raise NakError(BAD_BODY)
    return value
