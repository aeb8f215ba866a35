"""What the driver reports of a device, on a wire that the test holds in its hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from drivers.api import Answer, DeviceConfig, LinkDown, Value
from drivers.carriers.base import CarrierListener
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
