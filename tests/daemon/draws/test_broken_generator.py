"""A generator that fails and is mended, in any order with presses, resumes and restarts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.control.handler import RequestRefused
from controller.control.protocol import Request
from controller.table.jackpot import GENERATOR_FAULT, generator_failed
from tests.daemon.draws.generated import Generator, cycles, held, offered, press, resume, verified
from tests.daemon.house import DEALER, FakeLink, House, open_house


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
        await resume(house)
        assert len(house.entries("draw")) == 1
    verified(house)


async def test_a_void_round_is_drawn_for_no_more(tmp_path: Path, generator: Generator) -> None:
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        offer = await offered(house)
        generator.broken = True
        house.drawing._health = None
        await press(house, offer)
        await house.handler.command(Request(1, "supervisor", "void", "ida", "generator"), DEALER)
        await house.quiet()
        generator.broken = False
        await cycles(house)
        await resume(house)
        assert not house.entries("draw")
        assert await held(house) is None


async def test_a_storm_of_failures_draws_nothing_meanwhile(
    tmp_path: Path, generator: Generator
) -> None:
    """The table is told only so often; what it has not heard of yet is a failure all the same."""
    async with open_house(tmp_path / "state", bits=generator) as house:
        await house.all_up()
        for _ in range(10):
            generator.broken = True
            await cycles(house, 4)
            generator.broken = False
            await cycles(house)
            if await held(house) and GENERATOR_FAULT not in house.owner.table.holds.conditions:
                await resume(house)
        offer_waits = house.drawing._failed
        assert offer_waits or await held(house) == GENERATOR_FAULT
        before = generator.taken
        house.drawing.attend(house.owner.published)
        assert generator.taken == before


STEPS = ("break", "mend", "cycle", "press", "resume", "void", "restart", "reboot", "unpress")


@settings(deadline=None, max_examples=5)
@given(steps=st.lists(st.sampled_from(STEPS), min_size=3, max_size=12))
def test_whatever_happens_nothing_is_drawn_while_the_failure_stands(steps: list[str]) -> None:
    async def scenario(state: Path) -> None:
        generator, boot, at = Generator(), 1, 0
        links: dict[str, FakeLink] = {}
        offer = 0
        while at <= len(steps):
            async with open_house(state, f"boot-{boot}", links, generator) as house:
                await house.all_up()
                offer = offer or await offered(house)
                for step in steps[at:]:
                    at += 1
                    if step in ("restart", "reboot"):
                        boot += step == "reboot"
                        break
                    stood = generator_failed(house.owner.table)
                    drawn = len(house.entries("draw"))
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
                await house.handler.command(Request(1, "supervisor", step, "ida", "test"), DEALER)
            await house.quiet()
