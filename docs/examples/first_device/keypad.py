"""A whole Table Link device in one file and nothing but Python: a dealer keypad.

To start from, in whatever language the firmware is written. Run it on a serial port and type keys,
a line at a time (docs/first-device.md)::

    python keypad.py /dev/ttyGS0 keypad.memory

It passes the conformance run. What it leaves out: a display (rows and lamps are taken and kept).
Numbers of sections are those of docs/integrators.md.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import select
import struct
import sys
import time
import tty
import zlib
from collections import OrderedDict, deque
from pathlib import Path

KIND, SERIAL, FIRMWARE = 4, b"FIRST-0001", (0, 1, 0)
IMAGE = b"what the flash holds"
HELLO, PING, EVENT_ACK, RESET, SELF_TEST, AUTHENTICATE, TEXT, LAMPS = 1, 2, 3, 4, 5, 6, 0x28, 0x29
BODIES = {HELLO: 8, PING: 0, RESET: 0, SELF_TEST: 0, AUTHENTICATE: 16, TEXT: 21, LAMPS: 4}
KEY, NAK, ANSWER = 0x70, 0xFF, 0x80
UNKNOWN, BAD_BODY, HELLO_FIRST = 1, 2, 6
GONE_AFTER_S, AGAIN_AFTER_S, WINDOW, REMEMBERED, LONGEST = 2.0, 0.2, 8, 8, 57


def seal(number: int, command_id: int, body: bytes = b"") -> bytes:
    """Section 1: version, type, id, body, CRC."""
    start = struct.pack("<BBH", 1, number, command_id) + body
    return start + struct.pack("<I", zlib.crc32(start))


def stuffed(payload: bytes) -> bytes:
    """Section 2: COBS and a 0x00. A payload is shorter than 254 bytes, so that a block ends at a
    zero and nowhere else: its first byte tells how far that is."""
    return b"".join(bytes([len(part) + 1]) + part for part in payload.split(b"\0")) + b"\0"


def unstuffed(frame: bytes) -> bytes:
    """The other way round; b"" for what is none."""
    parts = []
    while frame:
        length = frame[0]
        if length > len(frame):
            return b""
        parts.append(frame[1:length])
        frame = frame[length:]
    return b"\0".join(parts)


def flush(path: Path) -> None:
    """A file's bytes, or a folder's names, outlast a loss of power from here on."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


class Keypad:
    """The device: what it remembers, and what it answers."""

    def __init__(self, fd: int, memory: Path) -> None:
        self.fd, self.memory = fd, memory
        self.held = bytearray()
        self.skipping = False
        self.power_on()

    def power_on(self) -> None:
        """A start: the session goes on where its memory is whole, or another one begins."""
        self.began, self.greeted, self.heard_at = time.monotonic(), False, 0.0
        self.answers: OrderedDict[int, bytes] = OrderedDict()
        self.in_flight, self.again_at = 0, 0.0
        try:
            told = json.loads(self.memory.read_text("ascii"))
            self.session, self.last = told["session"], told["last"]
            self.events = deque(bytes.fromhex(event) for event in told["events"])
        except (OSError, ValueError, KeyError):
            self.session, self.last, self.events = secrets.randbelow(0xFFFFFFFF) + 1, 0, deque()
            self.remember()

    def remember(self) -> None:
        """Before a byte of it goes out: whole, beside, flushed, then renamed (section 4). Without
        the flushes a loss of power brings the old numbers back, and they are given out twice."""
        told = {"session": self.session, "last": self.last}
        told["events"] = [event.hex() for event in self.events]
        beside = self.memory.with_suffix(".new")
        beside.write_text(json.dumps(told), "ascii")
        flush(beside)
        beside.replace(self.memory)
        flush(self.memory.parent)

    # ---- events: section 4 --------------------------------------------------------------------

    def key(self, key: str) -> None:
        """A key is pressed; without a controller it is not taken (section 3, alive)."""
        if self.greeted:
            self.last += 1
            body = struct.pack("<IIBB", self.last, self.uptime(), ord(key), 0)
            self.events.append(seal(KEY, 0, body))
            self.remember()

    def drop_through(self, number: int) -> bool:
        """An acknowledgement, or HELLO: whether it covers something. Beyond the last: nothing."""
        covered = number - (self.last - len(self.events))
        if not 0 < covered <= len(self.events):
            return False
        for _ in range(covered):
            self.events.popleft()
        self.in_flight = max(0, self.in_flight - covered)
        self.remember()
        return True

    def send_events(self) -> None:
        """What is due: those in flight after 200 ms without progress, then new ones up to eight."""
        if not self.greeted or not self.events:
            return
        now = time.monotonic()
        if self.in_flight and now >= self.again_at:
            self.again_at = now + AGAIN_AFTER_S
            for event in list(self.events)[: self.in_flight]:
                self.send(event)
        if not self.in_flight:
            self.again_at = now + AGAIN_AFTER_S
        while self.in_flight < min(len(self.events), WINDOW):
            self.send(self.events[self.in_flight])
            self.in_flight += 1

    # ---- commands: section 3 ------------------------------------------------------------------

    def receive(self, payload: bytes) -> None:
        """One payload, in the order in which it is judged."""
        if not 8 <= len(payload) <= 56 or payload[0] != 1:
            return
        if zlib.crc32(payload[:-4]) != struct.unpack("<I", payload[-4:])[0]:
            return
        number, command_id = struct.unpack_from("<xBH", payload)
        body = payload[4:-4]
        if number == EVENT_ACK and command_id == 0 and len(body) == 8:
            self.heard_at = time.monotonic()
            session, event_no = struct.unpack("<II", body)
            if self.greeted and session == self.session and self.drop_through(event_no):
                self.again_at = time.monotonic() + AGAIN_AFTER_S
            return
        if number >= ANSWER or command_id == 0 or number == EVENT_ACK:
            return
        self.heard_at = time.monotonic()
        if number == HELLO and len(body) == BODIES[HELLO]:
            self.hello(command_id, body)
        elif number == HELLO:
            self.send(seal(NAK, command_id, bytes([BAD_BODY, number])))
        elif not self.greeted:
            self.send(seal(NAK, command_id, bytes([HELLO_FIRST, number])))
        else:
            if command_id not in self.answers:
                self.answers[command_id] = self.answer(number, command_id, body)
                while len(self.answers) > REMEMBERED:
                    self.answers.popitem(last=False)
            self.send(self.answers[command_id])
            if number == RESET and not body:
                self.power_on()

    def hello(self, command_id: int, body: bytes) -> None:
        """Always afresh; the memory of answers is empty from here."""
        session, event_no = struct.unpack("<II", body)
        self.answers.clear()
        if session == self.session:
            self.drop_through(event_no)
        oldest = self.last - len(self.events) + 1 if self.events else 0
        told = struct.pack("<BBIIII", KIND, 0, self.session, oldest, self.last, 0)
        told += bytes(FIRMWARE) + SERIAL.ljust(12, b"\0") + hashlib.sha256(IMAGE).digest()[:8]
        self.send(seal(HELLO | ANSWER, command_id, told))
        self.greeted, self.in_flight = True, 0

    def answer(self, number: int, command_id: int, body: bytes) -> bytes:
        """A command that has not been answered before."""
        code = 0
        if number not in BODIES:
            code = UNKNOWN
        elif len(body) != BODIES[number] or (number == TEXT and (body[0] > 1 or max(body) > 126)):
            code = BAD_BODY
        if code:
            return seal(NAK, command_id, bytes([code, number]))
        told = b""
        if number == PING:
            told = struct.pack("<IBHH", self.uptime(), 0, 0, len(self.events))
        elif number == SELF_TEST:
            told = struct.pack("<HH", 0, 1)
        elif number == AUTHENTICATE:
            told = hashlib.sha256(body + IMAGE).digest()
        return seal(number | ANSWER, command_id, told)

    # ---- the line: section 2 ------------------------------------------------------------------

    def uptime(self) -> int:
        """Milliseconds since the start."""
        return int((time.monotonic() - self.began) * 1000) & 0xFFFFFFFF

    def send(self, payload: bytes) -> None:
        """A frame."""
        os.write(self.fd, stuffed(payload))

    def feed(self, data: bytes) -> None:
        """Bytes as they come: a frame ends with 0x00, more than 57 bytes without one are noise."""
        for byte in data:
            if byte:
                self.skipping = self.skipping or len(self.held) >= LONGEST
                if not self.skipping:
                    self.held.append(byte)
                continue
            if self.held and not self.skipping:
                self.receive(unstuffed(bytes(self.held)))
            self.held.clear()
            self.skipping = False

    def run_until_end(self) -> None:
        """Until the keys end."""
        while True:
            ready = select.select([self.fd, 0], [], [], 0.02)[0]
            if self.fd in ready:
                self.feed(os.read(self.fd, 4096))
            if self.greeted and time.monotonic() - self.heard_at > GONE_AFTER_S:
                self.greeted, self.in_flight = False, 0
            if 0 in ready:
                typed = os.read(0, 4096)
                if not typed:
                    return
                for key in typed.decode().strip():
                    self.key(key)
            self.send_events()


if __name__ == "__main__":
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    Keypad(line, Path(sys.argv[2])).run_until_end()
