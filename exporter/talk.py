"""The exporter's conversation with the controller: one connection, one request after the other.

The rules:

- The connection is kept and used again. Of a controller that hangs the answer is waited for on it,
  for hours if need be: another connection each time would fill the controller's queue, and count as
  a flood once it goes on.
- A kept connection that turns out to be broken is made anew once: the controller was started again,
  or has hung up on somebody who was silent.
- Every refusal is an attempt in the controller's journal. So who is not let in tries again after
  ``REFUSED_S``.
- Where the counters of links cannot be told, or not be read, the status that was told counts.
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

from controller.control.client import (
    ControlClient,
    NoController,
    NotNow,
    RefusedByController,
    Silent,
)
from controller.forms.json_values import JsonObject, WrongForm, checked
from exporter.metrics import label
from exporter.of_links import Links

_log = logging.getLogger(__name__)

MOST_OF_A_REASON: Final = 400
"""Characters in the log: a path, and what to do about it, are whole."""

HANGS_S: Final = 3600.0
REFUSED_S: Final = 3600.0

Outcome = Literal["answered", "unreachable", "refused", "silent"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class ControllerAnswer:
    """What came of a question: the status, and the counters of links; None where there are none."""

    outcome: Outcome
    status: JsonObject | None = None
    links: Links | None = None
    why: str = ""


class Talk:
    """``now`` gives monotonic seconds. ``outcomes`` and ``connections`` are counted since the
    start."""

    def __init__(self, path: Path, *, now: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._now = now
        self._client: ControlClient | None = None
        self._refused_at: float | None = None
        self._said = ""
        self._closed = threading.Event()
        self.outcomes: Counter[Outcome] = Counter()
        self.connections = 0
        self._last: Outcome = "answered"

    def ask_controller(self) -> ControllerAnswer:
        """Ask the controller; never raises. For one thread at a time."""
        if self._refused_at is not None and self._now() - self._refused_at < REFUSED_S:
            return ControllerAnswer("refused")
        look = self._ask_connected()
        self._refused_at = self._now() if look.outcome == "refused" else None
        self.outcomes[look.outcome] += 1
        if look.outcome != self._last and not self._closed.is_set():
            self._last = look.outcome
            if look.status is None:
                _log.warning("%s: %s", look.outcome, label(look.why, MOST_OF_A_REASON))
            else:
                _log.info("the controller answers")
        return look

    def _ask_connected(self) -> ControllerAnswer:
        kept = self._client is not None
        try:
            return self._over(self._connected())
        except RefusedByController as error:
            self._hang_up()
            return ControllerAnswer("refused", why=str(error))
        except NotNow as error:  # its disk hangs, say: it is there, and no other connection helps
            return ControllerAnswer("silent", why=str(error))
        except NoController as error:
            self._hang_up()
            if kept and not isinstance(error, Silent) and not self._closed.is_set():
                return self._ask_connected()
            return ControllerAnswer(
                "silent" if isinstance(error, Silent) else "unreachable", why=str(error)
            )

    def _connected(self) -> ControlClient:
        if self._client is None:
            self._client = ControlClient(self._path, HANGS_S)
            self.connections += 1
            if self._closed.is_set():
                raise NoController("the exporter ends")
        return self._client

    def _over(self, client: ControlClient) -> ControllerAnswer:
        return ControllerAnswer("answered", client.status(), self._links(client))

    def _links(self, client: ControlClient) -> Links | None:
        try:
            links = checked(dict[str, dict[str, int]], client.request("links"), "links")
        except (WrongForm, NotNow) as error:
            why = str(error)
        except Silent:
            raise
        except NoController as error:  # it hangs up
            self._hang_up()
            why = str(error)
        else:
            self._said = ""
            return links
        if why != self._said and not self._closed.is_set():
            self._said = why
            _log.warning("no counters of links: %s", label(why, MOST_OF_A_REASON))
        return None

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
