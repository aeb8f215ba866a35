"""The controller's half of Table Link (sections 3 and 4), without input, output or clock."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.table_link.controller_events import LinkEvent
from drivers.table_link.layout import Value


class ControllerSession:
    """One link to one device. Skeleton: signatures are final, the bodies follow.

    ``kind`` is the kind expected on the port ("shoe", "shuffler", "jackpot", "keypad");
    ``resume`` the (session, event number) on stable storage, (0, 0) for none; ``first_id`` the
    random start of command ids, 1 to 65535. ``now`` is monotonic seconds everywhere. After
    every verb: send ``take_output()``, handle ``take_events()``, and call ``poll`` no later
    than ``deadline()``. Give ``receive`` all that has arrived before ``poll``.
    """

    def __init__(self, kind: str, *, resume: tuple[int, int] = (0, 0), first_id: int) -> None:
        raise NotImplementedError

    def opened(self, now: float) -> None:
        """The port is open (or was cleared after a stall): say HELLO."""
        raise NotImplementedError

    def closed(self, now: float, reason: str) -> None:
        """The port is gone or could not be opened; ``reason`` in plain words goes into Down."""
        raise NotImplementedError

    def receive(self, payload: bytes, now: float) -> None:
        """Take one payload off the carrier (frames already removed)."""
        raise NotImplementedError

    def command(self, name: str, fields: Mapping[str, Value], now: float) -> int:
        """Send a command, or queue it behind the outstanding one; returns its token.

        Exactly one of Answered, Refused and Lost follows with that token (Lost at once when the
        link is not up). ValueError: no such command for this kind of device, or bad fields.
        """
        raise NotImplementedError

    def acknowledge(self, session_id: int, event_no: int) -> None:
        """Everything up to that event is on stable storage; EVENT_ACK is output at once."""
        raise NotImplementedError

    def poll(self, now: float) -> None:
        """Do what has fallen due."""
        raise NotImplementedError

    def deadline(self) -> float | None:
        """When ``poll`` is to be called next; None when only input can change anything."""
        raise NotImplementedError

    def take_output(self) -> list[bytes]:
        """The payloads to send now, in order; each is given once."""
        raise NotImplementedError

    def take_events(self) -> list[LinkEvent]:
        """What happened since the last call, in order."""
        raise NotImplementedError

    @property
    def statistics(self) -> Mapping[str, int]:
        """Counters since the start: payloads, dropped ones by reason, retries, greetings."""
        raise NotImplementedError
