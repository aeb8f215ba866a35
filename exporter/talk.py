"""The exporter's conversation with the controller: one connection, one request after the other.

The rules:

- The connection is kept and used again. Of a controller that hangs the answer is waited for on it,
  for hours if need be: another connection each time would fill the controller's queue, and count as
  a flood once it goes on.
- A kept connection that turns out to be broken is made anew once: the controller was started again,
  or has hung up on somebody who was silent.
- Every refusal is an attempt in the controller's journal. So who is not let in tries again after
  ``REFUSED_S``, and link counters that were refused are not asked for again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from controller.control.client import ControlClient, NoController, Rejected, Silent
from controller.json_values import JsonObject, WrongForm, checked
from exporter.metrics import label
from exporter.of_links import Links

_log = logging.getLogger(__name__)

HANGS_S: Final = 3600.0
REFUSED_S: Final = 3600.0

Outcome = Literal["answered", "unreachable", "refused", "silent"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Look:
    """What came of a question: the status, None where there is none; link counters where they were
    asked for and told."""

    outcome: Outcome
    status: JsonObject | None = None
    links: Links | None = None
    why: str = ""


class Talk:
    """``links``: whether to ask for the counters of links, too; ``now`` gives monotonic seconds.
    ``outcomes`` and ``connections`` are counted since the start."""

    def __init__(
        self, path: Path, *, links: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._asks_links = links
        self._now = now
        self._client: ControlClient | None = None
        self._refused_at: float | None = None
        self._closed = threading.Event()
        self.outcomes: Counter[Outcome] = Counter()
        self.connections = 0
        self._last: Outcome = "answered"

    def ask(self) -> Look:
        """Ask the controller; never raises. For one thread at a time."""
        if self._refused_at is not None and self._now() - self._refused_at < REFUSED_S:
            return Look("refused")
        look = self._look()
        self._refused_at = self._now() if look.outcome == "refused" else None
        self.outcomes[look.outcome] += 1
        if look.outcome != self._last and not self._closed.is_set():
            self._last = look.outcome
            if look.status is None:
                _log.warning("%s: %s", look.outcome, label(look.why))
            else:
                _log.info("the controller answers")
        return look

    def _look(self) -> Look:
        kept = self._client is not None
        try:
            return self._over(self._connected())
        except Rejected as error:
            self._hang_up()
            return Look("refused", why=str(error))
        except NoController as error:
            self._hang_up()
            if kept and not isinstance(error, Silent) and not self._closed.is_set():
                return self._look()
            return Look("silent" if isinstance(error, Silent) else "unreachable", why=str(error))

    def _connected(self) -> ControlClient:
        if self._client is None:
            self._client = ControlClient(self._path, HANGS_S)
            self.connections += 1
            if self._closed.is_set():
                raise NoController("the exporter ends")
        return self._client

    def _over(self, client: ControlClient) -> Look:
        status = client.status()
        links: Links | None = None
        if self._asks_links:
            try:
                links = checked(dict[str, dict[str, int]], client.links(), "links")
            except Rejected as error:
                self._asks_links = False
                _log.warning("link counters are not asked for again: %s", label(str(error)))
            except WrongForm as error:
                _log.warning("link counters: %s", label(str(error)))
        return Look("answered", status, links)

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        """End the conversation, for good; who waits for an answer learns of it."""
        self._closed.set()
        client = self._client
        if client is not None:
            client.close()
