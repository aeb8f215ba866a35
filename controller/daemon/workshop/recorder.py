"""The traffic of lines, kept for a client that fetches it.

Traffic is kept between two fetches, up to :data:`KEPT` messages for a device; those beyond are
dropped and counted. Keeping one is an append in the loop, so it never holds up play.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from controller.control.technician import Portion
from controller.forms.json_values import JsonObject
from drivers.api import Seen, TrafficSource
from drivers.capture import format as capturing

KEPT: Final = 2000
"""Messages of a device kept for a capturing client: ten seconds of the busiest serial line."""
PORTION: Final = 100
"""Messages sent to the client at a time."""


class TrafficRecorder:
    """Keeps lines' traffic for a client that fetches it; ``head`` is sent first."""

    def __init__(
        self,
        head: JsonObject,
        sources: Mapping[str, TrafficSource],
        mono_ns: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        self._head: JsonObject | None = head
        self._mono_ns = mono_ns
        self._changed = changed
        self._most = KEPT * len(sources)
        self._kept: deque[tuple[str, int, Seen]] = deque()
        self._dropped = 0
        self._ends = [
            source.tap(partial(self._keep_message, name)) for name, source in sources.items()
        ]

    def _keep_message(self, name: str, seen: Seen) -> None:
        if len(self._kept) >= self._most:
            self._dropped += 1
            return
        self._kept.append((name, self._mono_ns(), seen))
        self._changed()

    def take_portion(self) -> Portion:
        """The next portion, lines and head as :mod:`drivers.capture.format` has them."""
        portion = [self._kept.popleft() for _ in range(min(PORTION, len(self._kept)))]
        dropped = 0
        if not self._kept:
            dropped, self._dropped = self._dropped, 0
        answer: Portion = {
            "lines": [capturing.line(*one) for one in portion],
            "dropped": dropped,
            "more": bool(self._kept),
        }
        if self._head is not None:
            answer["head"], self._head = self._head, None
        return answer

    def close(self) -> None:
        """It is not wanted any more."""
        for end in self._ends:
            end()
