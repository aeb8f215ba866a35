"""A bench of simulated devices: each a process of its own behind a pseudo-terminal, and the daemon.

- The daemon opens the same kind of port that a USB adapter makes; only its name differs.
- Every device keeps its memory in a file, so that one whose process was killed can come back as
  the same device.
- Leaving the context ends every process and removes every file, whatever has happened.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from controller.control.client import ControlClient
from hil_tests.bench import Setup
from hil_tests.configuration import configuration_text
from hil_tests.controller_process import START_S, ControllerProcess
from simulators.hands import Hands


class PtyBench:
    """Four simulated devices and the daemon, in a directory of their own."""

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()
        self._devices: dict[str, Hands] = {}
        self._control: ControlClient | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="table-"))
        try:
            config = self.folder / "table.toml"
            config.write_text(configuration_text(self.setup), encoding="utf-8")
            self.controller = ControllerProcess(config, self.folder)
        except BaseException:
            self.close()
            raise

    @property
    def devices(self) -> Mapping[str, Hands]:
        """The devices that are there."""
        return self._devices

    @property
    def state_directory(self) -> Path:
        """The journal's."""
        return self.folder / "state"

    @property
    def socket(self) -> Path:
        """Where the controller answers."""
        return self.folder / "control.sock"

    @property
    def control(self) -> ControlClient:
        """A connection to the running controller."""
        if self._control is None:
            self._control = self.connect()
        return self._control

    def connect(self) -> ControlClient:
        """A further connection; the caller closes it."""
        return ControlClient(self.socket)

    def port(self, name: str) -> Path:
        """The link under which the device's port is to be found."""
        return self.folder / name

    # ---- devices ------------------------------------------------------------------------------

    def add_device(self, name: str, *options: str, kind: str | None = None) -> Hands:
        """Plug a device in. ``kind`` other than its name puts a wrong one on the port."""
        kind = kind or name
        self._devices[name] = Hands.start(
            kind,
            self.port(name),
            *("--seed", str(self.setup.seed)),
            *("--memory", str(self.folder / f"{name}-{kind}.memory")),
            *self.setup.options.get(name, ()),
            *options,
        )
        return self._devices[name]

    def remove_device(self, name: str) -> None:
        """Take it off its port and away."""
        self._devices.pop(name).stop()

    def kill_device(self, name: str) -> None:
        """Its power fails: the process is killed. It comes back with :meth:`add_device`."""
        self._devices.pop(name).kill()

    # ---- the controller -----------------------------------------------------------------------

    def start_controller(self, within_s: float = START_S) -> None:
        """Start it; raises :class:`hil_tests.controller_process.DidNotStart`."""
        self.controller.start(within_s)

    def kill_controller(self) -> None:
        """SIGKILL."""
        self.controller.kill()
        self._hang_up()

    def reboot(self) -> None:
        """SIGKILL, and a start under the next boot id."""
        self.kill_controller()
        self.controller.boots += 1
        self.start_controller()

    def stop_controller(self) -> int:
        """SIGTERM; its exit status."""
        self._hang_up()
        return self.controller.stop()

    def _hang_up(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None

    # ---- beginning and end --------------------------------------------------------------------

    def set_up(self) -> PtyBench:
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
            self._hang_up()
        self._devices.clear()

    def __enter__(self) -> PtyBench:
        try:
            return self.set_up()
        except BaseException:
            self.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            complaints = self.controller.complaints() if kind is None else []
            assert not complaints, f"{complaints}; {self.controller.last_words()}"
        finally:
            self.close()
