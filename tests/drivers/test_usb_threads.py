"""A machine without threads: the unit's carrier says so, and goes on trying."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from pytest_mock import MockerFixture
from usb.core import USBTimeoutError

from drivers.carriers import usb
from drivers.carriers.usb import UsbCarrier


class Listener:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.news = asyncio.Event()

    def _say(self, what: str) -> None:
        self.told.append(what)
        self.news.set()

    def carrier_opened(self) -> None:
        self._say("opened")

    def carrier_closed(self, reason: str) -> None:
        self._say(reason)

    def carrier_received(self, data: bytes) -> None:
        self._say(data.hex())

    def other_unit(self, reason: str) -> None:
        self._say(reason)

    async def until(self, what: str) -> None:
        while not any(what in one for one in self.told):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 20)


class Unit:
    """One that has nothing to say."""

    def __init__(self) -> None:
        self.closed = 0

    def read_packet(self, _: float) -> bytes:
        raise USBTimeoutError("nothing")

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("name", ["usb P12", "usb P12 out"])
def test_it_is_tried_again_until_there_is_one(mocker: MockerFixture, name: str) -> None:
    """Found in review: the unit stayed open, and nobody looked for it any more."""
    unit, real = Unit(), threading.Thread.start
    refused: list[str] = []

    def refuse(thread: threading.Thread) -> None:
        if thread.name == name and not refused:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        real(thread)

    mocker.patch("threading.Thread.start", refuse)
    mocker.patch.object(usb, "open_unit", return_value=unit)

    async def run() -> Any:
        listener = Listener()
        carrier = UsbCarrier(asyncio.get_running_loop(), "P12", listener)
        carrier.start()
        await listener.until("no thread")
        await listener.until("opened")
        await carrier.close()
        return listener.told

    told = asyncio.run(run())
    assert [told[0].startswith("USB unit P12: no thread"), told[1:]] == [True, ["opened"]]
    assert unit.closed == (2 if name.endswith("out") else 1)
