"""The generator at a running table: watched, held when it fails, its offer kept, in any order with
presses, resumes and restarts; and what a draw leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from controller.control.handler import RequestRefused
from controller.daemon import drawing
from controller.draw.evidence import READ
from controller.draw.health import START_TICKETS, cutoffs
from controller.table.jackpot import GENERATOR_FAULT, generator_failed
from tests.daemon.draws.generated import (
    WIDTH,
    Generator,
    conditions,
    cycles,
    offered,
    press,
    verified,
)
from tests.daemon.fake_link import FakeLink
from tests.daemon.house import DEALER, SETTINGS, House, open_house


@asynccontextmanager
async def watched(state: Path, generator: Generator) -> AsyncIterator[House]:
    """A table whose generator is the test's; its draws are verified behind it."""
    async with open_house(state, bits=generator) as house:
        await house.all_up()
        yield house
    verified(house)


@pytest.fixture
def house(tmp_path: Path, generator: Generator) -> AbstractAsyncContextManager[House]:
    return watched(tmp_path / "state", generator)


@pytest.mark.parametrize("mended_before", [False, True], ids=["mended at start", "mended before"])
@pytest.mark.parametrize("boot", ["boot-1", "boot-2"])
async def test_a_restart_between_failure_and_resume_changes_nothing(
    tmp_path: Path, generator: Generator, boot: str, mended_before: bool
) -> None:
    state = tmp_path / "state"
    async with open_house(state, bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        generator.broken = True
        house.drawing._health = None
        await press(house, offer)
        if mended_before:
            generator.broken = False
            await cycles(house)
    for _ in range(2):
        async with open_house(state, boot, house.links, generator) as house:
            await house.all_up()
            told = await house.handler.status()
            assert told["state"] == "held.jackpot.drawing"
            assert GENERATOR_FAULT in {hold.fault for hold in house.owner.table.holds.standing}
            assert told["offer"] == {"offer": offer, "box": 1}
            assert not house.entries("draw")
    generator.broken = False
    async with open_house(state, boot, house.links, generator) as house:
        house.links["jackpot"].meter |= {"state": 0, "pressed": 1, "offer_id": offer}
        await house.all_up()
        await cycles(house)
        await house.order("resume")
        assert len(house.entries("draw")) == 1
    verified(house)


async def test_a_void_round_is_drawn_for_no_more(house: House, generator: Generator) -> None:
    offer = await offered(house)
    generator.broken = True
    house.drawing._health = None
    await press(house, offer)
    await house.order("void")
    generator.broken = False
    await cycles(house)
    await house.order("resume")
    assert not house.entries("draw")
    assert await house.fault() is None


async def test_a_storm_of_failures_draws_nothing_meanwhile(
    house: House, generator: Generator
) -> None:
    """The table is told only so often; what it has not heard of yet is a failure all the same."""
    for _ in range(10):
        generator.broken = True
        await cycles(house, 4)
        generator.broken = False
        await cycles(house)
        if await house.fault() and GENERATOR_FAULT not in house.owner.table.holds.conditions:
            await house.order("resume")
    assert house.drawing._failed or await house.fault() == GENERATOR_FAULT
    before = generator.taken
    house.drawing.attend(house.owner.published)
    assert generator.taken == before


STEPS = ("break", "mend", "cycle", "press", "resume", "void", "restart", "reboot", "unpress")


@settings(deadline=None, max_examples=settings().max_examples * 3 // 10)
@given(steps=st.lists(st.sampled_from(STEPS), min_size=3, max_size=12))
def test_whatever_happens_nothing_is_drawn_while_the_failure_stands(steps: list[str]) -> None:
    async def scenario(state: Path) -> None:
        generator, boot, at, offer = Generator(), 1, 0, 0
        links: dict[str, FakeLink] = {}
        while at <= len(steps):
            async with open_house(state, f"boot-{boot}", links, generator) as house:
                await house.all_up()
                offer = offer or await offered(house)
                for step in steps[at:]:
                    at += 1
                    if step in ("restart", "reboot"):
                        boot += step == "reboot"
                        break
                    stood, drawn = generator_failed(house.owner.table), len(house.entries("draw"))
                    await take(house, generator, step, offer)
                    draws = house.entries("draw")
                    assert len(draws) <= 1
                    # Only a resume ends it, and what is drawn then was tested first.
                    assert len(draws) == drawn or not stood or step == "resume"
                    assert len(draws) == drawn or not generator.broken
                else:
                    at += 1
                links = house.links
        verified(house)

    with TemporaryDirectory() as directory:
        asyncio.run(scenario(Path(directory) / "state"))


async def take(house: House, generator: Generator, step: str, offer: int) -> None:
    """One step of a story; what may not be is refused and changes nothing."""
    link = house.links["jackpot"]
    match step:
        case "break" | "mend":
            generator.broken = step == "break"
        case "cycle":
            await cycles(house)
        case "press":
            await press(house, offer)
        case "unpress":  # the unit remembers a press whose event was lost
            link.meter |= {"state": 0, "pressed": 1, "offer_id": offer}
            house.fleet.look_at_unit()
            house.fleet.attend(house.owner.published)
            await house.quiet()
        case "resume" | "void":
            with suppress(RequestRefused):
                await house.order(step)
            await house.quiet()


async def test_a_generator_that_fails_at_the_draw_keeps_the_press(
    house: House, generator: Generator
) -> None:
    offer = await offered(house)
    generator.broken = True
    house.drawing._health = None  # so that its start-up test is due
    await press(house, offer)
    assert await house.fault() == GENERATOR_FAULT
    [(present, detail)] = conditions(house)
    assert present
    assert "repetition count" in detail
    with pytest.raises(RequestRefused):
        await house.order("resume")
    await cycles(house, 3)
    assert len(conditions(house)) == 1  # it still fails: nothing new is said
    generator.broken = False
    await cycles(house)
    assert [present for present, _ in conditions(house)] == [True, False]
    assert not house.entries("draw")
    assert await house.fault() == GENERATOR_FAULT
    taken = generator.taken
    await house.order("resume")
    assert len(house.entries("draw")) == 1
    assert generator.taken > taken + START_TICKETS  # tested before it was drawn
    assert house.commands("jackpot")[-1][0] == "SHOW"


def test_what_goes_before_a_draw_finds_any_stuck_generator() -> None:
    assert all(cutoffs(width).repeats <= drawing.BEFORE_DRAW for width in range(1, 33))


async def test_a_number_that_fails_while_it_is_drawn_is_not_used(
    house: House, generator: Generator
) -> None:
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
    house: House, generator: Generator
) -> None:
    before = generator.taken
    await cycles(house)
    assert generator.taken - before >= drawing.CYCLE_TICKETS
    generator.broken = True
    await cycles(house, 3)
    assert await house.fault() == GENERATOR_FAULT
    assert "between plays: repetition count" in conditions(house)[0][1]
    with pytest.raises(RequestRefused):
        await house.dealer("open")


async def test_the_controller_tests_the_generator_before_devices(
    house: House, generator: Generator
) -> None:
    test = house.drawing.self_test
    assert list(test.run()) == []
    assert test.faults == {GENERATOR_FAULT}
    generator.broken = True
    [(code, detail)] = test.run()
    assert (code, str(detail)[:14]) == (GENERATOR_FAULT, "start-up test:")


async def test_the_evidence_names_the_press(house: House) -> None:
    offer = await offered(house)
    link = house.links["jackpot"]
    await press(house, offer)
    [drawn] = house.entries("draw")
    assert drawn["press"] == {"session": link.session, "event_no": link.last_event}
    assert drawn["mapping"] == "cumulative-rejection-1"
    assert (drawn["bits"], drawn["total"]) == (2, 4)
    link.event("SHOWN", offer_id=offer, multiplier=drawn["multiplier"])
    await house.quiet()
    assert await house.fault() is None


async def test_a_press_that_was_read_from_the_unit_is_told_so(house: House) -> None:
    offer = await offered(house)
    link = house.links["jackpot"]
    link.meter |= {"state": 0, "pressed": 1, "offer_id": offer}
    house.fleet.look_at_unit()
    link.up()
    await house.quiet()
    assert [drawn["press"] for drawn in house.entries("draw")] == [READ]


async def test_a_table_without_the_wager_takes_no_chance(
    tmp_path: Path, generator: Generator, mocker: MockerFixture
) -> None:
    mocker.patch("tests.daemon.house.SETTINGS", replace(SETTINGS, weights=()))
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
        await house.order("void")
        second = replace(DEALER, uid=7, name="sam")
        await house.order("confirm void", second, by="Sam", why=None)
        await house.dealer("next")
        assert house.owner.table.settings.weights == other.weights
        offer = await offered(house)
        await press(house, offer)
        assert [drawn["total"] for drawn in house.entries("draw")] == [4, 7]
    verified(house)
