"""The daemon and a jackpot unit that is lost, comes back, refuses, or says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.control.protocol import Request
from controller.daemon import drawing
from controller.table.showing.status_fields import StatusHold
from drivers.api import Identity, LinkDown, LinkUp
from tests.daemon.house import DEALER, SETTINGS, FakeLink, House, played

ARMED, SPINNING, SHOWING = 1, 2, 3


@asynccontextmanager
async def armed(state: Path) -> AsyncIterator[House]:
    async with played(state) as house:
        await house.dealer("open", "wager 1 main 10", "wager 1 pandemonium 1", "close")
        for card in ("AC", "9D", "KC"):
            await house.card(card)
        yield house


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


async def held(house: House) -> StatusHold | None:
    return (await house.handler.status())["held"]


async def order(house: House, command: str) -> None:
    await house.handler.command(Request(1, "supervisor", command, "ida", "looked at"), DEALER)
    await house.quiet()


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
    if await held(house) is not None:
        await order(house, "resume")
    meter = (await house.handler.status())["meter"]
    assert meter is not None
    assert meter["multiplier"] == multiplier
    await house.dealer("done")
    assert [draw["multiplier"] for draw in house.entries("draw")] == [multiplier]


async def test_lost_while_armed_the_same_offer_is_armed_again(tmp_path: Path) -> None:
    async with armed(tmp_path / "state") as house:
        number = offer(house)
        lost(house)
        told = await held(house)
        assert told is not None
        assert told["fault"] == "jackpot-down"
        assert "it was unplugged" in told["reason"]
        unit(house).meter |= {"state": 0}
        await back(house)
        assert house.commands("jackpot")[-2:] == [
            ("METER", {}),
            ("ARM", {"offer_id": number, "box": 1}),
        ]
        await paid(house, await drawn(house))


@pytest.mark.parametrize("new_session", [False, True])
async def test_lost_while_spinning_the_same_multiplier_is_shown(
    tmp_path: Path, new_session: bool
) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        lost(house)
        unit(house).meter |= {"state": 0, "offer_id": 0, "pressed": 0}
        await back(house, new_session=new_session)
        assert house.commands("jackpot")[-2:] == [("METER", {}), ("SHOW", show(house, multiplier))]
        told = await held(house)
        assert (told["fault"] if told else None) == ("device-restarted" if new_session else None)
        await paid(house, multiplier)


async def test_a_unit_that_shows_and_has_lost_its_report_is_read(tmp_path: Path) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        lost(house)
        unit(house).meter |= {"state": SHOWING, "multiplier": multiplier, "pressed": 1}
        await back(house, new_session=True)
        assert house.commands("jackpot")[-1] == ("METER", {})
        [read] = house.entries("shown")
        assert (read["offer_id"], read["multiplier"]) == (offer(house), multiplier)
        await order(house, "resume")
        await house.dealer("done")


@pytest.mark.parametrize("after_draw", [False, True])
async def test_another_unit_is_told_nothing_and_not_heard_before_it_is_accepted(
    tmp_path: Path, after_draw: bool
) -> None:
    async with armed(tmp_path / "state") as house:
        number = offer(house)
        multiplier = await drawn(house) if after_draw else 0
        lost(house)
        unit(house).meter |= {"state": 0, "offer_id": number, "pressed": 1, "multiplier": 0}
        before = len(house.commands("jackpot"))
        await back(house, "J-OTHER", new_session=True)
        told = await held(house)
        assert told is not None
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
        await order(house, "resume")
        if not after_draw:  # it was looked at anew, and says that it was pressed
            multiplier = house.entries("draw")[0]["multiplier"]
        assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
        await paid(house, multiplier)


async def test_the_unit_from_before_shows_it_though_another_was_there(tmp_path: Path) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        lost(house)
        unit(house).meter |= {"state": 0, "offer_id": 0, "pressed": 0}
        await back(house, "J-OTHER", new_session=True)
        lost(house)
        await back(house, new_session=True)
        assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
        told = await held(house)
        assert told is not None
        assert told["fault"] == "device-restarted"
        await paid(house, multiplier)


@pytest.mark.parametrize("way", ["seen", "pay"])
async def test_a_unit_that_never_reports_holds_until_the_supervisor_speaks(
    tmp_path: Path, mocker: MockerFixture, way: str
) -> None:
    async with armed(tmp_path / "state") as house:
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
        told = await held(house)
        assert told is not None
        assert told["fault"] == "meter-silent"
        assert told["remedies"] == ["resume", f"seen {multiplier}", f"pay {multiplier}", "void"]
        lost(house)
        await back(house)  # the hold is latched
        assert (await held(house)) == told
        await order(house, f"{way} {multiplier}")
        [said] = [e for e in house.entries("supervisor") if e["command"].startswith(way)]
        assert (said["by"], said["why"]) == ("ida", "looked at")
        status = await house.handler.status()
        assert (status["state"], status["held"], status["meter"]) == ("jackpot.paying", None, None)
        await paid(house, multiplier)


async def test_a_meter_that_cannot_be_read_after_the_payment_is_told_to_the_supervisor_once(
    tmp_path: Path,
) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        lost(house)
        await order(house, f"pay {multiplier}")
        dark = {"state": 0, "offer_id": 0, "multiplier": 0, "pressed": 0}
        unit(house).meter |= dark
        await back(house)
        assert house.commands("jackpot")[-1] == ("SHOW", show(house, multiplier))
        unit(house).meter |= {"state": SHOWING, "offer_id": offer(house), "pressed": 1}
        unit(house).event("SHOWN", offer_id=offer(house), multiplier=0)
        await house.quiet()
        told = await held(house)
        assert told is not None
        assert told["fault"] == "meter-differs-later"
        await order(house, "resume")
        assert house.commands("jackpot")[-1] == ("BLANK", {})
        lost(house)
        unit(house).meter |= dark
        await back(house)
        assert house.commands("jackpot")[-1] == ("METER", {})
        assert await held(house) is None
        await house.dealer("done")


async def test_after_a_resume_a_silent_unit_is_looked_at(tmp_path: Path) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        house.drawing._meter_overdue(offer(house))
        await house.quiet()
        unit(house).meter |= {"state": 0, "pressed": 1}
        await order(house, "resume")
        assert house.commands("jackpot")[-2:] == [("METER", {}), ("SHOW", show(house, multiplier))]
        await paid(house, multiplier)


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
        await order(house, f"pay {multiplier}")
        before = len(house.entries("refused"))
        await order(house, "resume")
        await refuse(house)
        assert house.commands("jackpot")[-1] == ("METER", {})
        assert len(house.entries("refused")) == before
        assert await held(house) is None
        await house.dealer("done")


@pytest.mark.parametrize("code", [2, 3, 4, 5])
async def test_a_show_that_is_refused_holds_and_is_paid_from_the_screen(
    tmp_path: Path, code: int
) -> None:
    async with armed(tmp_path / "state") as house:
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
        told = await held(house)
        assert told is not None
        assert told["fault"] == "device-refuses"
        assert "refuses SHOW" in told["reason"]
        await order(house, f"pay {multiplier}")
        await order(house, "resume")
        for _ in range(10):
            if (outstanding := unit(house).outstanding) is None:
                break
            unit(house).answer(nak=code if outstanding[0] == "SHOW" else None)
            await house.quiet()
        assert await held(house) is None  # it is paid: the meter is not needed
        await house.dealer("done")


async def test_a_unit_that_is_not_the_one_configured_is_named_while_the_table_waits(
    tmp_path: Path,
) -> None:
    async with armed(tmp_path / "state") as house:
        multiplier = await drawn(house)
        lost(house)
        since = (await house.handler.status())["devices"]["jackpot"]["since"]
        house.fleet.link_down(LinkDown("jackpot", "no USB unit J1 is plugged in, only J2"))
        await house.quiet()
        told = await held(house)
        assert told is not None
        assert told["fault"] == "jackpot-down"
        assert "only J2" in told["reason"]
        assert told["remedies"] == [f"pay {multiplier}", "void"]
        assert (await house.handler.status())["devices"]["jackpot"]["since"] == since
        unit(house).meter |= {"state": 0, "offer_id": 0, "pressed": 0}
        await back(house)
        await paid(house, multiplier)
