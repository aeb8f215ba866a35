"""The integrators' worked example, installed from outside and driven over a pseudo-terminal."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.api import DeviceConfig, DriverError
from drivers.registry import GROUP, open_device
from simulators.lines.wire import Wire
from tests.drivers.support import Recorder

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "vendor_driver"


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What installing the package leaves: its module on the path and its metadata."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    info = tmp_path / "site" / "acme_shoe_driver-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"][GROUP]
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.syspath_prepend(str(EXAMPLE))
    yield
    sys.modules.pop("acme_shoe", None)


class MakersShoe:
    """The maker's device, as far as the driver can tell."""

    def __init__(self, path: Path) -> None:
        self.wire = Wire(path)
        self.session, self.events, self.got = 77, 0, 0
        self.heard: list[str] = []
        self.refuses = False
        self._rest = b""

    def plug(self) -> None:
        self.wire.plug()
        asyncio.get_running_loop().add_reader(self.wire.fd, self._read)

    def unplug(self) -> None:
        asyncio.get_running_loop().remove_reader(self.wire.fd)
        self.wire.unplug()

    def card(self, rank: int, suit: int) -> None:
        self.events += 1
        self.say(f"EV {self.events} 1200 CARD {rank} {suit} 0 383")

    def say(self, words: str) -> None:
        self.wire.write(words.encode() + b"\n")

    def _read(self) -> None:
        *lines, self._rest = (self._rest + self.wire.read_arrived()).split(b"\n")
        for line in filter(None, lines):
            words = line.decode().split()
            if words[0] == "WHO":
                self.say(f"IM AS200 0042 FW 3.1.7 S {self.session} E {self.events}")
            elif words[0] == "GOT":
                self.got = int(words[1])
            else:
                self.heard.append(line.decode())
                self.say("NO 3" if self.refuses else f"OK {self.events}")


def opened(table: Recorder, path: Path, resume: tuple[int, int] = (0, 0)) -> None:
    config = DeviceConfig("shoe", driver="acme-lines", port=str(path), baud=9600)
    table.link = open_device(config, asyncio.get_running_loop(), table, resume)
    table.link.start()


async def test_cards_commands_and_acknowledgements(tmp_path: Path) -> None:
    shoe, table = MakersShoe(tmp_path / "shoe"), Recorder()
    shoe.plug()
    opened(table, tmp_path / "shoe")
    answer = await table.command_when_up("GATE", unlocked=1, cards=2)
    assert answer.fields == {"last_event": 0}
    assert (await table.command("SIGNAL", colour=1, blink=0)).fields == {}
    assert (await table.command("METER")).nak == 1
    assert shoe.heard == ["OPEN 2", "LAMP GREEN 0"]
    shoe.card(13, 4)
    shoe.say("EV nonsense")
    shoe.say("EV 1 1200 CARD 13 4 0 383")  # again: not yet acknowledged
    shoe.say("EV 3 1200 CARD 1 1 0 381")  # a gap: the one between comes first
    shoe.card(1, 1)
    await table.until(lambda: len(table.events) == 2)
    assert [event.fields["rank"] for event in table.events] == [13, 1]
    assert shoe.got == 0
    assert table.link is not None
    table.link.acknowledge(77, 2)
    shoe.refuses = True
    assert (await table.command("GATE", unlocked=0, cards=0)).nak == 3
    assert shoe.got == 2
    assert table.link.statistics()["bad_lines"] == 1
    await table.link.close()
    shoe.unplug()


async def test_unplugged_replugged_and_resumed(tmp_path: Path) -> None:
    shoe, table = MakersShoe(tmp_path / "shoe"), Recorder()
    shoe.events = 4
    opened(table, tmp_path / "shoe", (77, 4))
    await table.until(lambda: table.downs)
    assert "does not exist" in table.downs[0].reason
    shoe.plug()
    await table.until(lambda: table.ups)
    assert not table.ups[0].new_session
    shoe.card(2, 2)
    await table.until(lambda: table.events)
    shoe.unplug()
    await table.until(lambda: len(table.downs) == 2)
    assert (await table.command("GATE", unlocked=0, cards=0)).lost
    shoe.session, shoe.events = 78, 0
    shoe.plug()
    await table.until(lambda: len(table.ups) == 2)
    assert table.ups[1].new_session
    assert table.link is not None
    await table.link.close()
    shoe.unplug()


async def test_refuses_what_it_cannot_drive() -> None:
    config = DeviceConfig("keypad", driver="acme-lines", port="/dev/x")
    with pytest.raises(DriverError, match="drives a shoe on a serial port"):
        open_device(config, asyncio.get_running_loop(), Recorder())
