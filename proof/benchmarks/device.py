"""A device that loses no time: the far end of a pseudo-terminal, stamped where the bytes pass.

The simulators remember, pace themselves and run in processes of their own; what is measured here is
the daemon, so this end answers at once. A frame counts as complete on the wire from just before
the ``write`` that carries it whole, an answer as arrived just after the ``read`` that brings it:
what the kernel takes for both is on the daemon's bill.
"""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Mapping
from pathlib import Path

from drivers.api import Value
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import Commanded
from drivers.table_link.messages import EVENT_ACK, HELLO, decode

CAPABILITIES = {"shoe": 0b1001}
PRESENT: Mapping[str, tuple[str, Mapping[str, Value]]] = {
    "shoe": ("SHOE_STATE", {"state": 1, "remaining": 0xFFFF}),
    "shuffler": ("SHUFFLER_STATE", {"state": 0, "set": 1, "count": 0, "progress": 0}),
    "jackpot": ("COVER", {"open": 0}),
}
"""What begins a device's session."""


class Device:
    """One device. ``acked`` is the last event acknowledged and ``acked_ns`` when that was read;
    ``commanded`` the commands since it was cleared, by name, with fields and time of reading;
    ``allowance`` what the gate still lets through; ``greeted_ns`` when HELLO was first read."""

    def __init__(self, kind: str, link: Path) -> None:
        self.kind = kind
        self.acked = self.acked_ns = self.greeted_ns = 0
        self.commanded: dict[str, tuple[Mapping[str, Value], int]] = {}
        self.allowance = 0
        self._meter = {"state": 0, "offer_id": 0, "box": 0, "multiplier": 0, "pressed": 0}
        self._deframer = Deframer()
        self._session = DeviceSession(
            kind,
            capabilities=CAPABILITIES.get(kind, 0),
            firmware=(1, 0, 0),
            serial=f"BENCH-{kind.upper()}"[:12],
            digest="00" * 8,
            session_id=int.from_bytes(os.urandom(3), "little") + 1,
            present_state=lambda: [PRESENT[kind]] if kind in PRESENT else [],
        )
        self._session.started(time.monotonic())
        self.fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))

    def close(self) -> None:
        """Unplugging it."""
        os.close(self._slave)
        os.close(self.fd)

    @property
    def last_event(self) -> int:
        """The number of the last event made."""
        return self._session.last_event

    def emit(self, name: str, fields: Mapping[str, Value]) -> int:
        """Make an event and send it; when its frame was complete on the wire."""
        self._session.event(name, fields, time.monotonic())
        if name == "CARD":
            self.allowance -= 1
        return self._send()

    def readable(self) -> None:
        """Take what the line brought, and answer."""
        data = os.read(self.fd, 4096)
        now_ns, now = time.perf_counter_ns(), time.monotonic()
        for payload in self._deframer.feed(data):
            message = decode(payload)
            if message.type == EVENT_ACK:
                self.acked, self.acked_ns = int(str(message.fields["event_no"])), now_ns
            elif message.type == HELLO and not self.greeted_ns:
                self.greeted_ns = now_ns
            self._session.receive(payload, now)
            for event in self._session.take_events():
                if isinstance(event, Commanded):
                    self.commanded[event.name] = (event.fields, now_ns)
                    self._session.answer(event.id, self._obey(event))
        self._send()

    def poll(self) -> None:
        """Send again what is due; matters when the machine is overloaded."""
        self._session.poll(time.monotonic())
        self._send()

    def _obey(self, command: Commanded) -> Mapping[str, Value]:
        fields = {name: int(str(v)) for name, v in command.fields.items() if name != "text"}
        match command.name:
            case "GATE":
                self.allowance = fields["cards"] if fields["unlocked"] else 0
                return {"last_event": self.last_event}
            case "DISARM":
                return {"last_event": self.last_event}
            case "METER":
                return dict(self._meter)
            case "ARM":
                self._meter |= {"state": 1, "multiplier": 0, "pressed": 0, **fields}
            case "SHOW":
                shown = {"offer_id": fields["offer_id"], "multiplier": fields["multiplier"]}
                self._meter |= {"state": 3, "pressed": 1, **shown}
            case "BLANK":
                self._meter |= {"state": 0, "multiplier": 0}
        return {}

    def _send(self) -> int:
        payloads = self._session.take_output()
        if not payloads:
            return 0
        data = b"".join(map(encode_frame, payloads))
        now_ns = time.perf_counter_ns()
        os.write(self.fd, data)
        return now_ns
