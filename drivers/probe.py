"""Identifies the device on a port, without a daemon and without knowing its kind.

A probe says HELLO with session 0 and event 0, which confirms nothing that the device has not had
confirmed, then PING. To a device in use that would still be an interruption: its controller would
find its commands refused. So a port that another process holds is refused (``DriverError``), and
the daemon holds its ports as long as it runs. After a probe the device misses its controller and
makes itself safe within 2 s (protocol section 3).
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import select
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import usb.core

from drivers.adapters import ports
from drivers.api import DriverError, Identity, NoAnswerError, Value
from drivers.carriers.serial_port import close_port, open_port
from drivers.carriers.usb_unit import explain, list_units, open_unit
from drivers.registry import USB_FORM
from drivers.table_link.framing import DELIMITER, Deframer, encode_frame
from drivers.table_link.greeting import Greeting
from drivers.table_link.messages import (
    ANSWER_BIT,
    COMMANDS,
    NAK,
    DroppedError,
    Message,
    decode,
    encode,
)
from drivers.table_link.timing import (
    ANSWER_WITHIN_S,
    PING_EVERY_S,
    TRANSMISSIONS,
    answer_within_s,
)
from drivers.vocabulary import fault_names

VENDOR, PRODUCT = 0x1209, 0x0001
NOTHING_CONFIRMED: Mapping[str, Value] = {"session_id": 0, "event_no": 0}
LINKS = Path("/dev/table")
"""Where the udev rules put links that keep their names."""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Who answered on ``port``, and how it is.

    ``last_event`` and ``unacked`` tell whether it has something to say; ``faults`` are names of
    the bits of PING; ``round_trip_ms`` is that of the PING.
    """

    port: str
    identity: Identity
    session: int
    last_event: int
    unacked: int
    state: int
    faults: tuple[str, ...]
    uptime_ms: int
    round_trip_ms: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A port that a device may be on: the name for the configuration, and what is known of it."""

    port: str
    description: str


def probe(port: str, baud: int = 115200) -> ProbeReport:
    """Ask the device on a serial port, or the USB unit ``VENDOR:PRODUCT[:SERIAL]``.

    ``DriverError``: the port cannot be opened or is in use, nobody answers there, or what
    answers is no device of a table.
    """
    line = open_line(port, baud)
    first_id = some_id()
    try:
        hello = Greeting.from_fields(ask_device(line, port, "HELLO", first_id, NOTHING_CONFIRMED))
        began = time.perf_counter()
        ping = ask_device(line, port, "PING", first_id + 1, {})
        round_trip_ms = (time.perf_counter() - began) * 1000
    finally:
        line.close()
    faults = ping["faults"]
    assert isinstance(faults, int)
    return ProbeReport(
        port=port,
        identity=hello.identity,
        session=hello.session_id,
        last_event=hello.last_event,
        unacked=int(str(ping["unacked"])),
        state=int(str(ping["state"])),
        faults=tuple(fault_names(faults)),
        uptime_ms=int(str(ping["uptime_ms"])),
        round_trip_ms=round_trip_ms,
    )


def list_ports() -> list[Candidate]:
    """Ports worth probing: named links first, then serial ports, then USB units. None is opened
    but to read a USB unit's serial number."""
    found = []
    if LINKS.is_dir():
        for link in sorted(LINKS.iterdir()):
            found.append(Candidate(str(link), f"leads to {link.resolve()}"))
    for port in ports():
        number = f", serial number {port.number}" if port.number else ""
        found.append(Candidate(port.path, (port.description or "serial port") + number))
    try:
        units = list_units(VENDOR, PRODUCT)
    except DriverError as error:
        return [*found, Candidate(f"{VENDOR:04x}:{PRODUCT:04x}", str(error))]
    return found + [Candidate(unit, "USB unit that speaks Table Link") for unit in units]


def open_line(port: str, baud: int) -> OpenPort:
    """The serial port or USB unit, for this process alone; ``DriverError`` when it cannot be."""
    return _UsbLine(port) if USB_FORM.fullmatch(port) else _SerialLine(port, baud)


def some_id() -> int:
    """An id that no command just sent has, and the next one neither."""
    return random.randint(1, 0xFFFE)  # noqa: S311 - tells answers apart, guards nothing


def ask_device(
    line: OpenPort,
    port: str,
    name: str,
    command_id: int,
    fields: Mapping[str, Value],
    meanwhile: bytes = b"",
) -> Mapping[str, Value]:
    """The answer's fields; ``meanwhile`` is sent now and then while a long command is at work.

    ``NoAnswerError``: nobody answers, with what came instead. ``DriverError``: the device refuses.
    """
    number = COMMANDS[name].type
    for _ in range(TRANSMISSIONS):
        line.send(encode(number, command_id, fields))
        until = time.monotonic() + answer_within_s(name)
        while (left_s := until - time.monotonic()) > 0:
            heard = line.receive(min(left_s, PING_EVERY_S))
            if meanwhile:
                line.send(meanwhile)
            for message in heard:
                if message.id == command_id and message.type == number | ANSWER_BIT:
                    return message.fields
                refused = message.fields.get("refused")
                if message.id == command_id and message.type == NAK and refused == number:
                    code = message.fields["code"]
                    raise DriverError(f"{port}: the device refuses {name} (NAK {code})")
    raise NoAnswerError(f"{port}: nobody answers {name}", line.damaged, line.in_vain)


class OpenPort(Protocol):
    """An open port, for asking; ``damaged`` and ``in_vain`` as in
    :class:`~drivers.api.NoAnswerError`."""

    in_vain: int

    @property
    def damaged(self) -> int:
        """Messages that came and could not be read."""

    def send(self, payload: bytes) -> None:
        """Send a payload; the caller sends one that is not taken again."""

    def receive(self, within_s: float) -> list[Message]:
        """What has come within that time."""

    def close(self) -> None:
        """Give the port back."""


class _SerialLine:
    def __init__(self, path: str, baud: int) -> None:
        self._dropped = self.in_vain = 0
        self._path = path
        self._port = open_port(path, baud)
        self._deframer = Deframer()
        self._write(DELIMITER)

    @property
    def damaged(self) -> int:
        return self._deframer.bad_frames + self._deframer.noise + self._dropped

    def send(self, payload: bytes) -> None:
        self._write(encode_frame(payload))

    def receive(self, within_s: float) -> list[Message]:
        fd = self._port.fileno()
        if not select.select([fd], [], [], within_s)[0]:
            return []
        try:
            data = os.read(fd, 4096)
        except BlockingIOError:
            self.in_vain += 1
            return []
        except OSError as error:
            raise DriverError(f"{self._path} has hung up", error.errno) from error
        if not data:
            raise DriverError(f"{self._path} has hung up", errno.EIO)
        messages, dropped = _messages(self._deframer.feed(data))
        self._dropped += dropped
        return messages

    def close(self) -> None:
        close_port(self._port)

    def _write(self, data: bytes) -> None:
        try:
            os.write(self._port.fileno(), data)
        except BlockingIOError:
            pass  # it is sent again
        except OSError as error:
            raise DriverError(f"{self._path} has hung up", error.errno) from error


class _UsbLine:
    def __init__(self, wanted: str) -> None:
        self.damaged = self.in_vain = 0
        self._wanted = wanted
        self._unit = open_unit(wanted)

    def send(self, payload: bytes) -> None:
        try:
            self._unit.write(payload, ANSWER_WITHIN_S)
        except usb.core.USBTimeoutError:
            pass  # it is sent again
        except usb.core.USBError as error:
            raise explain(self._wanted, error) from error

    def receive(self, within_s: float) -> list[Message]:
        try:
            messages, dropped = _messages([self._unit.read_packet(max(within_s, 0.001))])
            self.damaged += dropped
            return messages
        except usb.core.USBTimeoutError:
            return []
        except usb.core.USBError as error:
            raise explain(self._wanted, error) from error

    def close(self) -> None:
        self._unit.close()


def _messages(payloads: list[bytes]) -> tuple[list[Message], int]:
    """The messages among the payloads, and how many of these are none."""
    found = []
    for payload in payloads:
        with contextlib.suppress(DroppedError):
            found.append(decode(payload))
    return found, len(payloads) - len(found)
