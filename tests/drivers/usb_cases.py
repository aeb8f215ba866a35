"""What the USB carrier must survive, run by ``test_usb`` in a process whose bus is a folder: in it
units are sockets, behind a backend of pyusb."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from types import TracebackType

import pytest
import usb.core
import usb.util
from pytest_mock import MockerFixture

from drivers.api import DeviceConfig, DriverError, OtherUnitError, PortBusyError
from drivers.carriers.usb_context import libusb_context
from drivers.carriers.usb_unit import list_units, open_unit
from drivers.probe import probe
from hil_tests.bench import processes
from hil_tests.bench.simulated_device import SimulatedDevice
from simulators.hands import Hands
from tests.drivers.support import Recorder

UNIT = "1209:0001"
NAMED = f"{UNIT}:JP-0001"
CONFIG = DeviceConfig("jackpot", usb=UNIT)
BUS = Path(os.environ["TABLE_TEST_BUS"])


processes.start_server()  # before any test, which may leave no process behind


def plugged_in(serial: str) -> Hands:
    options = ("--serial", serial)
    return SimulatedDevice.start("jackpot", BUS / serial.lower(), *options, line="--usb-port")


def until_listed(*serials: str) -> None:
    """The kernel takes a moment to see what is plugged in or out."""
    wanted = sorted(f"{UNIT}:{serial}" for serial in serials)
    deadline = time.monotonic() + 10
    while sorted(found := list_units(0x1209, 1)) != wanted:
        assert time.monotonic() < deadline, found


@pytest.fixture
def unit() -> Iterator[Hands]:
    until_listed()
    with plugged_in("JP-0001") as hands:
        until_listed("JP-0001")
        yield hands


@asynccontextmanager
async def opened(config: DeviceConfig = CONFIG) -> AsyncIterator[Recorder]:
    table = Recorder(stores=True)
    link = table.opens(config)
    try:
        yield table
    finally:
        began = time.perf_counter()
        await link.close()
    assert time.perf_counter() - began < 1.5


@asynccontextmanager
async def answering() -> AsyncIterator[Recorder]:
    async with opened() as table:
        await table.until(lambda: table.events)
        yield table


@pytest.fixture
def table(unit: Hands) -> AbstractAsyncContextManager[Recorder]:
    """What is heard of the unit, which has answered."""
    return answering()


@pytest.fixture
def other() -> Iterator[Hands]:
    with plugged_in("JP-0002") as hands:
        yield hands


def test_identity_by_probe_and_by_list(unit: Hands) -> None:
    report = probe(NAMED)
    assert (report.identity.kind, report.identity.serial) == ("jackpot", "JP-0001")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("1209:0001:JP-0002", "no USB unit 1209:0001:JP-0002 is plugged in, only JP-0001"),
        ("1209:0002", "no USB unit 1209:0002 is plugged in"),
    ],
)
def test_absent_unit_is_named(unit: Hands, name: str, said: str) -> None:
    with pytest.raises(DriverError, match=said):
        open_unit(name)


def test_a_unit_has_one_user(unit: Hands) -> None:
    first = open_unit(NAMED)
    with pytest.raises(PortBusyError, match="in use by another process"):
        open_unit(NAMED)
    first.close()
    open_unit(NAMED).close()


async def test_commands_and_events(unit: Hands, table: Recorder) -> None:
    assert (await table.command_when_up("ARM", offer_id=7, box=2)).fields == {}
    await asyncio.to_thread(unit.do, "press")
    await table.until(lambda: table.of("PRESS"))
    await table.command("SHOW", offer_id=7, multiplier=25, spin_ms=50)
    await table.until(lambda: table.of("SHOWN"))
    assert [event.type for event in table.events] == ["COVER", "PRESS", "SHOWN"]
    answer = await table.command("METER")
    assert answer.fields is not None
    assert answer.fields["multiplier"] == 25


async def test_unplugged_and_replugged(unit: Hands, table: Recorder) -> None:
    for times in (1, 2):
        await table.until(lambda n=times: len(table.ups) == n)  # type: ignore[misc]
        await asyncio.to_thread(unit.do, "unplug")
        await table.until(lambda n=times: len(table.downs) == n)  # type: ignore[misc]
        await asyncio.to_thread(unit.do, "cover", open=times == 1)
        await asyncio.to_thread(unit.do, "plug")
    await table.until(lambda: len(table.events) == 5)
    assert not any(up.new_session for up in table.ups)
    assert [event.event_no for event in table.events] == [1, 2, 3, 4, 5]
    assert UNIT in table.downs[0].reason


@pytest.mark.parametrize("way", ["in", "out"])
async def test_unplugged_in_the_middle_of_a_transfer(
    unit: Hands, table: Recorder, way: str
) -> None:
    await asyncio.to_thread(unit.do, "unplug", after_packets=0, way=way)
    await table.until(lambda: table.downs)
    assert table.downs[0].reason == f"USB unit {UNIT} was unplugged"
    await asyncio.to_thread(unit.do, "plug")
    await table.until(lambda: len(table.ups) == 2)
    assert not table.ups[1].new_session
    assert (await table.command("ARM", offer_id=1, box=1)).fields == {}


async def test_a_unit_that_forgot_returns_with_a_new_session(unit: Hands, table: Recorder) -> None:
    await asyncio.to_thread(unit.do, "unplug")
    await table.until(lambda: table.downs)
    await asyncio.to_thread(unit.do, "restart", forget=True)
    await asyncio.to_thread(unit.do, "plug")
    await table.until(lambda: len(table.events) == 2)
    assert table.ups[1].new_session
    assert [event.event_no for event in table.events] == [1, 1]
    assert table.events[0].session != table.events[1].session


@pytest.mark.parametrize("endpoint", ["in", "out", "both"])
async def test_stall_is_cleared_and_hello_follows(
    unit: Hands, table: Recorder, endpoint: str
) -> None:
    before = unit.do("line")["halts_cleared"]
    await asyncio.to_thread(unit.do, "stall", endpoint=endpoint)
    await table.until(lambda: len(table.ups) == 2)
    assert unit.do("line")["halts_cleared"] == before + 2
    assert table.statistics()["line_stalls"] == 1
    assert (await table.command("ARM", offer_id=1, box=1)).fields == {}


async def test_transfers_that_time_out_are_a_silent_unit(unit: Hands, table: Recorder) -> None:
    await asyncio.to_thread(unit.do, "silent")
    await table.until(lambda: table.downs, within_s=10)
    await table.until_statistics(lambda counts: counts["line_write_timeouts"])
    await asyncio.to_thread(unit.do, "silent", on=False)
    await table.until(lambda: len(table.ups) == 2, within_s=10)
    assert table.statistics()["line_opened"] == 1
    assert (await table.command("METER")).fields is not None


async def test_empty_and_over_long_packets_are_dropped_and_counted(
    unit: Hands, table: Recorder
) -> None:
    for packet in ("", "00" * 57, "00" * 64, "00" * 65, "ff" * 56):
        await asyncio.to_thread(unit.do, "packet", hex=packet)
    await table.until_statistics(lambda counts: counts["line_over_long"] == 3)
    assert table.statistics()["line_empty"] == 1
    assert (await table.command("METER")).fields is not None
    assert table.statistics()["bad_crc"] == 1
    assert len(table.ups) == 1


async def test_absent_at_the_start_is_told_once(unit: Hands) -> None:
    await asyncio.to_thread(unit.do, "unplug")
    await asyncio.to_thread(until_listed)
    async with opened() as table:
        await table.until_statistics(lambda counts: counts["line_open_failed"] >= 3)
        assert [down.reason for down in table.downs] == ["no USB unit 1209:0001 is plugged in"]
        await asyncio.to_thread(unit.do, "plug")
        await table.until(lambda: table.ups)


async def refused(wanted: str, said: str) -> None:
    async with opened(DeviceConfig("jackpot", usb=wanted)) as table:
        await table.until_statistics(lambda counts: counts["line_open_failed"] >= 3)
        [down] = table.downs
        assert down.reason.startswith(said)


async def test_two_units_without_a_serial_number_are_both_left_alone(
    unit: Hands, other: Hands
) -> None:
    until_listed("JP-0001", "JP-0002")
    await refused(UNIT, "2 USB units are 1209:0001: add the serial number")
    assert not unit.look()["served"]
    assert not other.look()["served"]


async def test_a_unit_of_another_serial_number_is_not_opened(other: Hands) -> None:
    until_listed("JP-0002")
    await refused(NAMED, f"no USB unit {NAMED} is plugged in, only JP-0002")
    assert other.do("line")["packets_in"] == 0


async def test_of_two_units_the_named_one_is_opened(unit: Hands, other: Hands) -> None:
    until_listed("JP-0001", "JP-0002")
    async with opened(DeviceConfig("jackpot", usb=NAMED)) as table:
        await table.until(lambda: table.events)
        assert (await asyncio.to_thread(unit.look))["served"]
        await asyncio.to_thread(unit.do, "unplug")
        await table.until_statistics(lambda counts: counts["line_open_failed"] >= 3)
        await asyncio.to_thread(unit.do, "plug")
        await table.until(lambda: len(table.ups) == 2)
    assert other.do("line")["packets_in"] == 0


async def test_somebody_elses_device_is_left_alone_and_named(unit: Hands, other: Hands) -> None:
    """0x1209:0x0001 is anybody's for tests: the interface says whose it is."""
    other.do("unplug")
    unit.do("unplug")
    unit.do("foreign")
    until_listed()
    unit.do("plug")
    async with opened() as table:
        named = "only a device with its numbers that is none (another interface)"
        await table.until(lambda: any(named in down.reason for down in table.downs))
        await asyncio.to_thread(other.do, "plug")
        await table.until(lambda: table.events)
        assert table.statistics()["line_opened"] == 1
    assert unit.do("line")["packets_in"] == 0


def test_what_a_search_has_found_may_be_held_for_longer(unit: Hands, other: Hands) -> None:
    """By the traceback of what went wrong, until its handler ends. libusb must have all of it back
    before the context ends: behind that, giving it back kills the process now and then."""
    until_listed("JP-0001", "JP-0002")
    for wanted, said in (UNIT, "2 USB units"), (f"{UNIT}:JP-0003", "only JP-0001, JP-0002"):
        with pytest.raises(OtherUnitError, match=said) as held:
            open_unit(wanted)
        assert _all_given_back(held.tb, at_least=2)


def test_a_unit_that_does_not_tell_its_endpoints_is_found_out_by_opening(
    unit: Hands, mocker: MockerFixture
) -> None:
    gone = usb.core.USBError("No such device", errno=errno.ENODEV)
    asked = mocker.patch.object(usb.core.Interface, "__iter__", side_effect=gone)
    open_unit(NAMED).close()
    asked.assert_called()


class Broken(KeyboardInterrupt):
    """Ctrl-C."""


def test_a_search_that_is_broken_off_leaves_nothing_open(
    unit: Hands, mocker: MockerFixture
) -> None:
    claiming = mocker.patch.object(usb.util, "claim_interface", side_effect=Broken)
    with pytest.raises(Broken) as held:
        open_unit(NAMED)
    assert _all_given_back(held.tb, at_least=1)
    mocker.stop(claiming)
    open_unit(NAMED).close()


def _all_given_back(traceback: TracebackType | None, at_least: int) -> bool:
    """Whether libusb has back what the frames have in their hands, and nothing is open."""
    found = []
    while traceback is not None:
        for value in traceback.tb_frame.f_locals.values():
            some = value if isinstance(value, list) else [value]
            found += [device for device in some if isinstance(device, usb.core.Device)]
        traceback = traceback.tb_next
    assert len(set(map(id, found))) >= at_least
    return not any(device._ctx.handle or device._ctx.dev._finalizer.alive for device in found)


def test_the_interpreters_end_takes_nothing_out_of_a_threads_hands(unit: Hands) -> None:
    """A thread that hangs in libusb is left behind when the daemon ends, and so is its unit."""
    with libusb_context() as libusb:
        [device] = libusb.find_devices(0x1209, 1)
        assert device.serial_number == "JP-0001"
        assert device._ctx.handle
        assert device in libusb._owned
        assert not any(thing._finalizer.atexit for thing in libusb._owned)
