"""What clients of the control socket may take of the controller; the end of one who may not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from controller.control.protocol import ErrorKind, encode_error


@dataclass(frozen=True, slots=True)
class Bounds:
    """``clients`` are all places. ``same_user`` bounds the connections that one user has, and
    ``connections`` at once, then ``connections_per_s``, those that he makes; root and the daemon's
    own user aside. ``guests`` are those who may only look; ``unnamed`` those of whom nobody knows
    yet whether they may."""

    clients: int = 48
    same_user: int = 16
    connections: int = 40
    connections_per_s: float = 20.0
    guests: int = 16
    unnamed: int = 8
    guest_requests_per_s: float = 20.0
    requests_per_s: float = 500.0
    burst: int = 50
    malformed: int = 10
    idle_s: float = 300.0
    slow_s: float = 5.0
    stuck_s: float = 60.0
    watch_interval_s: float = 0.05
    capture_s: float = 0.5
    identify_s: float = 2.0


class Dropped(Exception):
    """The conversation ends; the message is for the client, with the ``code`` and ``kind`` of
    error."""

    def __init__(self, reason: str, code: str, kind: ErrorKind = "unavailable") -> None:
        super().__init__(reason)
        self.code = code
        self.kind: ErrorKind = kind

    @cached_property
    def line(self) -> bytes:
        """What the client is sent."""
        return encode_error(None, self.kind, str(self), code=self.code)
