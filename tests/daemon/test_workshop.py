"""Self-tests and captures at a running table: when they may be, and what they leave behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import BadCommand, Refusal
from controller.control.peers import Peer
from controller.daemon.outside import Outside
from controller.daemon.workshop import KEPT, PORTION, Recorder, Workshop
from drivers.api import Answer, DeviceConfig, LinkDown, Seen, Traffic, TrafficSource
from tests.daemon.house import KINDS, House, open_house, turns

Scenario = Callable[[House, Workshop], Awaitable[None]]
TECHNICIAN = Peer(1, 0, 0, "tan", frozenset({"supervisor"}))
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CONFIGS = {name: DeviceConfig(name, port=f"/dev/null/{name}") for name in KINDS}


def play(state: Path, scenario: Scenario) -> None:
    async def run() -> None:
        async with open_house(state) as house:
            await house.all_up()
            ticks = count(5_000_000, 1_000_000)
            outside = Outside(lambda: "boot-1", lambda: NOON, lambda: next(ticks))
            await scenario(house, Workshop(house.owner.table, house.fleet, outside, CONFIGS))
        assert house.verified()

    asyncio.run(run())


async def answers(house: House, workshop: Workshop, device: str, answer: Answer) -> object:
    """A self-test that the device answers so."""
    house.prompt.discard(device)
    asking = asyncio.ensure_future(workshop.self_test(device, TECHNICIAN))
    await turns(5)
    link = house.links[device]
    assert link.outstanding is not None
    name, _, done = link.outstanding
    assert name == "SELF_TEST"
    link.outstanding = None
    house.prompt.add(device)
    done(answer)
    result = await asking
    await house.quiet()
    return result


@pytest.mark.parametrize(
    ("answer", "well", "failed", "trouble"),
    [
        (Answer("SELF_TEST", {"failed": 0, "duration_ms": 900}), True, [], ""),
        (Answer("SELF_TEST", {"failed": 0b101, "duration_ms": 900}), False, [0, 2], ""),
        (Answer("SELF_TEST", nak=5), False, [], "NAK 5"),
        (Answer("SELF_TEST"), False, [], "the link went down"),
    ],
)
def test_what_the_device_says_of_itself(
    tmp_path: Path, answer: Answer, *, well: bool, failed: list[int], trouble: str
) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        told = await answers(house, workshop, "keypad", answer)
        assert isinstance(told, dict)
        assert (told["well"], told["failed"]) == (well, failed)
        assert trouble in told["trouble"]

    play(tmp_path, scenario)


def test_a_device_that_cannot_now_is_a_refusal(tmp_path: Path) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        for code in (3, 4):
            with pytest.raises(Refusal, match=f"NAK {code}"):
                await answers(house, workshop, "shoe", Answer("SELF_TEST", nak=code))

    play(tmp_path, scenario)


def test_nothing_else_is_commanded_meanwhile_and_the_device_is_looked_at_after(
    tmp_path: Path,
) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        house.prompt.discard("jackpot")
        asking = asyncio.ensure_future(workshop.self_test("jackpot", TECHNICIAN))
        await turns(5)
        await house.dealer("open", "wager 1 main 10")
        assert house.commands("jackpot")[-1][0] == "SELF_TEST"
        with pytest.raises(Refusal, match="between rounds"):
            await workshop.self_test("jackpot", TECHNICIAN)
        house.prompt.add("jackpot")
        outstanding = house.links["jackpot"].outstanding
        assert outstanding is not None
        house.links["jackpot"].outstanding = None
        outstanding[2](Answer("SELF_TEST", {"failed": 0, "duration_ms": 1}))
        await asking
        await house.quiet()
        names = [name for name, _ in house.commands("jackpot")]
        assert names[names.index("SELF_TEST") + 1] == "METER"

    play(tmp_path, scenario)


def test_there_is_none_while_bets_are_open_or_a_round_is_played(tmp_path: Path) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        for commands in (("open",), ("wager 1 main 10", "close")):
            await house.dealer(*commands)
            with pytest.raises(Refusal, match="between rounds"):
                await workshop.self_test("keypad", TECHNICIAN)
        assert "SELF_TEST" not in [name for _, name, _ in house.sent]

    play(tmp_path, scenario)


def test_there_is_none_of_a_device_that_is_down_or_not_there(tmp_path: Path) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        with pytest.raises(BadCommand, match="no device 'roulette'"):
            await workshop.self_test("roulette", TECHNICIAN)
        with pytest.raises(BadCommand, match="no device 'roulette'"):
            workshop.capture("roulette", TECHNICIAN, lambda: None)
        with pytest.raises(Refusal, match="cannot show"):
            workshop.capture("shoe", TECHNICIAN, lambda: None)

    play(tmp_path, scenario)


class Line:
    """A line whose traffic is the test's."""

    def __init__(self) -> None:
        self.tell: Callable[[Seen], None] | None = None

    def tap(self, tell: Callable[[Seen], None]) -> Callable[[], None]:
        self.tell = tell
        return self.untap

    def untap(self) -> None:
        self.tell = None

    def say(self, number: int) -> None:
        assert self.tell
        self.tell(Traffic(True, b"\x01\x02", "PING", number, {"n": number, "firmware": (1, 2)}))


def recorder(**lines: TrafficSource) -> Recorder:
    ticks = count(5_000_000, 1_500_000)
    return Recorder({"capture": 2}, lines, lambda: next(ticks), lambda: None)


def test_the_head_says_of_which_table_and_devices_it_is(tmp_path: Path) -> None:
    async def scenario(house: House, workshop: Workshop) -> None:
        for name in ("shoe", "jackpot"):
            vars(house.links[name])["tap"] = Line().tap
        house.links["jackpot"].listener.link_down(LinkDown("jackpot", "unplugged"))
        capture = workshop.capture("all", TECHNICIAN, lambda: None)
        head: Mapping[str, Any] = capture.take()["head"]
        assert {key: head[key] for key in ("capture", "end", "boot_id", "began", "began_ns")} == {
            "capture": 2,
            "end": "controller",
            "boot_id": "boot-1",
            "began": NOON.isoformat(),
            "began_ns": 5_000_000,
        }
        assert head["table"] == {"id": "T1", "rules": "mbs-pontoon-pandemonium-v5"}
        assert head["program"]["name"] == "table-controller"
        shoe, jackpot = head["devices"]["shoe"], head["devices"]["jackpot"]
        assert list(head["devices"]) == ["shoe", "jackpot"]
        assert (shoe["serial"], shoe["session"], shoe["firmware"]) == ("shoe-1", 77, [1, 0, 0])
        assert jackpot == {"carrier": "serial"}
        capture.close()

    play(tmp_path, scenario)


def test_traffic_is_kept_with_its_times_in_portions() -> None:
    line = Line()
    capture = recorder(shoe=line)
    for number in range(PORTION + 1):
        line.say(number)
    first, second = capture.take(), capture.take()
    assert first["head"] == {"capture": 2}
    assert "head" not in second
    assert first["lines"][0] == {
        "at_ns": 5_000_000,
        "device": "shoe",
        "dir": "out",
        "raw": "0102",
        "message": "PING",
        "id": 0,
        "fields": {"n": 0, "firmware": [1, 2]},
    }
    assert (len(first["lines"]), first["more"]) == (PORTION, True)
    assert [told["id"] for told in second["lines"]] == [PORTION]
    assert not second["more"]
    capture.close()
    assert line.tell is None


def test_several_lines_are_kept_in_the_order_in_which_it_came() -> None:
    shoe, keypad = Line(), Line()
    capture = recorder(shoe=shoe, keypad=keypad)
    for number, line in enumerate((shoe, keypad, keypad, shoe)):
        line.say(number)
    told = capture.take()["lines"]
    assert [(one["device"], one["id"]) for one in told] == [
        ("shoe", 0),
        ("keypad", 1),
        ("keypad", 2),
        ("shoe", 3),
    ]
    capture.close()
    assert (shoe.tell, keypad.tell) == (None, None)


def test_what_is_not_fetched_is_dropped_and_counted_behind_what_was_kept() -> None:
    line = Line()
    capture = recorder(shoe=line)
    for number in range(KEPT + 3):
        line.say(number)
    kept: list[Any] = []
    dropped = []
    while True:
        portion = capture.take()
        kept += [told["id"] for told in portion["lines"]]
        dropped.append(portion["dropped"])
        if not portion["more"]:
            break
    assert kept == list(range(KEPT))
    assert dropped == [0] * (len(dropped) - 1) + [3]
    assert capture.take()["dropped"] == 0
