"""The Table Link driver: a carrier, the controller's half of the protocol, and one timer.

- What arrives is handed to the listener in the same callback of the loop that read it.
- ``link_down`` is told once per interruption, and once at a start without the device. While the
  link is down it is reported again only when a device speaks up, or is plugged in, that may not be
  used (a shuffler on the shoe's port, a unit of another serial number): that is news, a port that
  is still missing is not.
- An answer never comes from within :meth:`TableLink.command`, not even that the link is down.
- Nothing here decides what to send: sessions and wants do.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping

from drivers.api import (
    Answer,
    DeviceConfig,
    DeviceEvent,
    DeviceLink,
    DeviceListener,
    DriverError,
    LinkDown,
    LinkUp,
    PortChange,
    Seen,
    Stray,
    Value,
)
from drivers.carriers.base import Carrier, CarrierListener, UnitListener
from drivers.carriers.serial import SerialCarrier
from drivers.carriers.usb import UsbCarrier
from drivers.registry import check_config, parse_usb
from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import (
    Answered,
    LinkEvent,
    Lost,
    Nak,
    Received,
    Up,
)
from drivers.table_link.messages import read_traffic
from drivers.vocabulary import PLAIN_KINDS

LAST_ID = 65535


class TableLink:
    """One device that speaks Table Link, over either carrier. ``make_carrier`` makes another one
    instead of the port's own (a wire in virtual time); whether it is framed the configuration
    says: a ``port`` is, ``usb`` is not."""

    def __init__(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
        first_id: int,
        make_carrier: Callable[[CarrierListener], Carrier] | None = None,
    ) -> None:
        check_config(config)
        if config.kind not in PLAIN_KINDS:
            known = ", ".join(PLAIN_KINDS)
            raise DriverError(f"devices.{config.name}: Table Link knows the devices {known}")
        self._name = config.name
        self._loop = loop
        self._listener = listener
        self._session = ControllerSession(
            config.kind, serial=_serial(config), resume=resume, first_id=first_id
        )
        self._deframer: Deframer | None = None
        if config.port is not None:
            self._deframer = Deframer(lambda raw: self._show_traffic(Stray(raw)))
        self._carrier = _carrier(config, loop, self) if make_carrier is None else make_carrier(self)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._waiting: dict[int, Callable[[Answer], None]] = {}
        self._events: deque[LinkEvent] = deque()
        self._settling = False
        self._open = False
        self._up = False
        self._told_down = False
        self._spoken_to = False
        self._closed = False
        self._counts: Counter[str] = Counter()
        self._taps: list[Callable[[Seen], None]] = []

    # DeviceLink, for the controller

    def start(self) -> None:
        """Open the port and keep it open."""
        self._carrier.start()

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """Send a command, or queue it behind the outstanding one.

        ``ValueError``: this kind of device knows no such command, or has other fields.
        """
        token = self._session.command(name, fields, self._loop.time())
        self._waiting[token] = done
        self._send()
        self._events.extend(self._session.take_events())
        if self._events and not self._settling:
            self._loop.call_soon(self._settle)
        self._set_timer()

    def acknowledge(self, session: int, event_no: int) -> None:
        """Everything up to ``event_no`` of ``session`` is on stable storage."""
        self._session.acknowledge(session, event_no)
        self._send()

    def statistics(self) -> Mapping[str, int]:
        """The session's counters, and the carrier's and framing's as ``line_…``."""
        counts = dict(self._session.statistics) | dict(self._counts)
        counts |= {f"line_{name}": count for name, count in self._carrier.statistics().items()}
        if self._deframer is not None:
            counts["line_noise"] = self._deframer.noise
            counts["line_bad_frames"] = self._deframer.bad_frames
        return counts

    def tap(self, tell: Callable[[Seen], None]) -> Callable[[], None]:
        """Report every message from now on, with stray bytes and what becomes of the port;
        returns what ends it."""
        self._taps.append(tell)
        return lambda: self._taps.remove(tell)

    async def close(self) -> None:
        """Close the port; answers still awaited are not reported any more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waiting.clear()
        self._events.clear()
        await self._carrier.close()

    # CarrierListener, for the carrier

    def carrier_opened(self) -> None:
        """The port is open, or was cleared after a stall: HELLO."""
        self._open = True
        if self._deframer is not None:
            self._deframer.clear()
        self._show_traffic(PortChange(open=True))
        self._session.opened(self._loop.time())
        self._settle()

    def carrier_closed(self, reason: str) -> None:
        """The port was lost, or is (still) not there: only the first is news."""
        if self._open or not self._told_down:
            self._open = False
            self._show_traffic(PortChange(open=False, reason=reason))
            self._session.closed(self._loop.time(), reason)
            self._settle()

    def other_unit(self, reason: str) -> None:
        """A unit is plugged in that may not be used: news, also while the link is down."""
        if self._open or not self._told_down:
            self.carrier_closed(reason)
        elif not self._closed:
            self._listener.link_down(LinkDown(self._name, reason, self._carrier.errno))

    def carrier_received(self, data: bytes) -> None:
        """Bytes or a packet: to the session, and what they mean to the listener."""
        now = self._loop.time()
        payloads = [data] if self._deframer is None else self._deframer.feed(data)
        if not payloads:
            return
        for payload in payloads:
            if self._taps:
                self._show_traffic(read_traffic(payload, outward=False))
            self._session.receive(payload, now)
        self._spoken_to = True
        try:
            self._settle()
        finally:
            self._spoken_to = False

    # Within

    def _poll(self) -> None:
        self._timer = None
        if self._open and not self._up:
            self._carrier.recheck()
        self._session.poll(self._loop.time())
        self._settle()

    def _settle(self) -> None:
        """Send what is to be sent and report what is to be reported, until there is neither."""
        if self._settling or self._closed:
            return
        self._settling = True
        try:
            while True:
                self._send()
                self._events.extend(self._session.take_events())
                if not self._events or self._closed:
                    break
                self._report_event(self._events.popleft())
        finally:
            self._settling = False
        self._set_timer()

    def _send(self) -> None:
        payloads = self._session.take_output()
        if not payloads or self._closed:
            return
        if self._taps:
            for payload in payloads:
                self._show_traffic(read_traffic(payload, outward=True))
        if self._deframer is not None:
            self._carrier.send(b"".join(map(encode_frame, payloads)))
        else:
            for payload in payloads:
                self._carrier.send(payload)

    def _show_traffic(self, seen: Seen) -> None:
        for tell in self._taps:
            tell(seen)

    def _set_timer(self) -> None:
        deadline = self._session.deadline()
        if deadline is None or self._closed:
            return
        if self._timer is not None:
            if self._timer_at == deadline:
                return  # as after most frames
            self._timer.cancel()  # else an idle line would wake for each PING that was answered
        self._timer = self._loop.call_at(deadline, self._poll)
        self._timer_at = deadline

    def _report_event(self, event: LinkEvent) -> None:
        if isinstance(event, Received):
            self._counts["events"] += 1
            self._listener.device_event(
                DeviceEvent(
                    self._name, event.session, event.event_no, event.t_ms, event.name, event.fields
                )
            )
        elif isinstance(event, Answered):
            self._answer(event.token, Answer(event.name, fields=event.fields))
        elif isinstance(event, Nak):
            self._answer(event.token, Answer(event.name, nak=event.code))
        elif isinstance(event, Lost):
            self._answer(event.token, Answer(event.name))
        elif isinstance(event, Up):
            self._up, self._told_down = True, False
            self._listener.link_up(
                LinkUp(
                    self._name,
                    event.identity,
                    event.session,
                    event.new_session,
                    event.last_event,
                    event.taken,
                )
            )
        else:  # down
            self._up = False
            if not self._told_down or self._spoken_to:
                self._told_down = True
                errno = None if self._open else self._carrier.errno
                self._listener.link_down(LinkDown(self._name, event.reason, errno, event.answers))

    def _answer(self, token: int, answer: Answer) -> None:
        self._waiting.pop(token)(answer)


def _serial(config: DeviceConfig) -> str:
    """The serial number that the configuration gives, empty for none."""
    return (parse_usb(config.usb)[2] or "") if config.usb is not None else ""


def _carrier(
    config: DeviceConfig, loop: asyncio.AbstractEventLoop, listener: UnitListener
) -> Carrier:
    """The carrier of the port that is configured."""
    if config.port is not None:
        return SerialCarrier(loop, config.port, config.baud, listener)
    assert config.usb is not None
    return UsbCarrier(loop, config.usb, listener)


def open_link(
    config: DeviceConfig,
    loop: asyncio.AbstractEventLoop,
    listener: DeviceListener,
    resume: tuple[int, int],
) -> DeviceLink:
    """The link of one device (entry point ``table-link``); ids start at random (section 3)."""
    first_id = random.randint(1, LAST_ID)  # noqa: S311 - tells runs apart, guards nothing
    return TableLink(config, loop, listener, resume, first_id)
