"""A kernel whose USB bus is FOLDER: ``umockdev-wrapper python3 -m ...usb.emulator FOLDER``.

Run by the system's Python, which has gi, under umockdev-wrapper, without which no uevent is sent.
Every socket in the folder is a unit that is plugged in: as it comes or goes, sysfs, the node in
``/dev/bus/usb`` and a uevent follow. The only line on standard output is a JSON object: the
environment with which any program is a client of this kernel. What is plugged in and out goes to
standard error. The end of standard input is its own end.

- One test bed for a process; a bus is never empty (a root hub), else libusb finds fault with it.
- The node of a unit gets another number at every plugging, as in a kernel. Its handler is kept to
  the end: one that goes while a client has it open takes the client with it.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import stat
import struct
import sys
from pathlib import Path
from typing import Final

import gi  # type: ignore[import-not-found]

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # type: ignore[import-not-found]  # noqa: E402

from hil_tests.benches.usb.uevents import UeventSender  # noqa: E402
from hil_tests.benches.usb.usbfs import Usbfs  # noqa: E402
from hil_tests.benches.usbredir_host import Gone, TimedOut, UsbHost  # noqa: E402
from simulators.usb.packets import Control  # noqa: E402

HUB: Final = "/devices/pci0000:00/0000:00:14.0/usb1"
HUB_DEVICE: Final = bytes.fromhex("12010002090001406b1d0200000100000001")
HUB_CONFIGURATION: Final = bytes.fromhex("09021200010100e000090400000009000000")
IN_CREATE, IN_MOVED_TO, IN_DELETE = 0x100, 0x80, 0x200
SERIAL_STRING: Final = 0x0303
ENGLISH: Final = 0x0409


class KernelBus:
    """The bus as libusb and udev see it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bed = UMockdev.Testbed.new()
        self._uevents = UeventSender(self._bed)
        self._last = 1
        self._ports: dict[str, int] = {}
        self._plugged: dict[str, tuple[int, str, Usbfs]] = {}
        self._kept: list[Usbfs] = []
        self.ended, self._told = os.pipe()
        self._bed.add_from_string(_description(HUB, 1, HUB_DEVICE + HUB_CONFIGURATION, ""))

    @property
    def environment(self) -> dict[str, str]:
        """What makes a program a client."""
        return {"LD_PRELOAD": os.environ["LD_PRELOAD"], "UMOCKDEV_DIR": self._bed.get_root_dir()}

    def update_bus(self) -> None:
        """Bring the bus to what the folder has."""
        seen = ((path.name, _unit(path)) for path in self._folder.iterdir())
        there = {name: inode for name, inode in seen if inode is not None}
        for name, (inode, where, usbfs) in list(self._plugged.items()):
            if there.get(name) != inode or usbfs.is_gone:
                del self._plugged[name]
                self._remove(name, where, usbfs)
        for name in sorted(there.keys() - self._plugged.keys()):
            self._plug(name, there[name])

    def forget_clients(self) -> None:
        """All clients have ended."""
        for _, _, usbfs in self._plugged.values():
            usbfs.forget_clients()

    def close(self) -> None:
        """Unplug everything."""
        for _, _, usbfs in self._plugged.values():
            usbfs.close()
        self._uevents.close()

    def _plug(self, name: str, inode: int) -> None:
        try:
            usbfs = Usbfs(self._folder / name, lambda: _ring(self._told))
        except (Gone, OSError):
            return
        self._kept.append(usbfs)
        try:
            device, configuration = usbfs.host.descriptor(1, 18), usbfs.host.descriptor(2, 4096)
            serial = _serial(usbfs.host)
        except (Gone, TimedOut):
            usbfs.close()
            return
        self._last += 1
        port = self._ports.setdefault(name, len(self._ports) + 1)
        where = f"{HUB}/1-{port}"
        self._plugged[name] = (inode, where, usbfs)
        node = f"/dev/bus/usb/001/{self._last:03d}"
        # Before sysfs shows it: a client that finds no node loses a descriptor in umockdev.
        Path(self._bed.get_root_dir() + node).touch()
        self._bed.attach_ioctl(node, usbfs)
        described = _description(where, self._last, device + configuration, serial)
        self._uevents.add(f"/sys{where}", described)
        _note(f"{name} plugged in as {node}")

    def _remove(self, name: str, where: str, usbfs: Usbfs) -> None:
        usbfs.close()
        self._uevents.remove(f"/sys{where}")
        self._bed.remove_device(f"/sys{where}")
        _note(f"{name} unplugged")


def _description(where: str, number: int, descriptors: bytes, serial: str) -> str:
    vendor, product = struct.unpack_from("<HH", descriptors, 8)
    return (
        f"P: {where}\nN: bus/usb/001/{number:03d}\n"
        "E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nE: MAJOR=189\n"
        f"E: DEVNAME=/dev/bus/usb/001/{number:03d}\nE: BUSNUM=001\nE: DEVNUM={number:03d}\n"
        f"E: MINOR={number - 1}\n"
        f"A: busnum=1\nA: devnum={number}\nA: speed=12\nA: bConfigurationValue=1\n"
        f"A: idVendor={vendor:04X}\nA: idProduct={product:04X}\n"
        + (f"A: serial={serial}\n" if serial else "")
        + f"H: descriptors={descriptors.hex().upper()}\n"
    )


def _unit(path: Path) -> int | None:
    """The inode of a unit that is plugged in now; it may be pulled at any moment."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    is_unit = stat.S_ISSOCK(status.st_mode) and not path.name.startswith(".")
    return status.st_ino if is_unit else None


def _serial(host: UsbHost) -> str:
    answer = host.answer_to(Control(0x80, 6, 0x80, 0, SERIAL_STRING, ENGLISH, 255))
    assert isinstance(answer, Control)
    return answer.data[2:].decode("utf-16-le")


def _ring(bell: int) -> None:
    os.write(bell, b"\0")


def _note(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _watch(folder: Path) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    watching = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    events = IN_CREATE | IN_MOVED_TO | IN_DELETE
    if watching < 0 or libc.inotify_add_watch(watching, bytes(folder), events) < 0:
        raise OSError(ctypes.get_errno(), f"{folder} cannot be watched")
    return int(watching)


def main() -> int:
    """Be the kernel until standard input ends; a line there says that all clients have ended."""
    folder = Path(sys.argv[1])
    watching = _watch(folder)
    bus = KernelBus(folder)
    bus.update_bus()
    print(json.dumps(bus.environment), flush=True)
    with selectors.DefaultSelector() as selector:
        for fd in (watching, bus.ended, sys.stdin.fileno()):
            selector.register(fd, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if not os.read(key.fd, 4096):
                    bus.close()
                    return 0
                if key.fd == sys.stdin.fileno():
                    bus.forget_clients()
                    print("{}", flush=True)
            bus.update_bus()


if __name__ == "__main__":
    sys.exit(main())
