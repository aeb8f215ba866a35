"""Who is where, and which device is which: cases that take units on USB, on a bus of the test's."""

from __future__ import annotations

import pytest
from pytest_mock import MockerFixture

from controller.commissioning import questions
from controller.commissioning.choice import DeviceChoice, choose
from controller.commissioning.place import DevicePlace
from controller.commissioning.survey import CONTROLLER, Running, survey_places
from controller.commissioning.this_machine import ThisMachine
from controller.configuration.reading import load_configuration
from controller.not_done import NotDone
from drivers.adapters import Port
from drivers.api import DeviceConfig, DriverError, Identity
from drivers.probe import ProbeReport
from tests.cli.setup.conftest import Box, sets
from tests.control.support import controller

UNIT = "1209:0001"
ANY = DeviceConfig("jackpot", usb=UNIT)
SHOE = DevicePlace(Port("/dev/ttyUSB0", "0403:6001", "SHOE0001"), kind="shoe", serial="S1")


class Bus(ThisMachine):
    """Units of these numbers are plugged in, each a jackpot unit."""

    def __init__(self, *numbers: str) -> None:
        self._numbers = numbers
        self.asked: list[str] = []

    def places(self) -> list[DevicePlace]:
        return [DevicePlace(Port(f"{UNIT}:{number}", UNIT)) for number in self._numbers]

    def probe_port(self, port: str, baud: int) -> ProbeReport:
        self.asked.append(port)
        who = Identity("jackpot", port.rpartition(":")[2], (1, 4, 2), "d", 0)
        return ProbeReport(port, who, 1, 0, 0, 0, (), 5, 1.0)


def chosen(
    places: list[DevicePlace],
    *known: DeviceConfig,
    names: dict[str, str] | None = None,
    **told: str,
) -> DeviceChoice:
    devices = {one.name: one for one in known}
    return choose(places, devices, names or {}, told, lambda what, left: None)


def test_of_several_units_the_controller_has_the_one_that_it_says() -> None:
    bus = Bus("JP-1", "JP-2")
    link = {"link": "up", "kind": "jackpot", "serial": "JP-2", "firmware": "1.4.2"}
    running = Running("idle", "", {"jackpot": ANY}, {"jackpot": link})
    first, second = survey_places(bus, {}, {}, [], 115200, running)
    assert bus.asked == [first.port] == [f"{UNIT}:JP-1"]
    assert (second.held_by, second.serial, second.firmware) == (CONTROLLER, "JP-2", "1.4.2")


def test_a_unit_of_the_configuration_stays_as_it_is_written() -> None:
    (place,) = survey_places(Bus("JP-1"), {"jackpot": ANY}, {}, [], 115200, None)
    assert chosen([place], ANY).devices["jackpot"].value == UNIT
    assert chosen([place]).devices["jackpot"].value == f"{UNIT}:JP-1"
    assert chosen([place], ANY, jackpot=UNIT).devices["jackpot"].value == f"{UNIT}:JP-1"


def test_a_unit_that_is_not_plugged_in_is_asked_and_told(mocker: MockerFixture) -> None:
    bus = Bus()
    mocker.patch.object(bus, "probe_port", side_effect=DriverError("not plugged in"))
    (place,) = survey_places(
        bus, {"jackpot": ANY, "keypad": DeviceConfig("keypad")}, {}, [], 115200, None
    )
    step = "'tablectl devices probe' lists what is there"
    assert (place.port, place.trouble) == (UNIT, f"not plugged in: {step}")


def test_the_command_line_means_one_place_each() -> None:
    places = survey_places(Bus("JP-1", "JP-2"), {}, {}, [], 115200, None)
    with pytest.raises(NotDone, match=r"expected one unit, and .*JP-1, .*JP-2 are"):
        chosen(places, jackpot=UNIT)
    with pytest.raises(NotDone, match="that port is another --device already"):
        chosen(places, jackpot=f"{UNIT}:JP-1", left=f"{UNIT}:JP-1")
    with pytest.raises(NotDone, match="expected a dealer keypad there"):
        chosen(places, DeviceConfig("keys", usb="1209:0002", kind="keypad"), keys=f"{UNIT}:JP-1")


def test_another_kind_under_a_name_of_ones_own_is_that_kind() -> None:
    assert chosen([SHOE], main=SHOE.port).devices["main"].kind == "shoe"


def test_a_name_that_was_bound_otherwise_is_kept(mocker: MockerFixture) -> None:
    """By somebody's own rule, for an adapter without a number."""
    mocker.patch("controller.commissioning.choice.LINKS", "/dev")
    place = DevicePlace(Port("/dev/null", "1a86:7523"), kind="shoe", serial="S1")
    known = DeviceConfig("shoe", port="/dev/null")
    assert chosen([place], known).devices["shoe"].value == "/dev/null"
    lost = chosen([place], DeviceConfig("shoe", port="/dev/shoe"))
    assert (lost.devices, "has no serial number" in lost.problems[0]) == ({}, True)


def test_another_makers_driver_is_left_to_it(table: Box, mocker: MockerFixture) -> None:
    mocker.patch("controller.configuration.keys.is_known", return_value=True)
    mocker.patch("drivers.registry.is_known", return_value=True)
    keypad = table.plug("keypad", "KEYP0001")
    before = keypad.do("line")["bytes_in"]
    given = (
        f"--set=devices.keypad.port={table.folder / 'keypad'}",
        "--set=devices.keypad.driver=vendor",
    )
    told = table.setup("--yes", "--json", *sets(), *given)
    assert told.code == 0, told.err
    (test,) = (test for test in told.json["tests"] if test["name"] == "keypad")
    assert (test["ok"], "its driver is vendor" in test["what"]) == (True, True)
    assert keypad.do("line")["bytes_in"] == before


def test_usb_that_cannot_be_read_is_told_and_ports_are_found(
    table: Box, mocker: MockerFixture
) -> None:
    error = DriverError("USB cannot be used: libusb is missing")
    mocker.patch("drivers.carriers.usb_unit.list_units", side_effect=error)
    told = table.setup("--yes", *sets())
    assert told.code == 0
    assert "USB cannot be used: libusb is missing" in told.out


def test_a_device_that_goes_away_before_its_test(table: Box, mocker: MockerFixture) -> None:
    mocker.patch.object(ThisMachine, "self_test", side_effect=DriverError("it has hung up"))
    told = table.setup("--yes", *sets())
    assert (told.code, "!!  shoe       it has hung up" in told.out) == (1, True)


def test_what_is_approved_runs_and_has_its_people_leaves_little_to_do(
    table: Box, mocker: MockerFixture
) -> None:
    mocker.patch.object(ThisMachine, "without_people", return_value=[])
    digests = [f"--set=approved.{key}={'a' * 64}" for key in ("program", "rules", "readings")]
    told = table.setup("--yes", "--json", *sets(), *digests)
    assert not any(
        "is approved yet" in item or "nobody is in" in item for item in told.json["left"]
    )
    status = {"configuration": {"path": str(table.config), "digest": _digest(table)}}
    with controller(table.folder / "control.sock", status):
        left = table.setup("--json").json["left"]
    assert not any("systemctl" in item for item in left)


def _digest(table: Box) -> str:
    return load_configuration(table.config).digest


def test_whether_systemd_runs_the_machine(mocker: MockerFixture, table: Box) -> None:
    mocker.patch("controller.commissioning.this_machine.BOOTED", table.folder)
    assert ThisMachine().booted()


def test_nobody_says_which() -> None:
    assert questions.which(None, "card shoe", [SHOE, SHOE]) is None
