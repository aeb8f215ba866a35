"""What every device driver offers the controller, whatever protocol the device speaks.

The vocabulary (names of commands, answers and events, and of their fields) is that of
Table Link v1: a driver for a vendor's own protocol translates to and from it. Everything
happens in the event loop's thread, or in its place while it stands still: the commit thread
calls ``acknowledge`` and ``command``, which find the running loop. What a driver owes is said at
:class:`DeviceLink`.
"""

from __future__ import annotations

import termios
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    # Not when running: a simulated device is a process of its own, half its start would be this.
    import asyncio

Value = int | str | tuple[int, ...]
"""A field: a number, text (ASCII, padding removed; bytes such as digests as hex), or the
firmware triple (major, minor, patch)."""


class DriverError(Exception):
    """A port or unit that cannot be used; the message says which and why. ``errno`` is the system's
    number for it, None where the system had no objection."""

    def __init__(self, said: str, errno: int | None = None) -> None:
        super().__init__(said)
        self.errno = errno


class PortBusyError(DriverError):
    """The port or unit is there, but another process holds it."""


class NoAnswerError(DriverError):
    """The port is open and what was asked is not answered. ``damaged`` messages came that could not
    be read; ``in_vain``: so often the line was readable and another had taken what was there."""

    def __init__(self, said: str, damaged: int = 0, in_vain: int = 0) -> None:
        super().__init__(said)
        self.damaged, self.in_vain = damaged, in_vain


class OtherUnitError(DriverError):
    """What is there is not what is configured, or cannot be recognised from it: it is not used."""


def number_of(error: BaseException | None) -> int | None:
    """The system's number, wherever a library left it: of a ``termios.error`` pyserial keeps only
    the text, and the number stands in the error before."""
    while error is not None:
        number = error.args[0] if isinstance(error, termios.error) else None
        number = getattr(error, "errno", None) if number is None else number
        if isinstance(number, int):
            return number
        error = error.__cause__ or error.__context__
    return None


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One ``[devices.NAME]`` table of the configuration.

    Exactly one of ``port`` (a serial device's path) and ``usb`` (``VENDOR:PRODUCT[:SERIAL]``,
    hexadecimal) is given. ``baud`` concerns the serial carrier only. ``kind`` is one of
    :data:`drivers.vocabulary.PLAIN_KINDS`; left out, it is the name.
    """

    name: str
    driver: str = "table-link"
    port: str | None = None
    usb: str | None = None
    baud: int = 115200
    kind: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or self.name)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answered: the fields of the HELLO answer that tell one device from another.

    ``kind`` is its name (:data:`drivers.vocabulary.KINDS`); ``firmware`` is (major, minor, patch);
    ``digest`` the first eight bytes of its firmware's SHA-256 as hex.
    """

    kind: str
    serial: str
    firmware: tuple[int, ...]
    digest: str
    capabilities: int


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device answered HELLO and may be commanded.

    ``session`` is the device's event session; ``new_session`` tells that events may have been
    lost since what the controller has stored (protocol section 4). ``last_event`` is the number
    of the last event that the device has made: those after ``taken``, the last one handed to the
    listener or known to be stored, are still to come.
    """

    device: str
    identity: Identity
    session: int
    new_session: bool
    last_event: int
    taken: int


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The device does not answer, or its port is gone; ``reason`` is in plain words.

    ``errno`` is the system's number where the port failed, None where it is open; ``answers`` the
    kind of the device that answers instead (:data:`drivers.vocabulary.KINDS`), "" for none.
    """

    device: str
    reason: str
    errno: int | None = None
    answers: str = ""


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """One event of a device, delivered once and in order; not yet acknowledged.

    ``type`` is the message's name (``CARD``); ``fields`` hold the body without ``event_no`` and
    ``t_ms`` (the device's milliseconds since its start).
    """

    device: str
    session: int
    event_no: int
    t_ms: int
    type: str
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's answer. Exactly one of three: ``fields`` (done), ``nak`` (the device refuses,
    protocol section 3 codes 1 to 5), or neither: the link went down, what became of the command
    is not known.
    """

    command: str
    fields: Mapping[str, Value] | None = None
    nak: int | None = None

    @property
    def lost(self) -> bool:
        """Whether nothing is known of the command's effect."""
        return self.fields is None and self.nak is None


@dataclass(frozen=True, slots=True)
class Traffic:
    """One message on a device's line, as a technician may look at it.

    ``outward``: to the device. ``raw`` is the message as it was on the line, without the framing of
    a serial one; ``name`` what it is (``GATE``, ``GATE answer``, or why it was dropped), ``id`` the
    command's, with its ``fields``.
    """

    outward: bool
    raw: bytes
    name: str
    id: int | None
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Stray:
    """Bytes between two delimiters of a serial line that are no frame: noise, or another speed."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class PortChange:
    """The port was opened, or is gone; ``reason`` is in plain words."""

    open: bool
    reason: str = ""


Seen = Traffic | Stray | PortChange
"""What there is to be seen of a line."""


class DeviceListener(Protocol):
    """Who hears of a device; called in the event loop's thread."""

    def link_up(self, up: LinkUp) -> None:
        """HELLO was answered."""

    def link_down(self, down: LinkDown) -> None:
        """The device is gone; called once per interruption, and once at a start without it."""

    def device_event(self, event: DeviceEvent) -> None:
        """An event arrived. It is acknowledged when the listener says that it is stored."""


class DeviceLink(Protocol):
    """A device as the controller commands it. Who makes one owes:

    - Every event once, in order, acknowledged only when told. ``acknowledge`` comes when the effect
      is on disk; until then the device keeps the event. If the device cannot keep events, say
      ``new_session`` after every interruption: the table is held and a person looks.
    - Resume. After a restart of the controller deliver the events after ``resume``, and none up to
      it. Another session, or one that went back, is a new session.
    - One answer for every command, never from within ``command`` itself: done, refused with the
      protocol's code, or lost with the link. The controller looks before it commands again, so a
      driver repeats nothing.
    - ``last_event`` in the answer to ``GATE`` and ``DISARM`` is the last event before the gate
      moved or the button was disarmed. Money hangs on that number. If the device cannot tell it,
      the driver proves it otherwise, or refuses.
    - Down once. ``link_down`` once for each interruption, with a reason that a dealer understands,
      and once at a start without the device.
    - Never block the loop. A library that blocks gets a thread, which hands over with
      ``call_soon_threadsafe``. After ``close`` nothing is called and no thread is left. ``command``
      and ``acknowledge`` may come from another thread while the loop stands still: use nothing in
      them that belongs to one thread.
    """

    def start(self) -> None:
        """Open the port and keep it open: a missing port is tried again with backoff."""

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Send a command (queued behind the outstanding one); ``done`` is called exactly once."""

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to ``event_no`` of ``session`` is on stable storage."""

    def statistics(self) -> Mapping[str, int]:
        """Counters for the technician: frames, dropped payloads, retries, reopened ports."""

    async def close(self) -> None:
        """Close the port; nothing is called afterwards."""


@runtime_checkable
class TrafficSource(Protocol):
    """A link whose traffic can be looked at. A driver may leave that out."""

    def tap(self, tell: Callable[[Seen], None]) -> Callable[[], None]:
        """Report every message from now on; returns what ends it. ``tell`` returns at once.

        Stray bytes and what becomes of the port are reported where the driver knows of them.
        """


OpenLink = Callable[
    [DeviceConfig, "asyncio.AbstractEventLoop", DeviceListener, tuple[int, int]], DeviceLink
]
"""What an entry point of the group ``table_controller.drivers`` names: makes the link of one
device. The last argument is the ``(session, event_no)`` on stable storage, ``(0, 0)`` for none."""
