"""One adapter with several ports, adapters with one number: used by their sockets, and named."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.configuration.reading import load_configuration
from controller.daemon.readiness.report import shared_numbers
from drivers import adapters
from drivers.api import DeviceConfig
from tests.cli.setup.conftest import Box, sets
from tests.drivers.test_probe import reading


@pytest.fixture
def system(tmp_path: Path, mocker: MockerFixture) -> Path:
    """The system's links."""
    mocker.patch.object(adapters, "SYSTEM", tmp_path / "serial")
    for folder in (adapters.BY_ID, adapters.BY_PATH):
        (tmp_path / "serial" / folder).mkdir(parents=True)
    return tmp_path / "serial"


def plugged(box: Box, system: Path, kind: str, number: str, socket: str) -> str:
    """Plug a device into a port of the adapter at that socket; the system's link to the port."""
    box.plug(kind, number)
    box.ports[-1].location = f"{socket}:1.{len(box.ports)}"
    link = system / adapters.BY_PATH / f"usb-{box.ports[-1].location}"
    link.symlink_to(box.folder / kind)
    return str(link)


def test_one_adapter_with_several_ports_is_used_by_its_sockets(box: Box, system: Path) -> None:
    shoe = plugged(box, system, "shoe", "FT4232", "1-1.2")
    jackpot = plugged(box, system, "jackpot", "FT4232", "1-1.2")
    told = box.setup("--yes", "--json", *sets())
    assert told.code == 0, told.err
    devices = load_configuration(box.config).devices
    assert (devices["shoe"].port, devices["jackpot"].port) == (shoe, jackpot)
    assert told.json["udev"]["names"] == {}
    for said in told.json["problems"]:
        assert "its adapter has one serial number, FT4232, for its other ports" in said
        assert "it must stay there" in said
        assert "exchange" not in said


def test_a_second_adapter_with_the_number_of_the_first(box: Box, system: Path) -> None:
    """Names were bound while there was one; which of the two they lead to now, is chance."""
    shoe = plugged(box, system, "shoe", "A1", "1-1")
    plugged(box, system, "jackpot", "B1", "1-2")
    assert box.setup("--yes", *sets()).code == 0
    assert load_configuration(box.config).devices["shoe"].port == "/dev/table/shoe"
    keypad = plugged(box, system, "keypad", "A1", "1-3")
    told = box.setup("--yes", "--json")
    assert told.code == 0, told.err
    devices = load_configuration(box.config).devices
    assert (devices["shoe"].port, devices["keypad"].port) == (shoe, keypad)
    assert devices["jackpot"].port == "/dev/table/jackpot"
    assert f"the adapter at {box.folder / 'keypad'} has the same serial number A1" in str(
        told.json["problems"]
    )


def test_before_opening_a_name_that_is_bound_to_two_ports_is_named(box: Box, system: Path) -> None:
    shoe = plugged(box, system, "shoe", "A1", "1-1")
    bound = system / adapters.BY_ID / "usb-FTDI_A1"
    bound.symlink_to(box.folder / "shoe")
    devices = {
        "shoe": DeviceConfig("shoe", port=str(bound)),
        "keypad": DeviceConfig("keypad", port=shoe),
        "jackpot": DeviceConfig("jackpot", usb="1209:0001"),
    }
    assert shared_numbers(devices) == {}
    plugged(box, system, "keypad", "A1", "1-3")
    [(name, (what, step))] = shared_numbers(devices).items()
    assert name == "shoe"
    ports = f"{box.folder / 'keypad'} and {box.folder / 'shoe'}"
    assert f"the adapters at {ports} have the same serial number A1" in what
    assert step == f"'sudo tablectl setup --device shoe={shoe}' binds it to the socket"


def test_a_port_that_another_program_has_open_is_not_asked(box: Box, system: Path) -> None:
    plugged(box, system, "jackpot", "B1", "1-2")
    plugged(box, system, "shoe", "A1", "1-1")
    cat = reading(box.folder / "shoe")
    try:
        told = box.setup("--dry-run", *sets())
    finally:
        cat.kill()
        cat.wait()
    assert f"process {cat.pid} (cat) has {box.folder / 'shoe'} open" in told.out + told.err
    assert f"'sudo kill {cat.pid}'" in told.out + told.err


def test_a_port_that_goes_while_the_ports_are_listed_is_no_trouble(mocker: MockerFixture) -> None:
    """Else the report before opening would say that the disks do not answer."""
    mocker.patch("serial.tools.list_ports.comports", side_effect=FileNotFoundError(2, "gone"))
    assert shared_numbers({"shoe": DeviceConfig("shoe", "shoe", port="/dev/table/shoe")}) == {}
