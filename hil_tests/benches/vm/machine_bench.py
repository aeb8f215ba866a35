"""The bench of a virtual machine; devices are twins at its sockets.

- The controller is the installed service, on the installed system. Its serial devices sit behind
  USB adapters (ftdi_sio), the jackpot unit is a USB device (usbfs), all as udev names them.
- A machine is woken with the service stopped; :meth:`VmBench.__enter__` plugs everything in and
  starts it. :meth:`VmBench.reboot` cuts the machine's power: what its disk had not flushed is kept
  or lost by chance, from the set-up's seed; then the machine starts again, woken with another boot
  id or, with ``cold``, by a whole boot.
- The devices have their own power. A machine that comes back finds those plugged in that were.
- Nothing is left of it but what is made once (:mod:`hil_tests.benches.vm.places`).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Self

from controller.control.client import ControlClient
from hil_tests.bench.controller_process import evidence_in
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.bench.simulated_device import SimulatedDevice, TwinBench
from hil_tests.bench.steps import step
from hil_tests.benches.vm.base import STATE, Base, base
from hil_tests.benches.vm.controller_machine import SERIALS, SOCKET, START_S, ControllerMachine
from hil_tests.benches.vm.machine import UNITS

UNPLUGGED_S = 10.0
ANSWER_S = 60.0
"""Of the controller: its machine is emulated, on a host that has more to do."""


class VmBench(TwinBench):
    """A machine with its devices; ``cold`` is how it starts, at first and after each power cut;
    ``made_of`` another than the one that is installed from the checkout."""

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        cold: bool = False,
        captured: bool = False,
        made_of: Base | None = None,
    ) -> None:
        super().__init__(setup, captured=captured)
        self.cold = cold
        self.cuts = 0
        self._before_cuts: list[str] = []
        self._expected: list[str] = []
        config = configuration_text(
            self.setup, usb=("jackpot",), ports="/dev/table/", state=STATE, socket=SOCKET
        )
        self.machine = ControllerMachine(made_of or base(), config)
        self.folder = self.machine.folder

    # ---- devices ------------------------------------------------------------------------------

    @step
    def add_device(self, name: str, *options: str, kind: str | None = None) -> SimulatedDevice:
        """Plug a device into the adapter of this name, or a jackpot unit into its port; there is
        one for a ``second``."""
        line = "--usb-socket" if name in UNITS else "--serial-socket"
        return self.plug_in(name, kind, self.machine.qemu.port(name), line, options)

    @step
    def swap_ports(self, one: str, other: str) -> None:
        """Exchange two adapters between the machine's sockets; the devices are then to be plugged
        into them."""
        for name in (one, other):
            self._devices[name].do("unplug")
        ports = self.machine.ports
        ports[one], ports[other] = ports[other], ports[one]
        for name in (one, other):
            self.machine.qemu.unplug_adapter(name)
        for name in (one, other):
            self.machine.qemu.plug_adapter(name, SERIALS[name], ports[name])

    # ---- the controller -----------------------------------------------------------------------

    @property
    def socket(self) -> Path:
        """Where the controller answers, carried here."""
        return self.machine.socket

    def connect(self) -> ControlClient:
        """A further connection; the caller closes it."""
        return ControlClient(self.socket, ANSWER_S)

    def tablectl(self, *arguments: str) -> CompletedProcess[str]:
        """The technician's command, in the machine, as root."""
        done = self.machine.guest.tried("tablectl", *arguments)
        return CompletedProcess(("tablectl", *arguments), done["status"], done["out"], done["err"])

    @property
    def state_directory(self) -> Path:
        """A copy of the journal's directory as it is now."""
        copy = self.machine.folder / "state"
        self.machine.fetch_state(copy)
        return copy

    def start_controller(self, within_s: float = START_S) -> None:
        """Start the service; raises :class:`hil_tests.bench.controller_process.DidNotStart`."""
        self.machine.start(within_s)

    @step
    def stop_controller(self) -> int:
        """Stop the service; its exit status."""
        self.hang_up()
        return self.machine.stop()

    @step
    def kill_controller(self) -> None:
        """SIGKILL, and systemd is kept from starting it again."""
        self.hang_up()
        self.machine.kill()

    @step
    def reboot(self) -> None:
        """A power cut, and the machine with the service started again."""
        self.power_cut()
        self.power_on()

    @step
    def power_cut(self) -> None:
        """The machine loses its power, the devices keep theirs."""
        self.hang_up()
        self.cuts += 1
        if complaint := self.machine.complaint():
            killed = self.was_killed()
            told = complaint if killed else self._evidence()
            behind = " (its power failed: no lines behind it)" if killed else ""
            if told and self._unexpected(told):
                self._before_cuts.append(told + behind)
        self.machine.power_cut(f"{self.setup.seed}/{self.cuts}")
        for device in self._devices.values():
            device.wait_for(lambda look: not look["plugged"], UNPLUGGED_S, "without its machine")

    @step
    def power_on(self) -> None:
        """The machine starts again, with the service; the devices are plugged in as they were."""
        if self.machine.powered:  # until its disk has ended it
            self.power_cut()
        self.machine.power_on(cold=self.cold)
        self.plug_in_again()
        self.start_controller()

    def plug_in_again(self) -> None:
        """The machine is there again: devices whose plugs are in its sockets find it."""
        for device in self._devices.values():
            if device.in_socket:
                device.do("plug")

    def power_cut_at(self, request: int) -> None:
        """Have the machine lose its power as its journal's disk gets the ``request``-th write or
        flush from now, 1 for the next; :meth:`was_killed` tells when, :meth:`power_on` starts
        it."""
        self.machine.cut_power_at(request)

    def was_killed(self, within_s: float = 0.0) -> bool:
        """Whether it has no power, or loses it so within that time."""
        return not self.machine.powered or self.machine.wait_for_cut(within_s)

    # ---- the machine --------------------------------------------------------------------------

    @step
    def step_clock(self, seconds: float) -> None:
        """Set the machine's wall clock on, or back."""
        self.machine.guest.answer_to("clock", by_s=seconds)

    @step
    def freeze(self) -> None:
        """All of it stands still."""
        self.machine.qemu.freeze()

    @step
    def thaw(self) -> None:
        """It goes on."""
        self.machine.qemu.thaw()

    @step
    def hang_controller(self) -> None:
        """The daemon stands still until systemd's watchdog has killed it and started the next;
        returns when that is ready."""
        self.hang_up()
        self.machine.hang()

    def expects(self, complaint: str) -> None:
        """Lines of the log in which this pattern is found are no complaint."""
        self._expected.append(complaint)

    # ---- for the report -----------------------------------------------------------------------

    @property
    def facts(self) -> Mapping[str, str]:
        """The machine's system, and how it is started."""
        return self.machine.facts() | {
            "start": "booted" if self.cold else "woken from a saved state"
        }

    # ---- beginning and end --------------------------------------------------------------------

    def set_up(self) -> Self:
        """Have it powered, plug in all devices and start the controller."""
        self.machine.power_on(cold=self.cold)
        for name in self.setup.devices:
            self.add_device(name)
        self.start_controller()
        return self

    def complaints(self) -> str:
        """Those of each start of the machine, with the lines around them; of a start that a power
        cut ended before the log was read, the first one alone."""
        told = "" if self.was_killed() else self._evidence()
        return "\n".join(filter(None, [*self._before_cuts, told]))

    def _evidence(self) -> str:
        """Of the complaints that nobody expects."""
        return evidence_in(self._unexpected(self.machine.logged()))

    def _unexpected(self, log: str) -> str:
        lines = log.splitlines()
        return "\n".join(
            line for line in lines if not any(re.search(one, line) for one in self._expected)
        )

    def close(self) -> None:
        """End everything; nothing is left."""
        with contextlib.ExitStack() as undo:
            undo.callback(self.machine.close)
            for device in self._devices.values():
                undo.callback(device.stop)
            self.hang_up()
        self._devices.clear()


def vm_of(bench: Bench) -> VmBench:
    """A bench that is one of these: of it alone a scenario wants what others cannot."""
    assert isinstance(bench, VmBench)
    return bench
