"""QEMU as a process: a PC of the q35 kind, emulated (never accelerated), with what the machine has.

- Ports: adapters plug into :data:`PORTS`, each a socket ``NAME.sock`` in the machine's
  folder at which QEMU listens: whoever connects has plugged his device in.
- A machine starts cold, from its disks, or woken, from a state saved by :meth:`Machine.save`. Both
  have the system's disk, the source's, the journal's. It ends with the process that started it.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hil_tests.benches.vm.places import CannotBuild
from hil_tests.benches.vm.qmp import Monitor, MonitorError

MIB = 1 << 20
MEMORY_MB = 512
INITRD_AT = 0x1000_0000
"""Where it lies in a machine with a TPM: in the middle of its memory."""

BOOT_S = 420.0
END_S = 30.0
CONSOLE_LINES = 25
AGENT_PORT = 7000
COMMAND_LINE = "root=LABEL=machine ro console=ttyS0 net.ifnames=0 mitigations=off no_timer_check"
"""``no_timer_check``: on a host with much to do the kernel finds its timer late, and panics."""
ADAPTERS = ("shoe", "shuffler", "keypad")
UNITS = ("jackpot", "second")
PORTS: Mapping[str, str] = {name: str(at) for at, name in enumerate((*ADAPTERS, *UNITS), 1)}
"""Of the machine, by what is plugged in there; 6 to 8 are free."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a machine is made of. ``system`` is its own (a qcow2 file); ``state`` the socket of the
    journal's disk; ``saved`` the state it wakes from, or None for a cold start; ``tpm`` the control
    socket of its TPM2, which a machine that is woken has not."""

    kernel: Path
    initrd: Path
    system: Path
    checkout: Path
    state: Path
    saved: Path | None = None
    tpm: Path | None = None


class Machine:
    """A running machine, its sockets and its console's log in ``folder``.

    Raises:
        CannotBuild: QEMU is not installed, or refuses to start. Whatever is raised, none is left.
    """

    def __init__(self, parts: Parts, folder: Path) -> None:
        self.folder = folder
        self._log = folder / "qemu.log"
        listener = socket.socket(socket.AF_UNIX)
        with listener:
            monitor = folder / "monitor.sock"
            monitor.unlink(missing_ok=True)
            listener.bind(str(monitor))
            listener.listen(1)
            with self._log.open("ab") as log:
                try:
                    self._process = subprocess.Popen(
                        _command(parts, folder, listener.fileno()),
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        pass_fds=[listener.fileno()],
                        process_group=0,
                    )
                except FileNotFoundError as error:
                    raise CannotBuild("setpriv is missing: util-linux") from error
        try:
            self._connect(monitor, parts.saved)
        except BaseException:
            self.kill()  # nobody else knows of it
            raise

    @property
    def running(self) -> bool:
        """Whether QEMU has not ended."""
        return self._process.poll() is None

    def port(self, name: str) -> Path:
        """The socket at which a device of this name is plugged in."""
        return self.folder / f"{name}.sock"

    def version(self) -> str:
        """QEMU's."""
        told = self.monitor("query-version")["qemu"]
        return f"QEMU {told['major']}.{told['minor']}.{told['micro']}, q35, emulated"

    def agent_address(self) -> tuple[str, int]:
        """Where on the host the machine's agent is reached (TCP)."""
        told = self.monitor("human-monitor-command", command_line="info usernet")
        [line] = [line for line in told.splitlines() if "HOST_FORWARD" in line]
        return "127.0.0.1", int(line.split()[3])

    def wait_until_ready(self, within_s: float = BOOT_S) -> None:
        """Until the machine's agent says that it takes requests: after every boot once.

        Raises:
            TimeoutError: it has not; the end of the console is told.
        """
        deadline = time.monotonic() + within_s
        try:
            told = b""
            while b"\n" not in told:
                self._ready.settimeout(max(deadline - time.monotonic(), 0.001))
                data = self._ready.recv(100)
                if not data:
                    raise ConnectionError("QEMU has ended")
                told += data
        except OSError as error:
            raise TimeoutError(
                f"the machine does not boot: {error}\n{self.last_words()}"
            ) from error

    def plug_adapter(self, name: str, serial: str, port: str) -> None:
        """Put a serial adapter on a port of the machine; the system sees it while a device is
        connected to the socket of this name."""
        adapter = {"driver": "usb-serial", "serial": serial, "chardev": name}
        self.monitor("device_add", id=name, bus="xhci.0", port=port, **adapter)

    def unplug_adapter(self, name: str) -> None:
        """Take the adapter off its port; a device connected to it stays connected to it."""
        self.monitor("device_del", id=name)
        self.monitor.wait_for("DEVICE_DELETED", device=name)

    def freeze(self) -> None:
        """Nothing in the machine goes on, its clocks neither."""
        self.monitor("stop")

    def thaw(self) -> None:
        """It goes on as if nothing had been."""
        self.monitor("cont")

    def save(self, path: Path) -> None:
        """Freeze it and write its state; its disks' files go with that."""
        self.freeze()
        self.monitor(
            "migrate-set-capabilities", capabilities=[{"capability": "events", "state": True}]
        )
        self.monitor("migrate-set-parameters", max_bandwidth=1 << 40)
        self.monitor("migrate", uri=f"exec:cat > {shlex.quote(str(path))}")
        self.monitor.wait_for("MIGRATION", END_S * 4, status="completed")

    def shut_down(self) -> None:
        """End QEMU in good order; its disks are whole."""
        if self.running:
            self.monitor("quit")
            self._process.wait(END_S)
        self._hang_up()

    def kill(self) -> None:
        """The power is cut."""
        self._process.kill()
        self._process.wait()
        self._hang_up()

    def fail(self) -> None:
        """Its power fails now, whatever it does; from any thread. :meth:`kill` is still to come."""
        self._process.send_signal(signal.SIGKILL)

    def ends(self, within_s: float) -> bool:
        """Whether QEMU has ended, or does so in time."""
        ended = os.pidfd_open(self._process.pid) if self.running else -1
        try:
            return ended < 0 or bool(select.select([ended], [], [], within_s)[0])
        finally:
            if ended >= 0:
                os.close(ended)

    def last_words(self) -> str:
        """The end of what QEMU and the console say."""
        console = self.folder / "console.log"
        return "\n".join(
            "\n".join(path.read_text(errors="replace").splitlines()[-CONSOLE_LINES:])
            for path in (self._log, console)
            if path.exists()
        )

    def _connect(self, monitor: Path, saved: Path | None) -> None:
        try:
            self.monitor = Monitor(monitor)
        except (OSError, MonitorError) as error:
            raise CannotBuild(f"QEMU does not start: {self.last_words()}") from error
        self._ready = socket.socket(socket.AF_UNIX)
        self._ready.connect(str(self.folder / "ready.sock"))
        if saved is not None:
            self._wake(saved)

    def _wake(self, saved: Path) -> None:
        self.monitor(
            "migrate-set-capabilities", capabilities=[{"capability": "events", "state": True}]
        )
        self.monitor("migrate-incoming", uri=f"exec:cat {shlex.quote(str(saved))}")
        self.monitor.wait_for("MIGRATION", END_S * 4, status="completed")
        self.monitor("cont")

    def _hang_up(self) -> None:
        for name in ("_ready", "monitor"):
            if hasattr(self, name):
                getattr(self, name).close()


def _command(parts: Parts, folder: Path, monitor: int) -> list[str]:
    devices = [
        "qemu-xhci,id=xhci,p2=8,p3=8",
        "virtio-blk-pci,drive=system",
        "virtio-blk-pci,drive=checkout,serial=checkout",
        "virtio-blk-pci,drive=state,serial=state",
        "virtio-net-pci,netdev=net,romfile=",
        "virtio-rng-pci",
        "virtio-serial-pci",
        "virtserialport,chardev=ready,name=bench.ready",
        *(f"usb-redir,id={name},chardev={name},bus=xhci.0,port={PORTS[name]}" for name in UNITS),
    ]
    disks = [
        f"qcow2,node-name=system,file.driver=file,file.filename={parts.system}",
        f"raw,node-name=checkout,read-only=on,file.driver=file,file.filename={parts.checkout}",
        f"nbd,node-name=state,server.type=unix,server.path={parts.state}",
    ]
    sockets = ["ready", *ADAPTERS, *UNITS]
    return [
        *("setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64"),
        *("-chardev", f"socket,id=monitor,fd={monitor},server=on,wait=off"),
        *("-mon", "chardev=monitor,mode=control"),
        *("-nodefaults", "-no-user-config", "-display", "none"),
        *("-accel", "tcg,thread=multi", "-machine", "q35", "-smp", "2", "-m", str(MEMORY_MB)),
        *("-kernel", str(parts.kernel), *_with_initrd(parts)),
        *("-action", "watchdog=reset", "-rtc", "base=utc"),
        *("-chardev", f"file,id=console,path={folder}/console.log,append=on"),
        *("-serial", "chardev:console"),
        *(word for name in sockets for word in ("-chardev", _listening(name, folder))),
        *("-netdev", f"user,id=net,restrict=on,ipv6=off,hostfwd=tcp:127.0.0.1:0-:{AGENT_PORT}"),
        *(word for disk in disks for word in ("-blockdev", f"driver={disk}")),
        *(word for device in devices for word in ("-device", device)),
        *(_with_tpm(parts.tpm) if parts.tpm is not None else ()),
        *(("-S", "-incoming", "defer") if parts.saved is not None else ()),
    ]


def _listening(name: str, folder: Path) -> str:
    return f"socket,id={name},path={folder}/{name}.sock,server=on,wait=off"


def _with_initrd(parts: Parts) -> list[str]:
    """The initrd, and the kernel's command line. QEMU lays an initrd where, with a TPM, the
    firmware's tables are, and the system comes up without ACPI; then it is laid elsewhere, and the
    kernel told where."""
    if parts.tpm is None:
        return ["-initrd", str(parts.initrd), "-append", COMMAND_LINE]
    size = parts.initrd.stat().st_size
    place = f"initrdmem={INITRD_AT:#x},{size:#x} memmap={-(-size // MIB)}M${INITRD_AT:#x}"
    return [
        *("-device", f"loader,file={parts.initrd},addr={INITRD_AT:#x},force-raw=on"),
        *("-append", f"{COMMAND_LINE} {place}"),
    ]


def _with_tpm(control: Path) -> list[str]:
    return [
        *("-chardev", f"socket,id=tpm,path={control}", "-tpmdev", "emulator,id=tpm0,chardev=tpm"),
        *("-device", "tpm-tis,tpmdev=tpm0"),
    ]
