"""The bench with real devices: people at them, the controller here or on a machine of its own.

- Devices with the driver ``person`` are operated by asking a person (``person``), those with
  ``twin`` are simulated where the file says, on a port that the machine sees as any other.
- The table is the scenario's: its configuration is put on the machine, with the ports of the file.
- What a person does takes its time; what the controller does afterwards has the usual limits.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from controller.control.client import ControlClient
from drivers.registry import USB_FORM
from hil_tests.bench.description import BenchFile
from hil_tests.bench.interface import Bench, CannotError, Device
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.bench.simulated_device import SimulatedDevice
from hil_tests.bench.steps import step
from hil_tests.benches.table.console import Console
from hil_tests.benches.table.controller_machine import BACK_S, ControllerMachine, MachineFailed
from hil_tests.benches.table.person import PersonDevice
from hil_tests.benches.table.power import power


class TableBench(Bench):
    """A table of real things; a context manager."""

    def __init__(self, file: BenchFile, setup: Setup) -> None:
        super().__init__()
        self.setup = setup
        self._file = file
        self._devices: dict[str, Device] = {}
        self._machine = ControllerMachine(file.machine)
        self.console = Console(Path(self._machine.told["terminal"]))
        try:
            self._power = power(self._machine.told["power"], self.console)
            self._machine.demand_own_state()  # before its service is stopped
        except BaseException:
            self._machine.close()
            raise

    @property
    def devices(self) -> Mapping[str, Device]:
        """The devices that are there."""
        return self._devices

    @property
    def state_directory(self) -> Path:
        """The journal's, or a copy of it."""
        return self._machine.fetch_state()

    def connect(self) -> ControlClient:
        """A further connection; the caller closes it."""
        return self._machine.connect()

    def tablectl(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The technician's command, on the machine."""
        words = [
            *self._machine.told["tablectl"],
            "--socket",
            self._machine.told["socket"],
            *arguments,
        ]
        done = self._machine.tried(words)
        return subprocess.CompletedProcess(
            words,
            done.returncode,
            done.stdout.decode(errors="replace"),
            done.stderr.decode(errors="replace"),
        )

    # ---- devices ------------------------------------------------------------------------------

    @step
    def add_device(self, name: str, *options: str, kind: str | None = None) -> Device:
        """Put a device there: ask for it, or start its twin."""
        resource = self._file.devices[name]
        if resource.driver == "twin":
            if kind not in (None, name) or not resource.twin:
                raise CannotError("a twin of another kind, or without a command to start it")
            *program, tty = resource.twin
            twin = self._devices[name] = SimulatedDevice.start(
                name,
                tty,
                *("--serial", resource.serial),
                *options,
                line="--tty",
                program=program,
            )
            twin.name = name
        elif options or kind not in (None, name):
            raise CannotError("another device than the one that is there")
        else:
            self._devices[name] = PersonDevice(name, self.console, self.connect)
        return self._devices[name]

    @step
    def remove_device(self, name: str) -> None:
        """Take it off its line and away."""
        device = self._devices.pop(name)
        if isinstance(device, SimulatedDevice):
            device.stop()
        else:
            device.do("unplug")

    @step
    def kill_device(self, name: str) -> None:
        """Its power fails."""
        device = self._devices.pop(name)
        if isinstance(device, SimulatedDevice):
            device.kill()
        else:
            device.do("power", on=False)

    # ---- the controller -----------------------------------------------------------------------

    @step
    def start_controller(self) -> None:
        """Start the service; returns when it answers."""
        self._machine.service("start")
        self._machine.connect().close()

    @step
    def stop_controller(self) -> int:
        """Stop the service; its exit status."""
        self.hang_up()
        self._machine.service("stop")
        return int(self._machine.service("exit_status").strip() or 0)

    @step
    def kill_controller(self) -> None:
        """SIGKILL. Whoever supervises the service may start it again at once."""
        self.hang_up()
        self._machine.service("kill")

    @step
    def reboot(self) -> None:
        """The machine loses its power and gets it back; returns when its controller answers.

        Raises:
            MachineFailed: it has not lost it; what was shown then would be no power cut.
        """
        self.hang_up()
        before = self._machine.boot_id()
        self._power()
        self._machine.hang_up()
        self._machine.connect(BACK_S).close()
        if self._machine.boot_id() == before:
            raise MachineFailed(
                f"the machine did not lose its power: {self._machine.where} is still "
                f"in the same boot ({before}). Look whether machine.power names what it is fed "
                "from, and whether another cable feeds it, too"
            )

    @step
    def swap_ports(self, one: str, other: str) -> None:
        """Ask for it."""
        self.console.please(f"Exchange the data plugs of {one} and {other} between their sockets")

    # ---- for the report -----------------------------------------------------------------------

    @property
    def captures(self) -> Mapping[str, Path]:
        """None are taken here: ``tablectl devices capture --all`` on the machine does."""
        return {}

    @property
    def facts(self) -> Mapping[str, str]:
        """The machine, as it tells."""
        told = self._machine.tried(["uname", "-srm"]).stdout.decode(errors="replace").strip()
        return {"machine": self._machine.where, "kernel": told}

    # ---- beginning and end --------------------------------------------------------------------

    def set_up(self) -> Self:
        """A machine that has never played, with this table; everything is plugged in."""
        self._machine.service("stop")
        self._machine.empty_state()
        self._machine.install(self._configuration())
        for name in self.setup.devices:
            self.add_device(name)
        self.start_controller()
        return self

    def close(self) -> None:
        """Stop the service and put its configuration back."""
        with contextlib.ExitStack() as undo:
            undo.callback(self._machine.close)
            undo.callback(self._machine.put_back)
            undo.callback(self.console.close)
            for device in self._devices.values():
                if isinstance(device, SimulatedDevice):
                    undo.callback(device.stop)
            undo.callback(self._machine.tried, self._machine.told["stop"])
            self.hang_up()
        self._devices.clear()

    def _configuration(self) -> str:
        told = self._machine.told
        text = configuration_text(
            replace(self.setup, devices=()), state=self._machine.state, socket=told["socket"]
        )
        for name in self.setup.devices:
            port = self._file.devices[name].port
            key = "usb" if USB_FORM.fullmatch(port) else "port"
            text += f"[devices.{name}]\n{key} = {json.dumps(port)}\n"
        return text

    def complaints(self) -> str:
        """Not looked for here: the machine's journal has them, and who reads it has the rights."""
        return ""
