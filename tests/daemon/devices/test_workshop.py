"""Self-tests and captures at a running table: when they may be, and what they leave behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.daemon.outside import Outside
from controller.daemon.trials import (
    COMMANDS,
    KEPT,
    NEW_OFFER,
    PORTION,
    SAME_OFFER,
    TrafficRecorder,
    read_device_command,
)
from controller.daemon.workshop import Workshop
from controller.table.state.parts import Phase
from drivers.api import Answer, LinkDown, Seen, Traffic, TrafficSource
from drivers.table_link.messages import COMMANDS as MESSAGES
from drivers.vocabulary import kind_on_the_wire
from tests.daemon.house import KINDS, House, played, turns


async def no_report(_: Peer) -> dict[str, object]:
    return {"ready": True}


TECHNICIAN = Peer(1, 0, 0, "tan", frozenset({"supervisor"}))
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@asynccontextmanager
async def at_work(state: Path) -> AsyncIterator[tuple[House, Workshop]]:
    async with played(state) as house:
        ticks = count(5_000_000, 1_000_000)
        outside = Outside(lambda: "boot-1", lambda: NOON, lambda: next(ticks))
        yield house, Workshop(house.owner, house.fleet, outside, no_report)


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
async def test_what_the_device_says_of_itself(
    tmp_path: Path, answer: Answer, *, well: bool, failed: list[int], trouble: str
) -> None:
    async with at_work(tmp_path) as (house, workshop):
        told = await answers(house, workshop, "keypad", answer)
        assert isinstance(told, dict)
        assert (told["well"], told["failed"]) == (well, failed)
        assert trouble in told["trouble"]


async def test_a_device_that_cannot_now_is_a_refusal(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        for code in (3, 4):
            with pytest.raises(RequestRefused, match=f"NAK {code}"):
                await answers(house, workshop, "shoe", Answer("SELF_TEST", nak=code))


async def test_nothing_else_is_commanded_meanwhile_and_the_device_is_looked_at_after(
    tmp_path: Path,
) -> None:
    async with at_work(tmp_path) as (house, workshop):
        house.prompt.discard("jackpot")
        asking = asyncio.ensure_future(workshop.self_test("jackpot", TECHNICIAN))
        await turns(5)
        await house.dealer("open", "wager 1 main 10")
        assert house.commands("jackpot")[-1][0] == "SELF_TEST"
        with pytest.raises(RequestRefused, match="between rounds"):
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


async def test_there_is_none_while_bets_are_open_or_a_round_is_played(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        for commands in (("open",), ("wager 1 main 10", "close")):
            await house.dealer(*commands)
            with pytest.raises(RequestRefused, match="between rounds"):
                await workshop.self_test("keypad", TECHNICIAN)
        assert "SELF_TEST" not in [name for _, name, _ in house.sent]


async def test_there_is_none_of_a_device_that_is_down_or_not_there(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (_, workshop):
        with pytest.raises(BadCommand, match="no device 'roulette'"):
            await workshop.self_test("roulette", TECHNICIAN)
        with pytest.raises(BadCommand, match="no device 'roulette'"):
            workshop.capture("roulette", TECHNICIAN, lambda: None)
        with pytest.raises(RequestRefused, match="cannot show"):
            workshop.capture("shoe", TECHNICIAN, lambda: None)


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


def recorder(**lines: TrafficSource) -> TrafficRecorder:
    ticks = count(5_000_000, 1_500_000)
    return TrafficRecorder({"capture": 2}, lines, lambda: next(ticks), lambda: None)


async def test_the_head_says_of_which_table_and_devices_it_is(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        for name in ("shoe", "jackpot"):
            vars(house.links[name])["tap"] = Line().tap
        house.links["jackpot"].listener.link_down(LinkDown("jackpot", "unplugged"))
        capture = workshop.capture("all", TECHNICIAN, lambda: None)
        head: Mapping[str, Any] = capture.take_portion()["head"]
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


def test_traffic_is_kept_with_its_times_in_portions() -> None:
    line = Line()
    capture = recorder(shoe=line)
    for number in range(PORTION + 1):
        line.say(number)
    first, second = capture.take_portion(), capture.take_portion()
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
    told = capture.take_portion()["lines"]
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
        portion = capture.take_portion()
        kept += [told["id"] for told in portion["lines"]]
        dropped.append(portion["dropped"])
        if not portion["more"]:
            break
    assert kept == list(range(KEPT))
    assert dropped == [0] * (len(dropped) - 1) + [3]
    assert capture.take_portion()["dropped"] == 0


# ---- trials by hand ---------------------------------------------------------------------------


class Tapped:
    """A house whose links can be looked at."""

    def __init__(self, house: House) -> None:
        self.lines = {name: Line() for name in KINDS}
        for name, line in self.lines.items():
            house.links[name].tap = line.tap  # type: ignore[attr-defined]


async def in_service(house: House) -> None:
    Tapped(house)
    await house.order("service on", TECHNICIAN, by=None, why=None)


async def ask(house: House, workshop: Workshop, device: str, command: str) -> Any:
    """A command to a device that answers at once."""
    asking = asyncio.ensure_future(workshop.device_command(device, command, TECHNICIAN))
    await house.quiet()
    return await asking


async def test_a_device_is_tried_in_service_only_and_by_one(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        Tapped(house)
        with pytest.raises(RequestRefused, match="in service"):
            workshop.trial("shoe", TECHNICIAN, lambda: None)
        await in_service(house)
        with pytest.raises(RequestRefused, match="not being tried"):
            await workshop.device_command("shoe", "GATE unlocked=1 cards=0", TECHNICIAN)
        trial = workshop.trial("shoe", TECHNICIAN, lambda: None)
        head: Any = trial.take_portion()["head"]
        assert head["devices"]["shoe"]["serial"] == "shoe-1"
        with pytest.raises(RequestRefused, match="tested already"):
            workshop.trial("shoe", TECHNICIAN, lambda: None)
        trial.close()
        trial.close()
        house.links["shoe"].listener.link_down(LinkDown("shoe", "gone"))
        with pytest.raises(RequestRefused, match="down"):
            workshop.trial("shoe", TECHNICIAN, lambda: None)


async def test_a_command_is_an_entry_before_it_is_sent_and_the_device_is_put_back(
    tmp_path: Path,
) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        trial = workshop.trial("jackpot", TECHNICIAN, lambda: None)
        house.sent.clear()
        with pytest.raises(RequestRefused, match="nothing was offered"):
            await workshop.device_command("jackpot", "DISARM", TECHNICIAN)
        assert await ask(house, workshop, "jackpot", "ARM box=3") == {"fields": {}}
        assert await ask(house, workshop, "jackpot", "DISARM") == {"fields": {"last_event": 0}}
        offer = house.entries("device-command")[0]["fields"]["offer_id"]
        assert house.commands("jackpot") == [
            ("ARM", {"box": 3, "offer_id": offer}),
            ("DISARM", {"offer_id": offer}),
        ]
        assert house.owner.table.jackpot.next_offer == offer + 1
        await workshop.device_tested("jackpot", "button", "not well", "no press", TECHNICIAN)
        [tested] = house.entries("device-tested")
        assert (tested["test"], tested["ok"], tested["by_hand"]) == ("button", False, True)
        assert (tested["at"], tested["user"]) == ("2026-11-20T12:00:00+00:00", "tan")
        house.sent.clear()
        trial.close()
        await house.quiet()
        names = [name for name, _ in house.commands("jackpot")]
        assert names[:4] == ["DISARM", "TEST_PATTERN", "BLANK", "METER"]


async def test_what_a_device_refuses_and_a_link_that_breaks_are_told(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        workshop.trial("jackpot", TECHNICIAN, lambda: None)
        link = house.links["jackpot"]
        for nak, why in ((3, "not in the state it is in"), (9, "code 9")):
            house.prompt.discard("jackpot")
            asking = asyncio.ensure_future(workshop.device_command("jackpot", "BLANK", TECHNICIAN))
            await house.quiet()
            link.answer(nak=nak)
            assert await asking == {"nak": nak, "why": why}
        asking = asyncio.ensure_future(workshop.device_command("jackpot", "METER", TECHNICIAN))
        await house.quiet()
        link.answer(lost=True)
        with pytest.raises(RequestRefused, match="went down"):
            await asking
        with pytest.raises(BadCommand, match="verdict"):
            await workshop.device_tested("jackpot", "button", "perhaps", "x", TECHNICIAN)


async def test_the_end_of_service_ends_every_trial(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        workshop.trial("shoe", TECHNICIAN, lambda: None)
        workshop.trial("keypad", TECHNICIAN, lambda: None)
        await ask(house, workshop, "shoe", "GATE unlocked=1 cards=0")
        await house.order("service off", TECHNICIAN, by=None, why=None)
        assert house.commands("shoe")[-1][0] in ("GATE", "SIGNAL")
        with pytest.raises(RequestRefused, match="not being tried"):
            await workshop.device_tested("shoe", "gate", "well", "x", TECHNICIAN)
        await house.begin_round()
        assert house.commands("shoe")[-2:] == [
            ("GATE", {"unlocked": 1, "cards": 3}),
            ("SIGNAL", {"colour": 1, "blink": 0}),
        ]


async def test_a_command_that_becomes_durable_behind_its_trial_is_not_sent(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        trial = workshop.trial("shoe", TECHNICIAN, lambda: None)
        asking = asyncio.ensure_future(
            workshop.device_command("shoe", "GATE unlocked=1 cards=0", TECHNICIAN)
        )
        await asyncio.sleep(0)  # it is handed over, and not stored yet
        trial.close()
        await house.quiet()
        with pytest.raises(RequestRefused, match="its client has gone"):
            await asking
        assert ("GATE", {"unlocked": 1, "cards": 0}) not in house.commands("shoe")


async def test_whose_a_trial_is_and_what_it_says_at_its_end(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        trial = workshop.trial("shuffler", TECHNICIAN, lambda: None)
        other = Peer(2, 7, 7, "otto", frozenset({"supervisor"}))
        with pytest.raises(RequestRefused, match="is being tried by tan"):
            await workshop.device_command("shuffler", "ABORT", other)
        with pytest.raises(BadCommand, match="own word"):
            await workshop.device_tested("shuffler", "self-test", "well", "x", TECHNICIAN)
        await ask(house, workshop, "shuffler", "START set=1")
        assert "over" not in trial.take_portion()
        await house.order("service off", TECHNICIAN, by=None, why=None)
        assert trial.take_portion()["over"] == "service is over"
        assert house.commands("shuffler")[-1] == ("ABORT", {})


async def test_a_trial_is_a_persons_and_not_his_users(tmp_path: Path) -> None:
    """Several technicians share a console; one of them may work at two."""

    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        tan = replace(TECHNICIAN, name="console", person="Tan")
        workshop.trial("shuffler", tan, lambda: None)
        for other in (replace(tan, person="Otto"), replace(tan, person=None)):
            with pytest.raises(RequestRefused, match="is being tried by Tan"):
                await workshop.device_tested("shuffler", "abort", "well", "x", other)
        await workshop.device_tested("shuffler", "abort", "well", "x", replace(tan, uid=7))
        [tested] = house.entries("device-tested")
        assert (tested["user"], tested["uid"], tested["person"]) == ("console", 7, "Tan")


async def test_a_command_that_the_table_refuses_is_a_refusal(tmp_path: Path) -> None:
    async with at_work(tmp_path) as (house, workshop):
        await in_service(house)
        workshop.trial("keypad", TECHNICIAN, lambda: None)
        house.owner.table.course.phase = Phase.IDLE  # it has just ended, and nobody has heard
        with pytest.raises(RequestRefused, match="only in service"):
            await workshop.device_command("keypad", "LAMPS lit=1", TECHNICIAN)
        house.owner.table.course.phase = Phase.SERVICE


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        ("shoe", "GATE unlocked=1 cards=0", ("GATE", {"unlocked": 1, "cards": 0})),
        ("keypad", "TEXT row=1 text=BOX = 1", ("TEXT", {"row": 1, "text": "BOX = 1"})),
        ("jackpot", "METER", ("METER", {})),
        ("display", "SHOW multiplier=25 spin_ms=0", ("SHOW", {"multiplier": 25, "spin_ms": 0})),
    ],
)
def test_how_a_command_is_written(kind: str, text: str, read: object) -> None:
    assert read_device_command(kind, text) == read


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("shoe", "RESET"),
        ("shoe", "GATE unlocked=2 cards=0"),
        ("shoe", "GATE unlocked=1"),
        ("shoe", "GATE unlocked=1 unlocked=1 cards=0"),
        ("shoe", "GATE unlocked=x cards=0"),
        ("shoe", "GATE unlocked=1 cards=0 more=1"),
        ("shoe", "GATE unlocked=1 cards=00000000000"),
        ("jackpot", "METER text=x"),
        ("keypad", "TEXT row=0 text=" + "X" * 21),
        ("keypad", "TEXT row=0 text=\u00e9"),
        ("roulette", "SPIN"),
    ],
)
def test_what_is_no_command_says_what_was_expected(kind: str, text: str) -> None:
    with pytest.raises(BadCommand, match="expected"):
        read_device_command(kind, text)


def test_the_commands_that_may_be_tried_are_of_the_protocol() -> None:
    for kind, commands in COMMANDS.items():
        for name, fields in commands.items():
            spec = MESSAGES[name]
            assert kind_on_the_wire(kind) in spec.kinds
            assert {*fields, *({"offer_id"} if name in NEW_OFFER | SAME_OFFER else ())} == {
                field.name for field in spec.own.fields
            }
