"""A whole table on one thread: four fast devices, the daemon between them, a dealer's commands.

Everything waits for something that is said on a line or the socket; whoever waits serves all
devices meanwhile, so that the daemon never waits for this side.

A fast device is the far end of a pseudo-terminal, stamped where the bytes pass. The simulators
remember, pace themselves and run in processes of their own; what is measured here is the daemon, so
this end answers at once. A frame counts as complete on the wire from just before the ``write`` that
carries it whole, an answer as arrived just after the ``read`` that brings it: what the kernel takes
for both is on the daemon's bill.
"""

from __future__ import annotations

import json
import os
import select
import socket
import time
import tty
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.control.protocol import Request, encode_request
from drivers.api import Value
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import Commanded
from drivers.table_link.messages import EVENT_ACK, HELLO, decode
from hil_tests.bench.setup import least_configuration
from proof.benchmarks.daemon import Process

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
        now_ns = time.perf_counter_ns()
        now = time.monotonic()
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


KINDS = ("shoe", "jackpot", "keypad", "shuffler")
PATIENCE_S = 20.0


class Table:
    """``devices`` by name; ``daemon`` once started; ``control`` is the socket's path."""

    def __init__(self, directory: Path, state: Path, rest_s: float) -> None:
        self._rest_s = rest_s
        self._log = directory / "daemon.log"
        self.control = directory / "control.sock"
        self.configuration = directory / "table.toml"
        links = {kind: directory / kind for kind in KINDS}
        self.devices = {kind: Device(kind, link) for kind, link in links.items()}
        text = least_configuration(
            links, state, self.control, table="BENCH", people="nobody", spin_ms=1000
        )
        self.configuration.write_text(text, encoding="utf-8")
        self.daemon: Process | None = None
        self._control: socket.socket | None = None
        self._heard = b""
        self._id = 0

    def start(self) -> None:
        """Start the daemon and wait until all devices are up."""
        for device in self.devices.values():
            device.greeted_ns = 0
        arguments = ("-m", "controller.daemon.main", "--config", str(self.configuration))
        self.daemon = Process(*arguments, log=self._log)
        self.wait(lambda: all(device.greeted_ns for device in self.devices.values()))
        self.wait(self.control.exists)
        self._control = socket.socket(socket.AF_UNIX)
        self._control.connect(str(self.control))
        self.wait(
            lambda: {d["link"] for d in self.answer_to("status")["devices"].values()} == {"up"}
        )

    @property
    def greeted_s(self) -> float:
        """Seconds from the daemon's start to its first HELLO."""
        assert self.daemon
        first_ns = min(device.greeted_ns for device in self.devices.values())
        return (first_ns - self.daemon.started_ns) / 1e9

    def stop(self) -> int:
        """Stop the daemon; its exit status."""
        if self._control:
            self._control.close()
            self._control = None
        return self.daemon.stop(self.serve) if self.daemon else 0

    def close(self) -> None:
        """Stop the daemon, pull the devices."""
        self.stop()
        for device in self.devices.values():
            device.close()

    def rest(self) -> None:
        """Serve until no line has brought anything for a while: what a card has set off (text on
        the keypad) is done before the next one, which a person draws seconds later."""
        while self.serve(self._rest_s):
            continue

    def serve(self, timeout_s: float) -> bool:
        """Serve what comes next, for this long at most; whether anything came."""
        by_fd = {device.fd: device for device in self.devices.values()}
        waiting: list[Any] = [*by_fd, *([self._control] if self._control else [])]
        ready, _, _ = select.select(waiting, [], [], timeout_s)
        for source in ready:
            if source is self._control:
                self._heard += self._control.recv(1 << 16) if self._control else b""
            else:
                by_fd[source].readable()
        for device in () if ready else self.devices.values():
            device.poll()
        return bool(ready)

    def wait(self, until: Callable[[], object]) -> None:
        """Serve until it is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not until():
            if time.monotonic() > deadline or not (self.daemon and self.daemon.running):
                log = self._log.read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"the daemon does not go on; its log:\n{log[-4000:]}")
            self.serve(0.05)

    def answer_to(self, do: str, command: str = "") -> dict[str, Any]:
        """Ask over the control socket; the result."""
        assert self._control
        self._id += 1
        self._control.sendall(encode_request(Request(self._id, do, command)))
        self.wait(lambda: b"\n" in self._heard)
        line, _, self._heard = self._heard.partition(b"\n")
        answer = json.loads(line)
        if not answer["ok"]:
            raise RuntimeError(f"{command or do}: {answer['error']}")
        return dict(answer["result"])

    def dealer(self, *commands: str) -> dict[str, Any]:
        """Give dealer's commands in order; the last answer."""
        answers = [self.answer_to("dealer", command) for command in commands]
        return answers[-1]

    def timed(self, kind: str, name: str, **fields: int) -> float:
        """Send an event; microseconds from its frame to the frame that acknowledges it."""
        return self.acknowledged_us(kind, self.sent(kind, name, **fields))

    def sent(self, kind: str, name: str, **fields: int) -> int:
        """Send an event; when its frame was on the wire."""
        # Where the link is down just now, all that it takes to come up again counts.
        return self.devices[kind].emit(name, dict(fields)) or time.perf_counter_ns()

    def acknowledged_us(self, kind: str, begun_ns: int) -> float:
        """Wait until a device's last event is acknowledged; microseconds since then."""
        device = self.devices[kind]
        number = device.last_event
        self.wait(lambda: device.acked >= number)
        return (device.acked_ns - begun_ns) / 1000

    def commanded(self, kind: str, name: str) -> int:
        """Wait for a command; when it was read."""
        device = self.devices[kind]
        self.wait(lambda: name in device.commanded)
        return device.commanded[name][1]
