"""What a technician has the daemon do with devices: self-tests, captures of their lines, trials by
hand.

The rules:

- A self-test occupies the device for up to 5 s and may move its parts. So it is refused while bets
  are open, a round is played, a card is to be burned or a set shuffled.
- A self-test changes nothing of play; what came of it is an entry (``device-tested``).
- One recorder takes several lines, so that its messages are in the order of their arrival.
- The traffic is captured as it is: a card in it may not be on disk yet, and may lie face down.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from controller.control.answers import SelfTestOutcome
from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.daemon.devices.fleet import Fleet
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.daemon.trials import TrafficRecorder, Trial, Trials, answer_to
from controller.forms.json_values import JsonObject, checked
from controller.program import this_program
from drivers.api import Answer, TrafficSource
from drivers.capture import format as capturing
from drivers.self_test import failed_tests
from drivers.vocabulary import BUSY, NOT_NOW

_log = logging.getLogger(__name__)

OWN_TEST: Final = "self-test"
VERDICTS: Final = {"well": True, "not well": False}
ALL: Final = "all"
"""Instead of a device's name: all that can be captured, as one."""
IDLE: Final = frozenset({"idle", "ended", "closed", "service"})
"""Phases of the table between rounds."""


class Workshop:
    """What technicians ask of devices; ``ready`` makes the report before opening."""

    def __init__(
        self,
        owner: Owner,
        fleet: Fleet,
        outside: Outside,
        ready: Callable[[Peer], Awaitable[JsonObject]],
    ) -> None:
        self.ready = ready
        self._table = owner.table
        self._trials = Trials(owner, fleet, outside.wall)
        self._fleet = fleet
        self._outside = outside

    async def links(self) -> Mapping[str, Mapping[str, int]]:
        """The counters of every device's link since the start."""
        return self._fleet.statistics()

    async def links_lately(self) -> JsonObject:
        """The same over the last ``minute`` and ``hour``: each has the ``seconds`` that it
        covers and ``links``, counters by device without those that are 0."""
        return self._fleet.lately.recent_counts()

    async def self_test(self, device: str, who: Peer) -> SelfTestOutcome:
        """What a device's test of itself shows. RequestRefused: not now. BadCommand: no device."""
        self._check_known(device)
        known = self._fleet.devices[device]
        await known.given_back()
        trouble = self._not_between_rounds() or known.may_test()
        if trouble:
            raise RequestRefused(trouble, code="cannot-be-tested")
        _log.info("%s has %s test itself", who.called, device)
        answer = await answer_to(lambda done: self._fleet.commanding.self_test(known, done))
        if answer.nak in (NOT_NOW, BUSY):
            raise RequestRefused(
                f"{device} does not test itself in its present state (NAK {answer.nak})",
                code="cannot-be-tested",
            )
        result = _verdict(device, answer)
        _log.info("self-test: %s", result)
        what = result["trouble"] or ", ".join(
            f"test {number} failed" for number in result["failed"]
        )
        await self._trials.tested(
            device, OWN_TEST, what or "passed", who, ok=result["well"], by_hand=False
        )
        return result

    def trial(self, device: str, who: Peer, changed: Callable[[], None]) -> Trial:
        """Have a device left to this technician until what is returned is closed; else as
        :meth:`capture`. RequestRefused: not in service, or down. BadCommand: no such device."""
        recorder = self.capture(device, who, changed)
        try:
            return self._trials.begin_trial(device, who, recorder)
        except RequestRefused:
            recorder.close()
            raise

    async def device_command(self, device: str, command: str, who: Peer) -> JsonObject:
        """Have a device that another connection tries carry out a command, stored first: the
        ``fields`` of its answer, or ``nak`` and ``why``. Written ``GATE unlocked=1 cards=0``,
        ``TEXT row=0 text=ABC``; the table numbers the offers. Known: GATE, SIGNAL; START, ABORT;
        ARM, DISARM, SHOW, BLANK, TEST_PATTERN, METER; TEXT, LAMPS.

        Raises:
            RequestRefused: it is not being tried, or its link broke. BadCommand: no such command.
        """
        self._check_known(device)
        return await self._trials.command(device, command, who)

    async def device_tested(
        self, device: str, test: str, verdict: str, what: str, who: Peer
    ) -> JsonObject:
        """Store what came of a test of a device that is being tried. RequestRefused: it is not
        being tried. BadCommand: it cannot be read."""
        self._check_known(device)
        if verdict not in VERDICTS:
            raise BadCommand(f"verdict: expected one of {', '.join(VERDICTS)}")
        if test == OWN_TEST:
            raise BadCommand(
                f"{OWN_TEST} is the device's own word: name another test", "reserved-name"
            )
        self._trials.check_open(device, who)
        await self._trials.tested(device, test, what, who, ok=VERDICTS[verdict], by_hand=True)
        return {}

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> TrafficRecorder:
        """The traffic of a device, or of all, from now on."""
        if device != ALL:
            self._check_known(device)
        devices = self._fleet.devices
        names = list(devices) if device == ALL else [device]
        links = {name: devices[name].link for name in names}
        sources = {name: link for name, link in links.items() if isinstance(link, TrafficSource)}
        if not sources:
            raise RequestRefused(
                f"the driver of {device} cannot show its traffic", code="no-traffic"
            )
        _log.info("%s captures the traffic of %s", who.called, ", ".join(sources))
        head = self._head(list(sources))
        return TrafficRecorder(head, sources, self._outside.mono_ns, changed)

    def _head(self, names: Sequence[str]) -> JsonObject:
        settings = self._table.settings
        devices: dict[str, JsonObject] = {}
        for name in names:
            known = self._fleet.devices[name]
            carrier, up = capturing.carrier_of(known.config), known.up
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
        if device not in self._fleet.devices:
            known = ", ".join(self._fleet.devices)
            raise BadCommand(
                f"this table has no device {device!r}: expected one of {known}", "unknown-device"
            )

    def _not_between_rounds(self) -> str:
        table = self._table
        if table.phase not in IDLE:
            return f"self-tests are for the time between rounds ({table.state})"
        if table.shoe.burning:
            return "a card is to be burned first"
        return "the shuffler is at work" if table.shoe.shuffle is not None else ""


def _verdict(device: str, answer: Answer) -> SelfTestOutcome:
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
