"""What a played line takes for granted, and what it tells: by exchanges made by the test; and which
entries may come in another order."""

from __future__ import annotations

import asyncio

import pytest

from controller.journal.model import Draft, Entry
from drivers.api import PortChange, Seen
from drivers.capture.reader import Sight
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, decode, encode, read_traffic
from hil_tests.replay.exchanges import half_of, readdressed
from hil_tests.replay.exported import compare
from hil_tests.replay.line import PlayedLine
from hil_tests.virtual_time.world import VirtualLoop, World
from tests.capture.support import CARD, command, event

SHOE = [("link", "shoe"), ("SHOE_STATE", "shoe")]
UNIT = [("link", "jackpot"), ("COVER", "jackpot")]
PLAY = [("dealer", None), ("CARD", "shoe"), ("BUTTON", "jackpot")]


def _entries(*told: tuple[str, str | None]) -> list[Entry]:
    return [
        Entry(seq, 1, seq, "", Draft(kind, {}, device), None, b"")
        for seq, (kind, device) in enumerate(told, 1)
    ]


def test_devices_that_introduce_themselves_side_by_side_may_do_so_in_any_order() -> None:
    one, other = _entries(*SHOE, *UNIT, *PLAY), _entries(*UNIT, *SHOE, *PLAY)
    assert compare(one, other, from_start=True) == (7, [])
    mixed = _entries(UNIT[0], *SHOE, UNIT[1], *PLAY)
    assert compare(one, mixed, from_start=True) == (7, [])
    assert compare(one, other)[1]


def test_the_order_of_each_devices_own_entries_is_compared() -> None:
    one, other = _entries(*SHOE, *UNIT, *PLAY), _entries(*reversed(SHOE), *UNIT, *PLAY)
    assert compare(one, other, from_start=True)[1]


def test_once_somebody_else_is_heard_the_order_is_compared() -> None:
    one = _entries(*SHOE, *UNIT, *PLAY)
    other = _entries(*SHOE, *UNIT, PLAY[0], PLAY[2], PLAY[1])
    assert compare(one, other, from_start=True)[1]


MS = 1_000_000
GATE = COMMANDS["GATE"].type
OPEN, LOCK = {"unlocked": 1, "cards": 3}, {"unlocked": 0, "cards": 0}


def answer(number: int, last_event: int = 8) -> Seen:
    payload = encode(GATE | ANSWER_BIT, number, {"last_event": last_event})
    return read_traffic(payload, outward=False)


class Daemon:
    """Its end of the line; what arrives, and when in ms."""

    def __init__(self, *sights: tuple[int, Seen], up: bool = True) -> None:
        self.world = World()
        self.loop = VirtualLoop(self.world)
        self.differences: list[str] = []
        self.arrived: list[tuple[int, str]] = []
        half = half_of(Sight(at * MS, "shoe", seen) for at, seen in sights)
        head = {"carrier": "usb", **({"session": 77} if up else {})}
        self.line = PlayedLine(
            "shoe", head, half, 8, (0, 5000 * MS), self.clock_ns, self.differences.append
        ).attach(self.loop, self)
        self.line.schedule_sights()
        self.line.start()

    def clock_ns(self) -> int:
        return round(self.world.now * 1e9)

    def carrier_opened(self) -> None:
        self.arrived.append((self.clock_ns() // MS, "opened"))

    def carrier_closed(self, reason: str) -> None:
        self.arrived.append((self.clock_ns() // MS, reason))

    def carrier_received(self, data: bytes) -> None:
        self.arrived.append((self.clock_ns() // MS, f"{decode(data).name} {decode(data).id}"))

    def say(self, at_ms: int, number: int, **fields: int) -> None:
        self.loop.call_at(at_ms / 1000, self.line.send, encode(GATE, number, fields))

    def over(self) -> list[str]:
        self.world.run_for(6.0)
        self.line.report_missing()
        asyncio.run(self.line.close())
        return self.differences


def test_an_answer_comes_when_it_came_under_the_id_of_now() -> None:
    daemon = Daemon((100, command("GATE", 40, **OPEN)), (180, answer(40)))
    daemon.say(95, 7, **OPEN)
    daemon.say(150, 7, **OPEN)  # sent again
    assert daemon.over() == []
    assert daemon.arrived == [(0, "opened"), (180, "GATE 7")]


def test_an_answer_does_not_come_before_it_is_asked_for() -> None:
    daemon = Daemon((100, command("GATE", 40, **OPEN)), (101, answer(40)))
    daemon.say(300, 7, **OPEN)
    assert daemon.over() == []
    assert daemon.arrived[1:] == [(300, "GATE 7")]


def test_events_and_the_port_come_when_they_came() -> None:
    card = event("CARD", **CARD)
    gone, back = PortChange(open=False, reason="hung up"), PortChange(open=True)
    daemon = Daemon((100, card), (200, gone), (300, card), (400, back), (500, card))
    assert daemon.over() == []
    assert daemon.arrived == [
        (0, "opened"),
        (100, "CARD 0"),
        (200, "hung up"),
        (400, "opened"),
        (500, "CARD 0"),
    ]


def test_a_device_that_was_not_there_is_not_there() -> None:
    daemon = Daemon((400, PortChange(open=True)), up=False)
    assert daemon.over() == []
    assert daemon.arrived == [(400, "opened")]


@pytest.mark.parametrize(("later_ms", "told"), [(50, 0), (900, 1)])
def test_an_order_to_the_gate_that_is_soon_overtaken_may_be_left_out(
    later_ms: int, told: int
) -> None:
    then = (100, command("GATE", 40, **OPEN)), (101, answer(40))
    after = (100 + later_ms, command("GATE", 41, **LOCK)), (110 + later_ms, answer(41))
    daemon = Daemon(*then, *after)
    daemon.say(100 + later_ms, 7, **LOCK)
    assert [("is not told GATE unlocked=1" in one) for one in daemon.over()] == [True] * told
    another = Daemon(*after)
    another.say(100, 6, **OPEN)
    another.say(100 + later_ms, 7, **LOCK)
    assert [("is told GATE unlocked=1" in one) for one in another.over()] == [True] * told


def test_one_from_which_a_card_came_was_not_overtaken() -> None:
    card = event("CARD", **{**CARD, "event_no": 9})
    daemon = Daemon(
        (100, command("GATE", 40, **OPEN)),
        (101, answer(40)),
        (120, card),
        (140, command("GATE", 41, **LOCK)),
        (141, answer(41, 9)),
    )
    daemon.say(140, 7, **LOCK)
    [difference] = daemon.over()
    assert "is not told GATE unlocked=1 cards=3 any more" in difference


def test_what_the_capture_does_not_have_is_told_and_answered() -> None:
    daemon = Daemon((4000, event("CARD", **CARD)))
    daemon.say(100, 7, **OPEN)
    [difference] = daemon.over()
    assert "is told GATE unlocked=1 cards=3; the capture has nothing more here" in difference
    assert (100, "GATE 7") in daemon.arrived


def test_an_answer_is_readdressed_and_stays_the_same() -> None:
    payload = encode(GATE | ANSWER_BIT, 3, {"last_event": 4711})
    message = decode(readdressed(payload, 65535))
    assert (message.id, message.fields) == (65535, {"last_event": 4711})
