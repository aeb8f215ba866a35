"""The daemon and a jackpot unit that is lost, comes back, refuses, or says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon import drawing
from drivers.api import Identity, LinkDown, LinkUp
from tests.daemon.fake_link import FakeLink
from tests.daemon.house import SETTINGS, House, played

ARMED, SPINNING, SHOWING = 1, 2, 3


@asynccontextmanager
async def armed(state: Path) -> AsyncIterator[House]:
    async with played(state) as house:
        await house.dealer("open", "wager 1 main 10", "wager 1 pandemonium 1", "close")
        await house.deal("AC", "9D", "KC")
        yield house


@pytest.fixture
def house(tmp_path: Path) -> AbstractAsyncContextManager[House]:
    """With the button offered to box 1."""
    return armed(tmp_path / "state")


def unit(house: House) -> FakeLink:
    return house.links["jackpot"]


def offer(house: House) -> int:
    assert house.owner.table.jackpot.offer is not None
    return house.owner.table.jackpot.offer.number


async def drawn(house: House) -> int:
    """The button is pressed, and the meter told; what was drawn."""
    unit(house).event("PRESS", offer_id=offer(house))
    await house.quiet()
    [draw] = house.entries("draw")
    assert house.commands("jackpot")[-1] == ("SHOW", show(house, draw["multiplier"]))
    return int(draw["multiplier"])


def show(house: House, multiplier: int) -> dict[str, int]:
    return {"offer_id": offer(house), "multiplier": multiplier, "spin_ms": SETTINGS.spin_ms}


def lost(house: House) -> None:
    house.fleet.link_down(LinkDown("jackpot", "it was unplugged"))
    unit(house).outstanding = None


async def back(house: House, serial: str = "jackpot-1", *, new_session: bool = False) -> None:
    link = unit(house)
    if new_session:
        link.session, link.last_event = link.session + 1, 0
    identity = Identity("jackpot", serial, (1, 0, 0), "00", 1)
    last = link.last_event
    house.fleet.link_up(LinkUp("jackpot", identity, link.session, new_session, last, last))
    await house.quiet()


async def paid(house: House, multiplier: int) -> None:
    """The meter reports; the multiplier that was drawn is paid, and nothing was drawn again."""
    unit(house).event("SHOWN", offer_id=offer(house), multiplier=multiplier)
    await house.quiet()
    if await house.fault():
        await house.order("resume")
    meter = (await house.handler.status())["meter"]
    assert meter is not None
    assert meter["multiplier"] == multiplier
    await house.dealer("done")
    assert [draw["multiplier"] for draw in house.entries("draw")] == [multiplier]


async def test_a_unit_that_shows_and_has_lost_its_report_is_read(house: House) -> None:
    multiplier = await drawn(house)
    lost(house)
    unit(house).meter |= {"state": SHOWING, "multiplier": multiplier, "pressed": 1}
    await back(house, new_session=True)
    assert house.commands("jackpot")[-1] == ("METER", {})
    [read] = house.entries("shown")
    assert (read["offer_id"], read["multiplier"]) == (offer(house), multiplier)
    await house.order("resume")
    await house.dealer("done")


@pytest.mark.parametrize("after_draw", [False, True])
async def test_another_unit_is_told_nothing_and_not_heard_before_it_is_accepted(
    house: House, after_draw: bool
) -> None:
    number = offer(house)
    multiplier = await drawn(house) if after_draw else 0
    lost(house)
    unit(house).meter |= {"state": 0, "offer_id": number, "pressed": 1, "multiplier": 0}
    before = len(house.commands("jackpot"))
    await back(house, "J-OTHER", new_session=True)
    told = await house.hold()
    assert told["fault"] == "device-replaced"
    assert "J-OTHER" in told["reason"]
    if after_draw:
        unit(house).event("SHOWN", offer_id=number, multiplier=multiplier)
    else:
        unit(house).event("PRESS", offer_id=number)
    await house.quiet()
    assert {name for name, _ in house.commands("jackpot")[before:]} == {"METER"}
    assert len(house.entries("draw")) == int(after_draw)
    assert not (await house.handler.status())["meter"]
    await house.order("resume")
    if not after_draw:  # it was looked at anew, and says that it was pressed
        multiplier = house.entries("draw")[0]["multiplier"]
    assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
    await paid(house, multiplier)


async def test_the_unit_from_before_shows_it_though_another_was_there(house: House) -> None:
    multiplier = await drawn(house)
    lost(house)
    unit(house).meter |= {"state": 0, "offer_id": 0, "pressed": 0}
    await back(house, "J-OTHER", new_session=True)
    lost(house)
    await back(house, new_session=True)
    assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
    assert await house.fault() == "device-restarted"
    await paid(house, multiplier)


@pytest.mark.parametrize("way", ["seen", "pay"])
async def test_a_unit_that_never_reports_holds_until_the_supervisor_speaks(
    house: House, mocker: MockerFixture, way: str
) -> None:
    clock = mocker.spy(asyncio.get_running_loop(), "call_later")
    multiplier = await drawn(house)
    delays = [
        call.args[0]
        for call in clock.call_args_list
        if call.args[1] == house.drawing._meter_overdue
    ]
    due_s = SETTINGS.spin_ms / 1000 + drawing.METER_GRACE_S
    assert delays == [due_s] * 2 == [31.0, 31.0]  # due, and again when told
    unit(house).meter |= {"state": SHOWING, "multiplier": multiplier, "pressed": 1}
    house.drawing._meter_overdue(offer(house))
    await house.quiet()
    assert house.commands("jackpot")[-1] == ("METER", {})
    told = await house.hold()
    assert told["fault"] == "meter-silent"
    assert told["remedies"] == ["resume", f"seen {multiplier}", f"pay {multiplier}", "void"]
    lost(house)
    await back(house)  # the hold is latched
    assert await house.hold() == told
    await house.order(f"{way} {multiplier}")
    [said] = [e for e in house.entries("supervisor") if e["command"].startswith(way)]
    assert (said["by"], said["why"]) == ("Ida", "as seen")
    status = await house.handler.status()
    assert (status["state"], status["held"], status["meter"]) == ("jackpot.paying", None, None)
    await paid(house, multiplier)


async def test_a_meter_that_cannot_be_read_after_the_payment_is_told_to_the_supervisor_once(
    house: House,
) -> None:
    multiplier = await drawn(house)
    lost(house)
    await house.order(f"pay {multiplier}")
    dark = {"state": 0, "offer_id": 0, "multiplier": 0, "pressed": 0}
    unit(house).meter |= dark
    await back(house)
    assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
    unit(house).meter |= {"state": SHOWING, "offer_id": offer(house), "pressed": 1}
    unit(house).event("SHOWN", offer_id=offer(house), multiplier=0)
    await house.quiet()
    assert await house.fault() == "meter-differs-later"
    await house.order("resume")
    assert house.commands("jackpot")[-1] == ("BLANK", {})
    lost(house)
    unit(house).meter |= dark
    await back(house)
    assert house.commands("jackpot")[-1] == ("METER", {})
    assert await house.fault() is None
    await house.dealer("done")


async def test_a_unit_that_refuses_all_holds_nothing_up_once_it_is_paid(tmp_path: Path) -> None:
    async def refuse(house: House) -> None:
        for _ in range(10):
            await house.quiet()
            if unit(house).outstanding is None:
                return
            unit(house).answer(nak=5)

    async with armed(tmp_path / "state") as house:
        house.prompt.discard("jackpot")
        unit(house).event("PRESS", offer_id=offer(house))
        await refuse(house)
        multiplier = house.entries("draw")[0]["multiplier"]
        await house.order(f"pay {multiplier}")
        before = len(house.entries("refused"))
        await house.order("resume")
        await refuse(house)
        assert house.commands("jackpot")[-1] == ("METER", {})
        assert len(house.entries("refused")) == before
        assert await house.fault() is None
        await house.dealer("done")


@pytest.mark.parametrize("code", [2, 3, 4, 5])
async def test_a_show_that_is_refused_holds_and_is_paid_from_the_screen(
    house: House, code: int
) -> None:
    house.prompt.discard("jackpot")
    unit(house).event("PRESS", offer_id=offer(house))
    refused = 0
    for _ in range(10):
        await house.quiet()
        if (outstanding := unit(house).outstanding) is None:
            break
        refused += outstanding[0] == "SHOW"
        unit(house).answer(nak=code if outstanding[0] == "SHOW" else None)
    assert refused == 2
    multiplier = house.entries("draw")[0]["multiplier"]
    told = await house.hold()
    assert told["fault"] == "device-refuses"
    assert "refuses SHOW" in told["reason"]
    await house.order(f"pay {multiplier}")
    await house.order("resume")
    for _ in range(10):
        if (outstanding := unit(house).outstanding) is None:
            break
        unit(house).answer(nak=code if outstanding[0] == "SHOW" else None)
        await house.quiet()
    assert await house.fault() is None  # it is paid: the meter is not needed
    await house.dealer("done")


async def test_a_unit_that_is_not_the_one_configured_is_named_while_the_table_waits(
    house: House,
) -> None:
    multiplier = await drawn(house)
    lost(house)
    since = (await house.handler.status())["devices"]["jackpot"]["since"]
    house.fleet.link_down(LinkDown("jackpot", "no USB unit J1 is plugged in, only J2"))
    await house.quiet()
    told = await house.hold()
    assert told["fault"] == "jackpot-down"
    assert "only J2" in told["reason"]
    assert told["remedies"] == [f"pay {multiplier}", "void"]
    assert (await house.handler.status())["devices"]["jackpot"]["since"] == since
    unit(house).meter |= {"state": 0, "offer_id": 0, "pressed": 0}
    await back(house)
    await paid(house, multiplier)
