"""The virtual bench with real libusb: the jackpot unit is on a bus that umockdev gives the daemon.

Uevents, udev's database and usbfs are umockdev's, libusb and pyusb are what a machine has. Serial
devices are behind pseudo-terminals, as on the virtual bench.

The emulated kernel is a process of the rig: who wants to be its client takes its environment::

    with KernelBus(folder) as bus:
        subprocess.run([...], env=os.environ | bus.environment)
"""

from __future__ import annotations

import json
import select
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Self

from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import Setup
from hil_tests.benches.virtual.virtual_bench import VirtualBench

SYSTEM_PYTHON = "/usr/bin/python3"
START_S = 20.0
STOP_S = 10.0


class KernelBus:
    """A USB bus of the units in ``folder``. What it complains of goes to ``log``."""

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        self.folder = folder
        self.environment: dict[str, str] = {}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; returns when it can have clients. Units come and go by themselves."""
        command = ["umockdev-wrapper", SYSTEM_PYTHON, "-m", "hil_tests.benches.usb.emulator"]
        log = self._log.open("ab") if self._log else None
        try:
            self._process = subprocess.Popen(
                [*command, str(self.folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=ROOT,
                process_group=0,
            )
        finally:
            if log:
                log.close()
        self.environment = self._first_words()

    def stop(self) -> None:
        """End it: every unit is gone for its clients."""
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        if place := self.environment.get("UMOCKDEV_DIR"):  # it does not always tidy up itself
            shutil.rmtree(place, ignore_errors=True)

    def clients_ended(self) -> None:
        """Tell it that whoever used it was killed: what a kernel knows by itself."""
        assert self._process
        assert self._process.stdin
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        self._line()

    def _line(self) -> bytes:
        assert self._process
        assert self._process.stdout
        readable = select.select([self._process.stdout], [], [], START_S)[0]
        return self._process.stdout.readline() if readable else b""

    def _first_words(self) -> dict[str, str]:
        words: dict[str, str] = {}
        while "UMOCKDEV_DIR" not in words:
            line = self._line()
            if not line:
                self.stop()
                raise RuntimeError("the emulated kernel did not start")
            words = json.loads(line)
        return words

    def __enter__(self) -> KernelBus:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


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
