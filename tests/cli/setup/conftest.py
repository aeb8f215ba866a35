"""A box to be commissioned: simulated devices on real ports, and files in a folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytest_mock import MockerFixture
from serial.tools.list_ports_common import ListPortInfo

from hil_tests.bench.simulated_device import SimulatedDevice
from simulators.hands import Hands
from tests.cli.setup.ports import FTDI, listed
from tests.cli.support import Ran, Tablectl

WEIGHTS = "{ 100 = 4, 50 = 8, 25 = 20, 20 = 20, 10 = 24, 5 = 12, 3 = 7, 2 = 5 }"
TABLE = {
    "table.id": "P12",
    "table.rules": "mbs-pontoon-pandemonium-v5",
    "table.decks": "8",
    "table.boxes": "7",
    "table.min": "10",
    "table.max": "5000",
    "table.side_min": "1",
    "table.side_max": "500",
    "multiplier.weights": WEIGHTS,
}


def sets(*without: str) -> list[str]:
    """The table's keys for the command line."""
    return [f"--set={key}={value}" for key, value in TABLE.items() if key not in without]


@dataclass
class Box:
    """The box, on a disk. Tests' folders may be in memory, which is no place for a journal, and
    below ``/dev``, where clients of the emulated kernel see its files only."""

    folder: Path
    state: Path
    tablectl: Tablectl
    stack: ExitStack
    ports: list[ListPortInfo] = field(default_factory=list)

    @property
    def config(self) -> Path:
        return self.folder / "table.toml"

    @property
    def udev(self) -> Path:
        return self.folder / "99-table-controller.rules"

    @property
    def options(self) -> list[str]:
        """Where everything is."""
        return [
            *("--config", str(self.config), "--udev", str(self.udev)),
            *("--credential", str(self.folder / "credstore" / "table-controller.key")),
            *("--unit", str(self.folder / "unit.d"), "--with-key", "host"),
            *("--socket", str(self.folder / "control.sock")),
            f"--set=state.directory={self.state}",
            f"--set=control.socket={self.folder / 'control.sock'}",
        ]

    def plug(
        self,
        kind: str,
        number: str | None,
        name: str = "",
        usb: tuple[int, int] | None = FTDI,
    ) -> Hands:
        """Plug in a device, on an adapter of that number."""
        path = self.folder / (name or kind)
        hands = self.stack.enter_context(
            SimulatedDevice.start(kind, path, "--serial", f"{(name or kind).upper()}-1")
        )
        self.ports.append(listed(path, number, usb))
        return hands

    def setup(self, *options: object) -> Ran:
        """Give the command."""
        return self.tablectl("setup", *self.options, *options)

    def files(self) -> dict[str, str]:
        """All files that it may have written."""
        there = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_text("utf-8") for path in there}


@pytest.fixture
def box(tablectl: Tablectl, mocker: MockerFixture) -> Iterator[Box]:
    with ExitStack() as stack:
        disk = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        folder = disk / "box"
        folder.mkdir()
        made = Box(folder, disk / "state", tablectl, stack)
        mocker.patch("serial.tools.list_ports.comports", side_effect=lambda: made.ports)
        yield made


@pytest.fixture
def table(box: Box) -> Box:
    """With the devices of a table."""
    box.plug("shoe", "SHOE0001")
    box.plug("jackpot", "JACK0001")
    return box
