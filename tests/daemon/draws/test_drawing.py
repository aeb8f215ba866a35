"""The generator at a running table: watched, held when it fails, its offer kept; and what a draw
leaves behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control.handler import RequestRefused
from controller.control.protocol import Request
from controller.daemon import drawing
from controller.draw.evidence import READ
from controller.draw.health import START_TICKETS, cutoffs
from controller.table.jackpot import GENERATOR_FAULT
from tests.daemon.draws.generated import (
    WIDTH,
    Generator,
    conditions,
    cycles,
    held,
    offered,
    press,
    resume,
    verified,
)
from tests.daemon.house import DEALER, SETTINGS, open_house


async def test_a_generator_that_fails_at_the_draw_keeps_the_press(
    tmp_path: Path, generator: Generator
) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        generator.broken = True
        house.drawing._health = None  # so that its start-up test is due
        await press(house, offer)
        assert await held(house) == GENERATOR_FAULT
        [(present, detail)] = conditions(house)
        assert present
        assert "repetition count" in detail
        with pytest.raises(RequestRefused):
            await resume(house)
        await cycles(house, 3)
        assert len(conditions(house)) == 1  # it still fails: nothing new is said
        generator.broken = False
        await cycles(house)
        assert [present for present, _ in conditions(house)] == [True, False]
        assert not house.entries("draw")
        assert await held(house) == GENERATOR_FAULT
        taken = generator.taken
        await resume(house)
        assert len(house.entries("draw")) == 1
        assert generator.taken > taken + START_TICKETS  # tested before it was drawn
        assert house.commands("jackpot")[-1][0] == "SHOW"
    verified(house)


def test_what_goes_before_a_draw_finds_any_stuck_generator() -> None:
    assert all(cutoffs(width).repeats <= drawing.BEFORE_DRAW for width in range(1, 33))


async def test_a_number_that_fails_while_it_is_drawn_is_not_used(
    tmp_path: Path, generator: Generator
) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        health = house.drawing._health
        assert health is not None
        for _ in range(cutoffs(WIDTH).repeats - 1):
            health.test_ticket(1)
        generator.broken = True
        await press(house, offer)
        assert not house.entries("draw")
        [(_, detail)] = conditions(house)
        assert f"at the draw for offer {offer}: repetition count" in detail
        assert not [fields for name, fields in house.commands("jackpot") if name == "SHOW"]


async def test_a_generator_that_fails_between_plays_holds_the_table(
    tmp_path: Path, generator: Generator
) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        before = generator.taken
        await cycles(house)
        assert generator.taken - before >= drawing.CYCLE_TICKETS
        generator.broken = True
        await cycles(house, 3)
        assert await held(house) == GENERATOR_FAULT
        assert "between plays: repetition count" in conditions(house)[0][1]
        with pytest.raises(RequestRefused):
            await house.dealer("open")


async def test_the_controller_tests_the_generator_before_devices(
    tmp_path: Path, generator: Generator
) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        test = house.drawing.self_test
        assert list(test.run()) == []
        assert test.faults == {GENERATOR_FAULT}
        generator.broken = True
        [(code, detail)] = test.run()
        assert code == GENERATOR_FAULT
        assert str(detail).startswith("start-up test:")


async def test_the_evidence_names_the_press(tmp_path: Path, generator: Generator) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        link = house.links["jackpot"]
        await press(house, offer)
        [drawn] = house.entries("draw")
        assert drawn["press"] == {"session": link.session, "event_no": link.last_event}
        assert drawn["mapping"] == "cumulative-rejection-1"
        assert (drawn["bits"], drawn["total"]) == (2, 4)
        link.event("SHOWN", offer_id=offer, multiplier=drawn["multiplier"])
        await house.quiet()
        assert await held(house) is None
    verified(house)


async def test_a_press_that_was_read_from_the_unit_is_told_so(
    tmp_path: Path, generator: Generator
) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        link = house.links["jackpot"]
        link.meter |= {"state": 0, "pressed": 1, "offer_id": offer}
        house.fleet.look_at_unit()
        link.up()
        await house.quiet()
        assert [drawn["press"] for drawn in house.entries("draw")] == [READ]
    verified(house)


async def test_a_table_without_the_wager_takes_no_chance(
    tmp_path: Path, generator: Generator, mocker: MockerFixture
) -> None:
    without: Any = replace(SETTINGS, weights=())
    mocker.patch("tests.daemon.house.SETTINGS", without)
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        await cycles(house)
        assert list(house.drawing.self_test.run()) == []
        assert generator.taken == 0


async def test_a_round_is_drawn_by_the_weights_that_it_began_with(
    tmp_path: Path, generator: Generator, mocker: MockerFixture
) -> None:
    other: Any = replace(SETTINGS, weights=((25, 5), (10, 2)))
    state = tmp_path / "state"
    async with open_house(state, bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
    mocker.patch("tests.daemon.house.SETTINGS", other)
    async with open_house(state, known=house.links, bits=generator) as house:
        await house.all_up()
        await press(house, offer)
        [drawn] = house.entries("draw")
        assert drawn["total"] == 4
        shown = {"offer_id": offer, "multiplier": drawn["multiplier"]}
        house.links["jackpot"].event("SHOWN", **shown)
        await house.quiet()
        await house.handler.command(Request(1, "supervisor", "void", "ida", "next"), DEALER)
        second = replace(DEALER, uid=7, name="sam")
        await house.handler.command(Request(1, "supervisor", "confirm void", "Sam", None), second)
        await house.dealer("next")
        assert house.owner.table.settings.weights == other.weights
        offer = await offered(house)
        await press(house, offer)
        assert [drawn["total"] for drawn in house.entries("draw")] == [4, 7]
    verified(house)
