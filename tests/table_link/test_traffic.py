"""Traffic as a technician sees it: named, taken apart, and only while somebody looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from drivers.api import DeviceConfig, PortChange, Seen, Stray, TrafficSource
from drivers.carriers.base import CarrierListener
from drivers.table_link.driver import TableLink
from drivers.table_link.framing import encode_frame
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, EVENTS, encode, read_traffic

PING = COMMANDS["PING"].type
ALIVE = {"uptime_ms": 9, "state": 1, "faults": 0, "unacked": 0}
PRESS = encode(EVENTS["PRESS"].type, 0, {"event_no": 1, "t_ms": 2, "offer_id": 7})


@pytest.mark.parametrize(
    ("payload", "name", "fields"),
    [
        (encode(PING, 5, {}), "PING", {}),
        (encode(PING | ANSWER_BIT, 5, ALIVE), "PING answer", ALIVE),
        (encode(0xFF, 5, {"code": 3, "refused": 16}), "NAK", {"code": 3, "refused": 16}),
        (PRESS, "PRESS", {"event_no": 1, "t_ms": 2, "offer_id": 7}),
    ],
)
def test_a_message_is_named_and_taken_apart(
    payload: bytes, name: str, fields: Mapping[str, int]
) -> None:
    seen = read_traffic(payload, outward=False)
    assert (seen.name, seen.fields, seen.raw) == (name, fields, payload)


@pytest.mark.parametrize(("payload", "why"), [(b"", "bad_size"), (PRESS[:-1] + b"\xff", "bad_crc")])
def test_what_is_no_message_is_shown_with_the_reason(payload: bytes, why: str) -> None:
    seen = read_traffic(payload, outward=False)
    assert (seen.name, seen.id, seen.raw) == (f"dropped: {why}", None, payload)


class Nobody:
    """Hears of a device and does nothing."""

    def link_up(self, up: object) -> None: ...
    def link_down(self, down: object) -> None: ...
    def device_event(self, event: object) -> None: ...


class Wire:
    """A port that is open from the start and notes what is sent."""

    def __init__(self, listener: CarrierListener) -> None:
        self.listener = listener
        self.errno: int | None = None
        self.sent: list[bytes] = []

    def start(self) -> None:
        self.listener.carrier_opened()

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def restart(self, reason: str) -> None: ...
    def recheck(self) -> None: ...
    def statistics(self) -> Mapping[str, int]:
        return {}

    async def close(self) -> None: ...


USB = DeviceConfig("jackpot", usb="1209:0001")


def linked(check: Callable[[TableLink, Wire], None], config: DeviceConfig = USB) -> None:
    async def whole() -> None:
        wires: list[Wire] = []

        def make(listener: CarrierListener) -> Wire:
            wires.append(Wire(listener))
            return wires[0]

        loop = asyncio.get_running_loop()
        link = TableLink(config, loop, Nobody(), (0, 0), 1, make)
        check(link, wires[0])
        await link.close()

    asyncio.run(whole())


def test_a_link_shows_both_directions_and_its_port_from_the_tap_to_its_end() -> None:
    def check(link: TableLink, wire: Wire) -> None:
        assert isinstance(link, TrafficSource)
        seen: list[Seen] = []
        others: list[Seen] = []
        end, end_other = link.tap(seen.append), link.tap(others.append)
        link.start()
        wire.listener.carrier_received(PRESS)
        wire.listener.carrier_closed("unplugged")
        wire.listener.carrier_closed("not there")  # still
        assert seen == [
            PortChange(open=True),
            read_traffic(wire.sent[0], outward=True),
            read_traffic(PRESS, outward=False),
            PortChange(open=False, reason="unplugged"),
        ]
        assert others == seen
        end()
        wire.listener.carrier_received(PRESS)
        assert (len(seen), len(others)) == (4, 5)
        end_other()

    linked(check)


def test_bytes_of_a_serial_line_that_are_no_frame_are_shown_as_they_came() -> None:
    def check(link: TableLink, wire: Wire) -> None:
        link.start()
        seen: list[Seen] = []
        link.tap(seen.append)
        frame = encode_frame(PRESS)
        noise = b"\x01" * 40
        for portion in (frame[:4], frame[4:] + b"\x09", b"\x01\x00\x00", noise, noise, frame[:1]):
            wire.listener.carrier_received(portion)
        assert seen == [
            read_traffic(PRESS, outward=False),
            Stray(b"\x09\x01"),
            Stray(noise + noise),
        ]

    linked(check, DeviceConfig("jackpot", port="/dev/null/jackpot"))


def test_a_tap_changes_nothing_of_what_is_sent_and_taken() -> None:
    def check(link: TableLink, wire: Wire) -> None:
        link.start()
        wire.listener.carrier_received(PRESS)
        plain.append((list(wire.sent), dict(link.statistics())))

    def tapped(link: TableLink, wire: Wire) -> None:
        link.tap(lambda _: None)
        check(link, wire)

    plain: list[object] = []
    linked(check)
    linked(tapped)
    assert plain[0] == plain[1]
