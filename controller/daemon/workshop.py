"""A technician's work on the devices of a running table: self-tests and captures of their lines.

The rules:

- A self-test occupies the device for up to 5 s and may move its parts. So it is refused while bets
  are open, a round is played, a card is to be burned or a set shuffled.
- A self-test changes nothing at the table and is not an event of it: it is only logged.
- Traffic is kept between two fetches, up to :data:`KEPT` messages for a device; those beyond are
  dropped and counted. Keeping one is an append in the loop, so it never holds up play.
- One recorder takes several lines, so that its messages are in the order of their arrival.
- The traffic is captured as it is: a card in it may not be on disk yet, and may lie face down.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from controller.control.handler import BadCommand, Refusal
from controller.control.peers import Peer
from controller.control.technician import Portion, SelfTest
from controller.daemon.devices.fleet import Fleet
from controller.daemon.outside import Outside
from controller.json_values import JsonObject, checked
from controller.program import this_program
from controller.table.state.table import Table
from drivers.api import Answer, DeviceConfig, Seen, TrafficSource
from drivers.capture import format as capturing
from drivers.self_test import failed_tests
from drivers.vocabulary import BUSY, NOT_NOW

_log = logging.getLogger(__name__)

KEPT: Final = 2000
"""Messages of a device kept for a capturing client: ten seconds of the busiest serial line."""
ALL: Final = "all"
"""Instead of a device's name: all that can be captured, as one."""
PORTION: Final = 100
"""Messages sent to the client at a time."""
IDLE: Final = frozenset({"idle", "ended", "closed"})
"""Phases of the table between rounds."""


class Workshop:
    """Does what :class:`controller.control.technician.Technician` promises; ``configs`` are those
    of the devices."""

    def __init__(
        self, table: Table, fleet: Fleet, outside: Outside, configs: Mapping[str, DeviceConfig]
    ) -> None:
        self._table = table
        self._fleet = fleet
        self._outside = outside
        self._configs = configs

    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The counters of every device's link since the start."""
        return self._fleet.statistics()

    def links_lately(self) -> JsonObject:
        """See :class:`controller.control.technician.Technician`."""
        return self._fleet.lately.told()

    async def self_test(self, device: str, who: Peer) -> SelfTest:
        """See :class:`controller.control.technician.Technician`."""
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
        if answer.nak in (NOT_NOW, BUSY):
            raise Refusal(f"{device} does not test itself in its present state (NAK {answer.nak})")
        result = _verdict(device, answer)
        _log.info("self-test: %s", result)
        return result

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> Recorder:
        """The traffic of a device, or of all, from now on."""
        if device != ALL:
            self._check_known(device)
        names = self._fleet.names if device == ALL else [device]
        links = [(name, self._fleet.link(name)) for name in names]
        sources = {name: link for name, link in links if isinstance(link, TrafficSource)}
        if not sources:
            raise Refusal(f"the driver of {device} cannot show its traffic")
        _log.info("%s captures the traffic of %s", who.name, ", ".join(sources))
        head = self._head(list(sources))
        return Recorder(head, sources, self._outside.mono_ns, changed)

    def _head(self, names: Sequence[str]) -> JsonObject:
        """The first line of the capture of these devices."""
        settings = self._table.settings
        devices: dict[str, JsonObject] = {}
        for name in names:
            carrier, up = capturing.carrier_of(self._configs[name]), self._fleet.up(name)
            devices[name] = capturing.device(carrier, *((up.identity, up.session) if up else ()))
        return capturing.head(
            end=capturing.CONTROLLER,
            boot_id=self._outside.boot_id(),
            began=self._outside.wall().isoformat(),
            began_ns=self._outside.mono_ns(),
            table={"id": settings.table, "rules": settings.rules.id},
            program=this_program().as_status(),
            devices=devices,
        )

    def _check_known(self, device: str) -> None:
        if device not in self._fleet.names:
            known = ", ".join(self._fleet.names)
            raise BadCommand(f"this table has no device {device!r}: expected one of {known}")

    def _not_between_rounds(self) -> str:
        table = self._table
        if table.phase not in IDLE:
            return f"self-tests are for the time between rounds ({table.state})"
        if table.shoe.burning:
            return "a card is to be burned first"
        return "the shuffler is at work" if table.shoe.shuffle is not None else ""


class Recorder:
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
        self._ends = [source.tap(partial(self._keep, name)) for name, source in sources.items()]

    def _keep(self, name: str, seen: Seen) -> None:
        if len(self._kept) >= self._most:
            self._dropped += 1
            return
        self._kept.append((name, self._mono_ns(), seen))
        self._changed()

    def take(self) -> Portion:
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


def _verdict(device: str, answer: Answer) -> SelfTest:
    failed: list[int] = []
    took_ms, trouble = None, ""
    if answer.lost:
        trouble = "the link went down before it answered"
    elif answer.fields is None:
        trouble = f"it refuses to test itself (NAK {answer.nak})"
    else:
        failed = list(failed_tests(checked(int, answer.fields["failed"])))
        took_ms = checked(int, answer.fields["duration_ms"])
    return {
        "device": device,
        "well": not (failed or trouble),
        "failed": failed,
        "duration_ms": took_ms,
        "trouble": trouble,
    }
