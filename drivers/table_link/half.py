"""What both halves of a link have in common: they collect what leaves them until it is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Generic, TypeVar

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
