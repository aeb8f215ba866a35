"""A kernel whose USB bus is FOLDER: ``umockdev-wrapper python3 -m ...usb.emulator FOLDER``.

Run by the system's Python, which has gi, under umockdev-wrapper, without which no uevent is sent.
Every socket in the folder is a unit that is plugged in: as it comes or goes, sysfs, the node in
``/dev/bus/usb`` and a uevent follow. The only line on standard output is a JSON object: the
environment with which any program is a client of this kernel. What is plugged in and out goes to
standard error. The end of standard input is its own end.

- One test bed for a process; a bus is never empty (a root hub), else libusb finds fault with it.
- The node of a unit gets another number at every plugging, as in a kernel. Its handler is kept to
  the end: one that goes while a client has it open takes the client with it.

umockdev ends its process when a client closes its monitor at the very moment in which a uevent is
sent, and libusb opens and closes one with every context. So each uevent is sent by a process that
may end of it, started by one that has no threads; what did not reach every client is sent again.
Adding a device sends its uevent, too, once all its files are there.

A test bed has a thread of its own, and what that thread has locked stays locked in a forked
process: one in a thousand then hung in GLib's allocator. So the fork waits until the thread sleeps
in ``poll``, where it holds nothing.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import selectors
import stat
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import gi  # type: ignore[import-not-found]

TRIES: Final = 20
IDLE_S: Final = 10.0
TOLD_S: Final = 10.0
POLLING: Final = {"7", "271", "73"}
"""Numbers of the system calls ``poll`` and ``ppoll`` on x86-64, and of ``ppoll`` on aarch64."""


class UeventError(Exception):
    """Nothing can be told any more."""


class UeventSender:
    """Puts devices of a test bed in place and tells uevents. To be made right behind the test bed,
    when this process has no other threads than its."""

    def __init__(self, bed: Any) -> None:
        _wait_until_idle()
        asked, self._ask = os.pipe()
        self._told, told = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._ask)
            os.close(self._told)
            _serve(bed, asked, told)
        os.close(asked)
        os.close(told)

    def add(self, path: str, description: str) -> None:
        """Put a device in place and tell it; returns when all have been told."""
        self._do(path, "add", description)

    def remove(self, path: str) -> None:
        """Tell that a device goes; its files are still there."""
        self._do(path, "remove", "")

    def close(self) -> None:
        """End it."""
        os.close(self._ask)
        os.close(self._told)
        os.waitpid(self._pid, 0)

    def _do(self, *what: str) -> None:
        with suppress(BrokenPipeError):  # it has ended, and so has what it tells
            os.write(self._ask, json.dumps(what).encode() + b"\n")
        which = f"{what[1]} of {what[0]}"
        if not select.select([self._told], [], [], TOLD_S)[0]:
            raise UeventError(f"{which} was not told within {TOLD_S:g} s")
        if not os.read(self._told, 1):
            raise UeventError(f"{which} was not told: the process that tells has ended")


def _wait_until_idle() -> None:
    """Until every other thread of this process sleeps in ``poll``."""
    deadline = time.monotonic() + IDLE_S
    while busy := [task.name for task in _other_threads() if not _polls(task)]:
        if time.monotonic() > deadline:
            raise UeventError(f"threads {', '.join(busy)} are still at work after {IDLE_S:g} s")
        os.sched_yield()


def _other_threads() -> list[Path]:
    own = str(threading.get_native_id())
    return [task for task in Path("/proc/self/task").iterdir() if task.name != own]


def _polls(task: Path) -> bool:
    try:
        return (task / "syscall").read_text().split()[0] in POLLING
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return True


def _serve(bed: Any, asked: int, told: int) -> None:
    with os.fdopen(asked) as lines:
        for line in lines:
            path, action, description = json.loads(line)
            for _ in range(TRIES):
                if (pid := os.fork()) == 0:
                    if description:
                        bed.add_from_string(description)
                    else:
                        bed.uevent(path, action)
                    os._exit(0)
                description = ""
                if os.waitpid(pid, 0)[1] == 0:
                    break
            os.write(told, b"\0")
    os._exit(0)


gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # type: ignore[import-not-found]  # noqa: E402

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

    def look(self) -> None:
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
    answer = host.ask(Control(0x80, 6, 0x80, 0, SERIAL_STRING, ENGLISH, 255))
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
    bus.look()
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
            bus.look()


if __name__ == "__main__":
    sys.exit(main())
