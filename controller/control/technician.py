"""What a technician asks of a running controller's devices; the daemon does it.

It is the supervisor's: a self-test has the device do something, and its traffic shows cards that
are face down. The counters of links and the report before opening are for whoever may look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypedDict

from controller.control.peers import Peer
from controller.forms.json_values import JsonObject


class SelfTestOutcome(TypedDict):
    """What came of a self-test: the numbers of the tests that ``failed`` and the duration as the
    device says them; ``trouble`` in plain words where it did not say."""

    device: str
    well: bool
    failed: list[int]
    duration_ms: int | None
    trouble: str


class Portion(TypedDict, total=False):
    """A device's traffic: ``lines`` in order and how many after them were ``dropped``; the first
    portion has the ``head``; ``more`` when some is left; ``over``: why a trial has ended."""

    lines: list[JsonObject]
    dropped: int
    more: bool
    head: JsonObject
    over: str


class LineCapture(Protocol):
    """The traffic of a device's line since it was asked for; bounded, so it may have gaps."""

    def take_portion(self) -> Portion:
        """What has come since the last time."""

    def close(self) -> None:
        """It is not wanted any more."""


class Technician(Protocol):
    """What the daemon does; errors as in :class:`controller.control.handler.Handler`."""

    def links(self) -> Mapping[str, Mapping[str, int]]:
        """The counters of every device's link since the start."""

    def links_lately(self) -> JsonObject:
        """The same over the last ``minute`` and ``hour``: each has the ``seconds`` that it covers
        and ``links``, counters by device without those that are 0."""

    async def ready(self, who: Peer) -> JsonObject:
        """The report before opening, as ``tablectl ready --json`` prints it; an entry of the
        journal where a supervisor asks."""

    async def self_test(self, device: str, who: Peer) -> SelfTestOutcome:
        """Have a device test itself; what came of it.

        Raises:
            RequestRefused: not now. BadCommand: there is no such device.
        """

    def trial(self, device: str, who: Peer, changed: Callable[[], None]) -> LineCapture:
        """Have a device left to this technician until what is returned is closed; else as
        :meth:`capture`.

        Raises:
            RequestRefused: not in service, or it is down. BadCommand: there is no such device.
        """

    async def device_command(self, device: str, command: str, who: Peer) -> JsonObject:
        """Have a device that another connection tries carry out a command, stored first: the
        ``fields`` of its answer, or ``nak`` and ``why``. Written ``GATE unlocked=1 cards=0``,
        ``TEXT row=0 text=ABC``; the table numbers the offers. Known: GATE, SIGNAL; START, ABORT;
        ARM, DISARM, SHOW, BLANK, TEST_PATTERN, METER; TEXT, LAMPS.

        Raises:
            RequestRefused: it is not being tried, or its link broke. BadCommand: no such command.
        """

    async def device_tested(
        self, device: str, test: str, verdict: str, what: str, who: Peer
    ) -> JsonObject:
        """Store what came of a test of a device that is being tried.

        Raises:
            RequestRefused: it is not being tried. BadCommand: it cannot be read.
        """

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> LineCapture:
        """Have a device's traffic kept from now on, ``changed`` called in the loop when there is
        some.

        Raises:
            RequestRefused: its driver cannot show it. BadCommand: there is no such device.
        """
