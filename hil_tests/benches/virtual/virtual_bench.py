"""A bench of simulated devices: each a process of its own behind a pseudo-terminal, and the daemon.

- The daemon opens the same kind of port that a USB adapter makes; only its name differs.
- A jackpot unit that is on USB (``usb``) is a socket in the folder ``bus``, and the daemon has
  pyusb's own code over a backend that finds it there (:mod:`hil_tests.benches.virtual.on_bus`).
- Leaving the context ends every process and removes every file, whatever has happened.
"""

from __future__ import annotations

import contextlib
import platform
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Self

from controller.control.client import ControlClient
from hil_tests.bench.controller_process import START_S, ControllerProcess
from hil_tests.bench.processes import tablectl
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.bench.simulated_device import SimulatedDevice, TwinBench
from hil_tests.bench.steps import step


class VirtualBench(TwinBench):
    """Four simulated devices and the daemon, in a directory of their own."""

    def __init__(
        self, setup: Setup | None = None, *, usb: bool = False, captured: bool = False
    ) -> None:
        super().__init__(setup, captured=captured)
        self._usb = usb
        self.folder = Path(tempfile.mkdtemp(prefix="table-"))
        try:
            config = self.folder / "table.toml"
            on_usb = ("jackpot",) if usb else ()
            config.write_text(configuration_text(self.setup, on_usb), encoding="utf-8")
            self.bus.mkdir()
            self.controller = ControllerProcess(config, self.folder)
            if usb:
                self.controller.through = ("hil_tests.benches.virtual.on_bus", str(self.bus))
        except BaseException:
            self.close()
            raise

    @property
    def state_directory(self) -> Path:
        """The journal's."""
        return self.folder / "state"

    def tablectl(self, *arguments: str) -> CompletedProcess[str]:
        """The technician's command, at this table's socket."""
        socket = ("--socket", str(self.socket))
        return tablectl(*socket, *arguments, through=self.controller.through)

    @property
    def bus(self) -> Path:
        """The folder of the units that are plugged in on USB."""
        return self.folder / "bus"

    @property
    def socket(self) -> Path:
        """Where the controller answers."""
        return self.folder / "control.sock"

    def connect(self) -> ControlClient:
        """A further connection; the caller closes it."""
        return ControlClient(self.socket)

    def port(self, name: str) -> Path:
        """The link under which the device's port is to be found, or its socket on the bus."""
        return (self.bus if self._on_usb(name) else self.folder) / name

    def _on_usb(self, name: str) -> bool:
        serial = ("shoe", "shuffler", "keypad", *self.setup.kinds)
        return self._usb and name not in serial

    # ---- devices ------------------------------------------------------------------------------

    @step
    def add_device(self, name: str, *options: str, kind: str | None = None) -> SimulatedDevice:
        """Plug a device in. ``kind`` other than its name puts a wrong one on the port."""
        line = "--usb-port" if self._on_usb(name) else "--link"
        return self.plug_in(name, kind, self.port(name), line, options)

    # ---- the controller -----------------------------------------------------------------------

    def start_controller(self, within_s: float = START_S) -> None:
        """Start it; raises :class:`hil_tests.bench.controller_process.DidNotStart`."""
        self.controller.start(within_s)

    @step
    def kill_controller(self) -> None:
        """SIGKILL."""
        self.controller.kill()
        self.hang_up()

    def was_killed(self, within_s: float = 0.0) -> bool:
        """Whether the process is dead by SIGKILL."""
        return self.controller.was_killed(within_s)

    @step
    def reboot(self) -> None:
        """SIGKILL, and a start under the next boot id."""
        self.kill_controller()
        self.controller.boots += 1
        self.start_controller()

    @step
    def stop_controller(self) -> int:
        """SIGTERM; its exit status."""
        self.hang_up()
        return self.controller.stop()

    @property
    def facts(self) -> Mapping[str, str]:
        """This machine."""
        return {"kernel": platform.release(), "python": platform.python_version()}

    # ---- beginning and end --------------------------------------------------------------------

    def set_up(self) -> Self:
        """Plug in all devices and start the controller."""
        for name in self.setup.devices:
            self.add_device(name)
        self.start_controller()
        return self

    def close(self) -> None:
        """End everything; nothing is left."""
        with contextlib.ExitStack() as undo:
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for device in self._devices.values():
                undo.callback(device.stop)
            if hasattr(self, "controller"):
                undo.callback(self.controller.kill)
            self.hang_up()
        self._devices.clear()

    def complaints(self) -> str:
        """The complaints, with the lines around each."""
        return self.controller.complaints()
