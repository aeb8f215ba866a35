"""A link in this process: on a wire that the test holds in its hand, at a USB unit that is not the
one configured (named once, and not used), and on a machine without threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from pytest_mock import MockerFixture
from usb.core import USBTimeoutError

from drivers.api import (
    Answer,
    DeviceConfig,
    DeviceEvent,
    DriverError,
    LinkDown,
    LinkUp,
    OtherUnitError,
    Value,
)
from drivers.carriers import usb
from drivers.carriers.base import CarrierListener
from drivers.carriers.usb import UsbCarrier
from drivers.table_link.driver import TableLink
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, NAK, decode, encode
from tests.drivers.support import Recorder
from tests.table_link.test_traffic import Wire

JACKPOT, SHOE = 3, 1


def answer_hello(wire: Wire, kind: int = JACKPOT) -> None:
    """The device answers the HELLO that was sent last."""
    fields: dict[str, Value] = {
        "kind": kind,
        "minor": 0,
        "session_id": 7,
        "oldest_unacked": 0,
        "last_event": 0,
        "capabilities": 15,
        "firmware": (1, 0, 0),
        "serial": "J1",
        "digest": "00" * 8,
    }
    answer = encode(COMMANDS["HELLO"].type | ANSWER_BIT, decode(wire.sent[-1]).id, fields)
    wire.listener.carrier_received(answer)


def on_a_wire(
    check: Callable[[TableLink, Wire, Recorder], None], make: type[Wire] = Wire
) -> Recorder:
    """A started link that is checked and closed; what its listener has heard."""

    async def whole() -> Recorder:
        wires: list[Wire] = []

        def carrier(listener: CarrierListener) -> Wire:
            wires.append(make(listener))
            return wires[0]

        heard, loop = Recorder(), asyncio.get_running_loop()
        config = DeviceConfig("jackpot", usb="1209:0001")
        link = TableLink(config, loop, heard, (0, 0), 1, carrier)
        link.start()
        check(link, wires[0], heard)
        await link.close()
        return heard

    return asyncio.run(whole())


def test_a_refusal_is_answered_with_its_code() -> None:
    answers: list[Answer] = []

    def check(link: TableLink, wire: Wire, heard: Recorder) -> None:
        answer_hello(wire)
        link.command("BLANK", {}, answers.append)
        fields: dict[str, Value] = {"code": 3, "refused": COMMANDS["BLANK"].type}
        wire.listener.carrier_received(encode(NAK, decode(wire.sent[-1]).id, fields))

    on_a_wire(check)
    assert answers == [Answer("BLANK", nak=3)]


def test_an_idle_link_wakes_for_its_ping_alone() -> None:
    def check(link: TableLink, wire: Wire, heard: Recorder) -> None:
        answer_hello(wire)
        link.command("BLANK", {}, lambda _: None)
        number = COMMANDS["BLANK"].type | ANSWER_BIT
        wire.listener.carrier_received(encode(number, decode(wire.sent[-1]).id, {}))
        assert link._timer_at == link._session.deadline() == link._session._ping_at

    on_a_wire(check)


def test_what_speaks_up_is_news_and_that_it_is_gone_is_none() -> None:
    def check(link: TableLink, wire: Wire, heard: Recorder) -> None:
        answer_hello(wire, SHOE)
        wire.listener.carrier_closed("unplugged")

    [down] = on_a_wire(check).heard
    assert isinstance(down, LinkDown)
    assert "card shoe" in down.reason


def test_nothing_is_heard_any_more_while_the_port_is_being_closed() -> None:
    class Late(Wire):
        async def close(self) -> None:
            assert isinstance(self.listener, TableLink)
            answer_hello(self)
            self.listener.other_unit("another unit is plugged in")

    def check(link: TableLink, wire: Wire, heard: Recorder) -> None:
        wire.listener.carrier_closed("unplugged")

    assert on_a_wire(check, Late).heard == [LinkDown("jackpot", "unplugged")]


NOBODY = "no USB unit 1209:0001:J1 is plugged in"
OTHER = f"{NOBODY}, only J2"
STRANGER = f"{NOBODY}, only J3"
LIMIT_S = 20


class DownReasons:
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
    listener, loop = DownReasons(), asyncio.get_running_loop()
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
    listener, loop = DownReasons(), asyncio.get_running_loop()
    link = TableLink(DeviceConfig("jackpot", usb="1209:0001:J1"), loop, listener, (0, 0), 1)
    link.start()
    async with asyncio.timeout(LIMIT_S):
        await listener.heard.wait()
    await link.close()
    assert listener.downs == [OTHER]


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
