"""What the USB carrier must survive, run under umockdev by ``test_usb``: real libusb, no bus."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator

import pytest

from drivers.api import DeviceConfig, DriverError
from drivers.carriers.usb_unit import list_units, open_unit
from drivers.probe import probe
from simulators.hands import Hands
from tests.drivers.support import Recorder

UNIT = "1209:0001"
CONFIG = DeviceConfig("jackpot", usb=UNIT)


@pytest.fixture
def unit() -> Iterator[Hands]:
    with Hands.connect(os.environ["TABLE_TEST_HANDS"]) as hands:
        if not hands.look()["plugged"]:
            hands.do("plug")
        hands.do("restart", forget=True)
        yield hands


def test_identity_by_probe_and_by_list(unit: Hands) -> None:
    report = probe(f"{UNIT}:JP-0001")
    assert (report.identity.kind, report.identity.serial) == ("jackpot", "JP-0001")
    assert list_units(0x1209, 1) == ["1209:0001:JP-0001"]


@pytest.mark.parametrize("name", ["1209:0001:JP-0002", "1209:0002"])
def test_absent_unit_is_named(unit: Hands, name: str) -> None:
    with pytest.raises(DriverError, match=f"no USB unit {name} is plugged in"):
        open_unit(name)


def test_commands_and_events(unit: Hands) -> None:
    async def body() -> None:
        table = Recorder(stores=True)
        link = table.opens(CONFIG)
        assert (await table.command_when_up("ARM", offer_id=7, box=2)).fields == {}
        await asyncio.to_thread(unit.do, "press")
        await table.until(lambda: table.of("PRESS"))
        await table.command("SHOW", offer_id=7, multiplier=25, spin_ms=50)
        await table.until(lambda: table.of("SHOWN"))
        assert [event.type for event in table.events] == ["COVER", "PRESS", "SHOWN"]
        answer = await table.command("METER")
        assert answer.fields is not None
        assert answer.fields["multiplier"] == 25
        times = []
        for _ in range(200):
            began = time.perf_counter()
            await table.command("METER")
            times.append((time.perf_counter() - began) * 1000)
        print(f"round trip: median {statistics.median(times):.2f} ms", file=sys.stderr)
        began = time.perf_counter()
        await link.close()
        assert time.perf_counter() - began < 1.5

    asyncio.run(body())


def test_unplugged_and_replugged(unit: Hands) -> None:
    async def body() -> None:
        table = Recorder(stores=True)
        link = table.opens(CONFIG)
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
        await link.close()

    asyncio.run(body())


def test_stall_is_cleared_and_hello_follows(unit: Hands) -> None:
    async def body() -> None:
        table = Recorder(stores=True)
        link = table.opens(CONFIG)
        await table.until(lambda: table.events)
        before = unit.do("line")["halts_cleared"]
        await asyncio.to_thread(unit.do, "stall")
        await table.until(lambda: len(table.ups) == 2)
        assert unit.do("line")["halts_cleared"] == before + 2
        assert link.statistics()["line_stalls"] == 1
        assert (await table.command("ARM", offer_id=1, box=1)).fields == {}
        await link.close()

    asyncio.run(body())


def test_empty_and_over_long_packets_are_dropped_and_counted(unit: Hands) -> None:
    async def body() -> None:
        table = Recorder(stores=True)
        link = table.opens(CONFIG)
        await table.until(lambda: table.events)
        for packet in ("", "00" * 57, "00" * 64, "ff" * 56):
            await asyncio.to_thread(unit.do, "packet", hex=packet)
        await table.until_statistics(lambda counts: counts["line_over_long"] == 2)
        assert link.statistics()["line_empty"] == 1
        assert (await table.command("METER")).fields is not None
        assert link.statistics()["bad_crc"] == 1
        assert len(table.ups) == 1
        await link.close()

    asyncio.run(body())


def test_absent_at_the_start_is_told_once(unit: Hands) -> None:
    async def body() -> None:
        await asyncio.to_thread(unit.do, "unplug")
        table = Recorder(stores=True)
        link = table.opens(CONFIG)
        await table.until_statistics(lambda counts: counts["line_open_failed"] >= 3)
        assert [down.reason for down in table.downs] == ["no USB unit 1209:0001 is plugged in"]
        await asyncio.to_thread(unit.do, "plug")
        await table.until(lambda: table.ups)
        await link.close()

    asyncio.run(body())
