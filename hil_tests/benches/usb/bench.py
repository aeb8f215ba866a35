"""The virtual bench with real libusb: the jackpot unit is on a bus that umockdev gives the daemon.

Uevents, udev's database and usbfs are umockdev's, libusb and pyusb are what a machine has. Serial
devices are behind pseudo-terminals, as on the virtual bench.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Self

from hil_tests.bench.setup import Setup
from hil_tests.benches.usb.bus import KernelBus
from hil_tests.benches.virtual.bench import VirtualBench


class UsbBench(VirtualBench):
    """Four simulated devices, an emulated bus and the daemon."""

    def __init__(self, setup: Setup | None = None, *, captured: bool = False) -> None:
        super().__init__(setup, usb=True, captured=captured)
        self._kernel = KernelBus(self.bus, self.folder / "bus.log")

    def through_bus(self) -> tuple[str, ...]:
        """Nothing: the daemon is run as it is, in another environment."""
        return ()

    def set_up(self) -> Self:
        """The bus first."""
        self._kernel.start()
        self.controller.environment = self._kernel.environment
        super().set_up()
        return self

    def kill_controller(self) -> None:
        """The kernel takes from it what it had."""
        super().kill_controller()
        self._kernel.clients_ended()

    def close(self) -> None:
        """The bus last."""
        try:
            super().close()
        finally:
            self._kernel.stop()

    @property
    def facts(self) -> Mapping[str, str]:
        """With the library that speaks to the bus."""
        return {**super().facts, "libusb": f"of libusb-package {version('libusb-package')}"}
