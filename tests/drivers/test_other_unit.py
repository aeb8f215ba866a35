"""A USB unit that is plugged in and not the one configured: named once, and not used."""

from __future__ import annotations

import asyncio

from pytest_mock import MockerFixture

from drivers.api import DeviceConfig, DeviceEvent, DriverError, LinkDown, LinkUp, OtherUnitError
from drivers.table_link.driver import TableLink

NOBODY = "no USB unit 1209:0001:J1 is plugged in"
OTHER = f"{NOBODY}, only J2"
STRANGER = f"{NOBODY}, only J3"
LIMIT_S = 20


class Listener:
    """Notes why the link is down; ``heard`` after each."""

    def __init__(self) -> None:
        self.downs: list[str] = []
        self.heard = asyncio.Event()

    def link_up(self, up: LinkUp) -> None:
        raise AssertionError(up)

    def device_event(self, event: DeviceEvent) -> None:
        raise AssertionError(event)

    def link_down(self, down: LinkDown) -> None:
        self.downs.append(down.reason)
        self.heard.set()


async def test_another_unit_is_named_once_for_as_long_as_it_is_there(mocker: MockerFixture) -> None:
    found = [
        DriverError(NOBODY),
        DriverError(NOBODY),
        OtherUnitError(OTHER),
        OtherUnitError(OTHER),
        DriverError(NOBODY),
        OtherUnitError(OTHER),
        OtherUnitError(STRANGER),
    ]
    mocker.patch("drivers.carriers.usb.open_unit", side_effect=[*found, *[found[-1]] * 1000])
    mocker.patch("drivers.carriers.usb.Backoff.next_s", return_value=0.001)
    listener, loop = Listener(), asyncio.get_running_loop()
    link = TableLink(DeviceConfig("jackpot", usb="1209:0001:J1"), loop, listener, (0, 0), 1)
    link.start()
    async with asyncio.timeout(LIMIT_S):
        while STRANGER not in listener.downs:
            await listener.heard.wait()
            listener.heard.clear()
    await link.close()
    assert listener.downs == [NOBODY, OTHER, OTHER, STRANGER]


async def test_another_unit_at_the_start_is_the_first_news(mocker: MockerFixture) -> None:
    mocker.patch("drivers.carriers.usb.open_unit", side_effect=[OtherUnitError(OTHER)] * 1000)
    listener, loop = Listener(), asyncio.get_running_loop()
    link = TableLink(DeviceConfig("jackpot", usb="1209:0001:J1"), loop, listener, (0, 0), 1)
    link.start()
    async with asyncio.timeout(LIMIT_S):
        await listener.heard.wait()
    await link.close()
    assert listener.downs == [OTHER]
