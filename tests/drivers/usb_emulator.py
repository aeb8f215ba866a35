"""A jackpot unit on a USB bus that only libusb can see: umockdev answers usbfs's ioctls.

Run by the system's Python (which has gi), itself under umockdev-wrapper so that uevents work, and
starts the program after ``--`` as its client. It is handled by a Unix socket like any simulator,
with verbs of its own: ``plug``, ``unplug``, ``stall``, ``packet`` (a raw one).

What libusb expects of the kernel, as far as it is used here:

- SUBMITURB hands in a ``struct usbdevfs_urb`` (56 bytes on 64 bit): type 0, endpoint 1, status 4,
  buffer 16, buffer_length 24, actual_length 28. REAPURBNDELAY gives one back that is done.
- DISCARDURB names the URB by the pointer itself; a discarded one comes back with -ENOENT.
- The node is always ready, so that libusb would spin on EAGAIN: that is answered 2 ms late while a
  URB is under way.
- When the unit goes, what was under way comes back with -ESHUTDOWN; then everything is ENODEV.
- Every ioctl is completed; one that is not aborts the client.
"""

from __future__ import annotations

import errno
import selectors
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # type: ignore[import-not-found]  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[2]))
from simulators.jackpot import Jackpot  # noqa: E402
from simulators.noise import QUIET  # noqa: E402
from simulators.server import HandsServer  # noqa: E402
from simulators.twin import Twin  # noqa: E402

SYS = "/devices/pci0000:00/0000:00:14.0/usb1/1-1"
HUB = "/devices/pci0000:00/0000:00:14.0/usb1"
SERIAL = "JP-0001"
STRINGS = {1: "Table Link", 2: "Jackpot unit", 3: SERIAL}
TURN_S = 0.001
LATE_S = 0.002
GONE, NO_ENTRY, STALL, SHUT_DOWN = errno.ENODEV, -errno.ENOENT, -errno.EPIPE, -errno.ESHUTDOWN
ENDPOINT_IN, CONTROL = 0x81, 2
SETCONFIGURATION, SUBMITURB, DISCARDURB, REAPURB, REAPURBNDELAY = 5, 10, 11, 12, 13
GET_CAPABILITIES, CLEAR_HALT = 26, 21

DEVICE = bytes([18, 1, 0, 2, 0, 0, 0, 64, 0x09, 0x12, 0x01, 0x00, 0, 1, 1, 2, 3, 1])
HUB_DEVICE = bytes([18, 1, 0, 2, 9, 0, 1, 64, 0x6B, 0x1D, 2, 0, 0, 1, 0, 0, 0, 1])
HUB_CONFIG = bytes([9, 2, 18, 0, 1, 1, 0, 0xE0, 0, 9, 4, 0, 0, 0, 9, 0, 0, 0])
CONFIG = bytes.fromhex("0902200001010080320904000002ff5001000705810340000107050103400001")


Result = tuple[int, int, float]
"""What an ioctl returns, its errno, and how late."""


class Urb:
    def __init__(self, client: Any) -> None:
        self.address = struct.unpack("<Q", bytes(client.get_arg().retrieve()[:8]))[0]
        self.data = client.get_arg().resolve(0, 56)
        raw = bytes(self.data.retrieve())
        self.type, self.endpoint = raw[0], raw[1]
        (self.length,) = struct.unpack_from("<i", raw, 24)
        self.buffer: Any = self.data.resolve(16, self.length) if self.length else None

    def finish(self, status: int, actual: int = 0) -> Urb:
        self.data.update(4, list(struct.pack("<i", status)))
        self.data.update(28, list(struct.pack("<i", actual)))
        return self


class Plugged(UMockdev.IoctlBase):  # type: ignore[misc]
    """usbfs of a unit for as long as it is plugged in; later it only says that it is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self.gone = False
        self.stalled = False
        self.pending: deque[Urb] = deque()
        self.done: deque[Urb] = deque()
        self.to_host: deque[bytes] = deque()
        self.to_device: deque[bytes] = deque()
        self.halts_cleared = 0

    def do_handle_ioctl(self, client: Any) -> bool:
        try:
            with self.lock:
                result, code, wait_s = self.answer(client)
        except Exception:
            traceback.print_exc()
            result, code, wait_s = -1, errno.EIO, 0
        if wait_s:
            time.sleep(wait_s)
        client.complete(result, code)
        return True

    def answer(self, client: Any) -> Result:
        request = client.get_request() & 0xFF
        if request == DISCARDURB:
            return self.discard(client)
        if request in (REAPURB, REAPURBNDELAY):
            return self.reap(client)
        if self.gone:
            return -1, GONE, 0
        if request == SUBMITURB:
            self.submit(Urb(client))
        elif request == GET_CAPABILITIES:
            client.get_arg().resolve(0, 4).update(0, [0, 0, 0, 0])
        elif request == CLEAR_HALT:
            endpoint = bytes(client.get_arg().resolve(0, 4).retrieve())[0]
            self.halts_cleared += 1
            if endpoint == ENDPOINT_IN:
                self.stalled = False
        return 0, 0, 0

    def submit(self, urb: Urb) -> None:
        if urb.type == CONTROL:
            self.done.append(self.control(urb))
        elif self.stalled:
            self.done.append(urb.finish(STALL))
        elif urb.endpoint == ENDPOINT_IN:
            self.pending.append(urb)
        else:
            self.to_device.append(bytes(urb.buffer.retrieve()) if urb.buffer else b"")
            self.done.append(urb.finish(0, urb.length))

    def control(self, urb: Urb) -> Urb:
        kind, ask, value, _, length = struct.unpack_from("<BBHHH", bytes(urb.buffer.retrieve()))
        if (kind, ask) != (0x80, 6) or value >> 8 != 3:
            return urb.finish(STALL)
        if value & 0xFF == 0:
            body = struct.pack("<H", 0x0409)
        else:
            body = STRINGS[value & 0xFF].encode("utf-16-le")
        answer = (bytes([len(body) + 2, 3]) + body)[:length]
        urb.buffer.update(8, list(answer))
        return urb.finish(0, len(answer))

    def reap(self, client: Any) -> Result:
        if self.gone and not self.done:
            return -1, GONE, 0
        if self.stalled:
            while self.pending:
                self.done.append(self.pending.popleft().finish(STALL))
        while self.pending and self.to_host:
            urb, packet = self.pending.popleft(), self.to_host.popleft()
            if packet:
                urb.buffer.update(0, list(packet))
            self.done.append(urb.finish(0, len(packet)))
        if not self.done:
            return -1, errno.EAGAIN, LATE_S if self.pending else 0
        client.get_arg().resolve(0, 8).set_ptr(0, self.done.popleft().data)
        return 0, 0, 0

    def discard(self, client: Any) -> Result:
        address = struct.unpack("<Q", bytes(client.get_arg().retrieve()[:8]))[0]
        for urb in list(self.pending):
            if urb.address == address:
                self.pending.remove(urb)
                self.done.append(urb.finish(NO_ENTRY))
                return 0, 0, 0
        return -1, errno.EINVAL, 0


class Bus:
    """The socket that the unit is plugged into; a Line for simulators.twin."""

    noise = QUIET

    def __init__(self) -> None:
        self.bed = UMockdev.Testbed.new()
        self.number = 1
        self.unit: Plugged | None = None
        self.kept: list[
            Plugged
        ] = []  # a handler that goes while a client is open takes the client with it
        self.halts_cleared = 0
        self.add(HUB, 1, HUB_DEVICE + HUB_CONFIG, "1D6B 0002")  # libusb fails on an empty bus

    @property
    def fd(self) -> int:
        return 0 if self.unit else -1

    @property
    def port(self) -> str:
        return f"/dev/bus/usb/001/{self.number:03d}"

    def plug(self) -> None:
        if self.unit:
            return
        self.number += 1
        self.unit = Plugged()
        self.kept.append(self.unit)
        self.bed.attach_ioctl(self.port, self.unit)
        self.add(SYS, self.number, DEVICE + CONFIG, "1209 0001")
        self.bed.uevent(f"/sys{SYS}", "add")

    def add(self, where: str, number: int, descriptors: bytes, ids: str) -> None:
        vendor, product = ids.split()
        self.bed.add_from_string(
            f"P: {where}\nN: bus/usb/001/{number:03d}\n"
            "E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nE: MAJOR=189\n"
            f"E: DEVNAME=/dev/bus/usb/001/{number:03d}\nE: BUSNUM=001\nE: DEVNUM={number:03d}\n"
            f"E: MINOR={number - 1}\n"
            f"A: busnum=1\nA: devnum={number}\nA: speed=12\nA: bConfigurationValue=1\n"
            f"A: idVendor={vendor}\nA: idProduct={product}\nA: serial={SERIAL}\n"
            f"H: descriptors={descriptors.hex().upper()}\n"
        )

    def unplug(self) -> None:
        if not self.unit:
            return
        unit, self.unit = self.unit, None
        with unit.lock:
            unit.gone = True
            while unit.pending:
                unit.done.append(unit.pending.popleft().finish(SHUT_DOWN))
            self.halts_cleared += unit.halts_cleared
        self.bed.uevent(f"/sys{SYS}", "remove")
        self.bed.remove_device(f"/sys{SYS}")

    def receive(self) -> list[bytes]:
        if not self.unit:
            return []
        with self.unit.lock:
            payloads = list(self.unit.to_device)
            self.unit.to_device.clear()
        return payloads

    def send(self, payloads: list[bytes]) -> None:
        if self.unit:
            with self.unit.lock:
                self.unit.to_host.extend(payloads)

    def write(self, data: bytes) -> None:
        self.send([data])

    def cut_after(self, count: int) -> None:
        raise ValueError("a packet goes whole")

    def counters(self) -> dict[str, int]:
        now = self.unit.halts_cleared if self.unit else 0
        return {"halts_cleared": self.halts_cleared + now}


def main() -> int:
    hands, client = sys.argv[1], sys.argv[sys.argv.index("--") + 1 :]
    bus = Bus()
    twin = Twin(Jackpot, bus, SERIAL)

    def act(request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "stall":
            assert bus.unit is not None
            with bus.unit.lock:
                bus.unit.stalled = True
            return {}
        if request["do"] == "packet":
            bus.send([bytes.fromhex(request["hex"])])
            return {}
        return twin.do(request)

    twin.do_plug()
    with selectors.DefaultSelector() as selector:
        server = HandsServer(selector, act, lambda: {"ready": True, "port": bus.port})
        server.listen(Path(hands))
        process = subprocess.Popen(client)
        try:
            while process.poll() is None:
                twin.turn()
                if server.watched:
                    server.tell(twin.state())
                for key, _ in selector.select(TURN_S):
                    key.data()
        finally:
            process.kill()
            server.close()
            bus.unplug()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main())
