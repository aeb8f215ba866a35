"""An imaginary maker's card shoe that speaks lines of ASCII, as a driver from outside.

The maker's protocol, 9600 baud, every line ended by LF; the shoe sends on the left:

====================================== =====================================================
``IM AS200 0042 FW 3.1.7 S 77 E 16``   answer to ``WHO``: model, serial, firmware, session of
                                       events, number of the last event
``EV 17 1200 CARD 13 4 0 383``         event 17, 1200 ms after its start: rank, suit, flags,
                                       cards left; sent again every second until acknowledged
``OK 17`` / ``NO 3``                   answer to ``OPEN n``, ``LOCK`` and ``LAMP colour blink``:
                                       the last event before it / why not
====================================== =====================================================

``GOT 17`` acknowledges all events up to 17; it has no answer. The driver asks ``WHO`` every half
second: that is greeting, heartbeat and resumption in one.

What a driver owes the controller is said in ``drivers.api``; the four duties that are easy to
miss are marked DUTY below.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping

from drivers.api import (
    Answer,
    DeviceConfig,
    DeviceEvent,
    DeviceLink,
    DeviceListener,
    DriverError,
    Identity,
    LinkDown,
    LinkUp,
    Value,
)
from drivers.carriers.serial import SerialCarrier

WHO_EVERY_S = 0.5
SILENT_AFTER_S = 2.0
MAX_LINE_BYTES = 80
COLOURS = ("OFF", "GREEN", "AMBER", "RED")

Done = Callable[[Answer], None]


class AcmeShoe:
    """The link to one shoe."""

    def __init__(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> None:
        if config.name != "shoe" or config.port is None:
            raise DriverError(f"devices.{config.name}: acme-lines drives a shoe on a serial port")
        self._name, self._loop, self._listener = config.name, loop, listener
        self._carrier = SerialCarrier(loop, config.port, config.baud, self, opening=b"\n")
        self._session, self._stored = resume
        self._taken = self._stored
        self._up = self._told_down = False
        self._heard_at = self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._line = bytearray()
        self._queue: deque[tuple[str, str, Done]] = deque()
        self._outstanding: tuple[str, Done] | None = None
        self._bad_lines = 0

    # DeviceLink

    def start(self) -> None:
        """Open the port; the carrier keeps it open, whatever becomes of it."""
        self._carrier.start()

    def command(self, name: str, fields: Mapping[str, Value], done: Done) -> None:
        """GATE and SIGNAL in the maker's words; the shoe knows no other command."""
        if name == "GATE":
            words = f"OPEN {fields['cards']}" if fields["unlocked"] else "LOCK"
        elif name == "SIGNAL":
            words = f"LAMP {COLOURS[int(str(fields['colour']))]} {fields['blink']}"
        else:
            self._loop.call_soon(done, Answer(name, nak=1))
            return
        if not self._up:
            self._loop.call_soon(done, Answer(name))  # lost: nothing is known of it
            return
        self._queue.append((name, words, done))
        self._send_next()

    def acknowledge(self, session: int, event_no: int) -> None:
        """DUTY: only now, never when the event arrives. Until this the shoe must keep it."""
        if session == self._session and event_no > self._stored:
            self._stored = event_no
            self._send_words(f"GOT {event_no}")

    def statistics(self) -> Mapping[str, int]:
        """For the technician."""
        return {"bad_lines": self._bad_lines, **self._carrier.statistics()}

    async def close(self) -> None:
        """Nothing is called afterwards."""
        if self._timer is not None:
            self._timer.cancel()
        self._queue.clear()
        self._outstanding = None
        await self._carrier.close()

    # CarrierListener

    def carrier_opened(self) -> None:
        """Ask who is there."""
        self._line.clear()
        self._heard_at = self._loop.time()
        self._beat()

    def carrier_closed(self, reason: str) -> None:
        """The port is gone or not there."""
        if self._timer is not None:
            self._timer.cancel()
        self._down(reason)

    def carrier_received(self, data: bytes) -> None:
        """Cut into lines; a line that makes no sense is dropped, not waited for."""
        for byte in data:
            if byte != ord("\n"):
                if len(self._line) < MAX_LINE_BYTES:
                    self._line.append(byte)
                continue
            words, self._line = self._line.decode("ascii", "replace").split(), bytearray()
            try:
                self._understand(words)
            except (ValueError, IndexError):
                self._bad_lines += 1

    # Within

    def _understand(self, words: list[str]) -> None:
        if not words:
            return
        if words[0] == "IM":
            self._greeted(words)
        elif words[0] == "EV" and self._up:
            self._event([int(word) for word in (*words[1:3], *words[4:])], words[3])
        elif words[0] in ("OK", "NO") and self._outstanding is not None:
            number = int(words[1])
            (name, done), self._outstanding = self._outstanding, None
            fields: dict[str, Value] = {"last_event": number} if name == "GATE" else {}
            done(Answer(name, fields=fields) if words[0] == "OK" else Answer(name, nak=number))
            self._send_next()
        elif words[0] not in ("EV", "OK", "NO"):
            raise ValueError(words[0])
        self._heard_at = self._loop.time()

    def _greeted(self, words: list[str]) -> None:
        firmware = tuple(int(part) for part in words[4].split("."))
        session, last = int(words[6]), int(words[8])
        if self._up and session == self._session:
            return
        # DUTY: another session than the stored one, or one that has gone back, may have lost
        # events; the controller must hear of it.
        known = self._session != 0
        new = session != self._session or last < self._stored
        if new:
            self._session, self._stored = session, 0
        # DUTY: what was handed over but never acknowledged is not handed over again by this link.
        self._taken = self._stored if new else max(self._taken, self._stored)
        self._up, self._told_down = True, False
        if self._stored:
            self._send_words(f"GOT {self._stored}")
        identity = Identity("shoe", words[2], firmware, "", capabilities=0b1001)
        self._listener.link_up(
            LinkUp(self._name, identity, session, new and known, last, self._taken)
        )

    def _event(self, numbers: list[int], name: str) -> None:
        event_no, t_ms, *body = numbers
        if event_no <= self._stored:
            self._send_words(f"GOT {self._stored}")  # its acknowledgement was lost
        if event_no != self._taken + 1:
            return  # DUTY: once and in order; repeated ones and gaps come again
        layout = {"CARD": ("rank", "suit", "flags", "remaining"), "STATE": ("state", "remaining")}
        fields: dict[str, Value] = dict(zip(layout[name], body, strict=True))
        if name == "CARD":
            fields["card_uid"] = 0
        self._taken = event_no
        kind = "CARD" if name == "CARD" else "SHOE_STATE"
        self._listener.device_event(
            DeviceEvent(self._name, self._session, event_no, t_ms, kind, fields)
        )

    def _beat(self) -> None:
        now = self._loop.time()
        if now - self._heard_at > SILENT_AFTER_S:
            self._down("the Acme shoe does not answer")
        elif self._outstanding is not None and now - self._sent_at > SILENT_AFTER_S:
            self._down("the Acme shoe does not answer a command")
        self._send_words("WHO")
        self._timer = self._loop.call_later(WHO_EVERY_S, self._beat)

    def _down(self, reason: str) -> None:
        was_up, self._up = self._up, False
        lost = [(name, done) for name, _, done in self._queue]
        if self._outstanding is not None:
            lost.insert(0, self._outstanding)
        self._queue.clear()
        self._outstanding = None
        if was_up or not self._told_down:
            self._told_down = True
            self._listener.link_down(LinkDown(self._name, reason))
        for name, done in lost:
            done(Answer(name))

    def _send_next(self) -> None:
        if self._outstanding is None and self._queue:
            name, words, done = self._queue.popleft()
            self._outstanding = (name, done)
            self._sent_at = self._loop.time()
            self._send_words(words)

    def _send_words(self, words: str) -> None:
        self._carrier.send(words.encode("ascii") + b"\n")


def open_link(
    config: DeviceConfig,
    loop: asyncio.AbstractEventLoop,
    listener: DeviceListener,
    resume: tuple[int, int],
) -> DeviceLink:
    """What the entry point names."""
    return AcmeShoe(config, loop, listener, resume)
