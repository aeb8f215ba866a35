"""What a technician does with the devices of a running table: self-tests, looks at their lines.

The rules:

- A self-test takes the device away for up to 5 s and may move what it has. So there is none while
  bets are open, a round is played, a card is to be burned or a set shuffled.
- A self-test changes nothing at the table and is no event of it: it goes into the log.
- Traffic is kept between two fetches, up to :data:`KEPT` messages; those beyond are dropped and
  counted. Keeping one is an append in the loop, so it never holds up play.
- The line is seen as it is: a card on it may not be on disk yet, and may lie face down.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from controller.control.peers import Peer
from controller.control.server import BadCommand, Refusal
from controller.daemon.fleet import Fleet
from controller.table.table import Table
from drivers.api import Answer, Traffic, TrafficSource
from drivers.self_test import failed_tests

_log = logging.getLogger(__name__)

KEPT: Final = 2000
"""Messages kept for one who captures: ten seconds of the busiest serial line."""
PORTION: Final = 100
"""Messages sent to him at a time."""
NOT_NOW: Final = frozenset({3, 4})
"""NAK codes of protocol section 3 that say: not in this state, busy."""
IDLE: Final = frozenset({"idle", "ended", "closed"})
"""Phases of the table between rounds."""


class Workshop:
    """Does what :class:`controller.control.technician.Technician` promises. ``wall`` is the wall
    clock, ``mono_ns`` the monotonic one in nanoseconds."""

    def __init__(
        self,
        table: Table,
        fleet: Fleet,
        wall: Callable[[], datetime],
        mono_ns: Callable[[], int],
    ) -> None:
        self._table = table
        self._fleet = fleet
        self._wall = wall
        self._mono_ns = mono_ns

    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The counters of every device's link since the start."""
        return self._fleet.statistics()

    async def self_test(self, device: str, who: Peer) -> Mapping[str, Any]:
        """``well``; the numbers of the tests that ``failed`` and ``duration_ms`` as the device says
        them; ``trouble`` in plain words where it did not say."""
        self._check_known(device)
        trouble = self._not_between_rounds() or self._fleet.may_test(device)
        if trouble:
            raise Refusal(trouble)
        _log.info("%s has %s test itself", who.name, device)
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def done(answer: Answer) -> None:
            if not answered.done():
                answered.set_result(answer)

        self._fleet.self_test(device, done)
        answer = await answered
        if answer.nak in NOT_NOW:
            raise Refusal(f"{device} does not test itself in its present state (NAK {answer.nak})")
        result = {"device": device, **_verdict(answer)}
        _log.info("self-test: %s", result)
        return result

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> Recorder:
        """The device's traffic from now on."""
        self._check_known(device)
        link = self._fleet.link(device)
        if not isinstance(link, TrafficSource):
            raise Refusal(f"the driver of {device} cannot show its traffic")
        _log.info("%s captures the traffic of %s", who.name, device)
        return Recorder(device, link, self._wall().isoformat(), self._mono_ns, changed)

    def _check_known(self, device: str) -> None:
        if device not in self._fleet.names:
            known = ", ".join(self._fleet.names)
            raise BadCommand(f"this table has no device {device!r}: expected one of {known}")

    def _not_between_rounds(self) -> str:
        table = self._table
        if table.phase not in IDLE:
            return f"self-tests are for the time between rounds ({table.state})"
        if table.burning:
            return "a card is to be burned first"
        return "the shuffler is at work" if table.shuffle is not None else ""


class Recorder:
    """Keeps a line's traffic for one who fetches it."""

    def __init__(
        self,
        device: str,
        source: TrafficSource,
        began: str,
        mono_ns: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        self._told = {"device": device, "began": began}
        self._mono_ns = mono_ns
        self._began_ns = mono_ns()
        self._changed = changed
        self._kept: deque[tuple[int, Traffic]] = deque()
        self._dropped = 0
        self._end = source.tap(self._keep)

    def _keep(self, seen: Traffic) -> None:
        if len(self._kept) >= KEPT:
            self._dropped += 1
            return
        self._kept.append((self._mono_ns() - self._began_ns, seen))
        self._changed()

    def take(self) -> Mapping[str, Any]:
        """The next portion: ``frames`` in order and how many came after them and were ``dropped``,
        with the ``device`` and when the capture ``began`` by the wall clock."""
        portion = [self._kept.popleft() for _ in range(min(PORTION, len(self._kept)))]
        dropped = 0
        if not self._kept:
            dropped, self._dropped = self._dropped, 0
        return {
            **self._told,
            "frames": [_as_json(at_ns, seen) for at_ns, seen in portion],
            "dropped": dropped,
            "more": bool(self._kept),
        }

    def close(self) -> None:
        """It is not wanted any more."""
        self._end()


def _as_json(at_ns: int, seen: Traffic) -> dict[str, Any]:
    return {
        "t_ms": round(at_ns / 1_000_000, 3),
        "dir": "out" if seen.outward else "in",
        "raw": seen.raw.hex(),
        "message": seen.name,
        "id": seen.id,
        "fields": dict(seen.fields),
    }


def _verdict(answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {"well": False, "failed": [], "duration_ms": None, "trouble": ""}
    if answer.lost:
        told["trouble"] = "the link went down before it answered"
    elif answer.fields is None:
        told["trouble"] = f"it refuses to test itself (NAK {answer.nak})"
    else:
        told["failed"] = list(failed_tests(int(str(answer.fields["failed"]))))
        told["duration_ms"] = answer.fields["duration_ms"]
        told["well"] = not told["failed"]
    return told
