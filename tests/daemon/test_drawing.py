"""The generator at a running table: watched, held when it fails, and its offer kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from controller.control.server import Refusal
from controller.daemon import drawing
from controller.draw.evidence import READ, Evidence
from controller.draw.health import cutoffs
from controller.draw.mapping import ticket_bits
from controller.draw.selftest import START_TICKETS
from controller.journal.export import record
from controller.journal.reader import JournalReader
from controller.table.jackpot import GENERATOR_FAULT, generator_failed
from tests.daemon.house import DEALER, SETTINGS, FakeLink, House, open_house

WIDTH = ticket_bits(sum(weight for _, weight in SETTINGS.weights))


class Generator:
    """A generator that can be broken and mended; ``taken`` counts the numbers it gave."""

    def __init__(self) -> None:
        self.broken = False
        self.taken = 0
        self._state = 12345

    def __call__(self, width: int) -> int:
        self.taken += 1
        if self.broken:
            return 1
        self._state = self._state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return self._state >> 64 - width


@pytest.fixture
def generator() -> Generator:
    return Generator()


async def offered(house: House) -> int:
    """Box 1 has a Pontoon and a Pandemonium wager: the button is armed for it."""
    await house.dealer("open", "wager 1 main 10", "wager 1 pandemonium 1", "close")
    for card in ("AC", "9D", "KC"):
        await house.card(card)
    name, fields = house.commands("jackpot")[-1]
    assert name == "ARM"
    return int(fields["offer_id"])


async def press(house: House, offer: int) -> None:
    house.links["jackpot"].event("PRESS", offer_id=offer)
    await house.quiet()


async def held(house: House) -> str | None:
    told = (await house.owner.status())["held"]
    return None if told is None else str(told["fault"])


async def resume(house: House) -> None:
    await house.owner.supervisor("resume", "ida", "tested", DEALER)
    await house.quiet()


async def cycles(house: House, count: int = 1) -> None:
    """As if so much time had passed."""
    for _ in range(count):
        house.owner.drawing.close()
        house.owner.drawing._cycle()
    await house.quiet()


def conditions(house: House) -> list[tuple[bool, str]]:
    entries = [entry for entry in house.entries("condition") if entry["fault"] == GENERATOR_FAULT]
    return [(entry["present"], entry["detail"]) for entry in entries]


def verified(house: House) -> None:
    """The chain, and the evidence of every draw."""
    assert house.verified()
    with JournalReader(house.state) as reader:
        evidence = Evidence()
        assert [fault for entry in reader.iterate() for fault in evidence.take(record(entry))] == []
        assert evidence.draws == len(house.entries("draw"))


def run(scenario: Awaitable[None]) -> None:
    async def awaited() -> None:
        await scenario

    asyncio.run(awaited())


def test_the_evidence_names_the_press(tmp_path: Path, generator: Generator) -> None:
    async def scenario() -> None:
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

    run(scenario())


def test_a_press_that_was_read_from_the_unit_is_told_so(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            offer = await offered(house)
            link = house.links["jackpot"]
            link.meter |= {"state": 0, "pressed": 1, "offer_id": offer}
            house.fleet.look_again("jackpot")
            link.up()
            await house.quiet()
            assert [drawn["press"] for drawn in house.entries("draw")] == [READ]
        verified(house)

    run(scenario())


def test_a_generator_that_fails_at_the_draw_keeps_the_press(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            offer = await offered(house)
            generator.broken = True
            house.owner.drawing._health = None  # so that its start-up test is due
            await press(house, offer)
            assert await held(house) == GENERATOR_FAULT
            [(present, detail)] = conditions(house)
            assert present
            assert "repetition count" in detail
            with pytest.raises(Refusal):
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

    run(scenario())


def test_what_goes_before_a_draw_finds_any_stuck_generator() -> None:
    assert all(cutoffs(width).repeats <= drawing.BEFORE_DRAW for width in range(1, 33))


def test_a_number_that_fails_while_it_is_drawn_is_not_used(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            offer = await offered(house)
            health = house.owner.drawing._health
            assert health is not None
            for _ in range(cutoffs(WIDTH).repeats - 1):
                health.take(1)
            generator.broken = True
            await press(house, offer)
            assert not house.entries("draw")
            [(_, detail)] = conditions(house)
            assert f"at the draw for offer {offer}: repetition count" in detail
            assert not [fields for name, fields in house.commands("jackpot") if name == "SHOW"]

    run(scenario())


def test_a_generator_that_fails_between_plays_holds_the_table(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            before = generator.taken
            await cycles(house)
            assert generator.taken - before >= drawing.CYCLE_TICKETS
            generator.broken = True
            await cycles(house, 3)
            assert await held(house) == GENERATOR_FAULT
            assert "between plays: repetition count" in conditions(house)[0][1]
            with pytest.raises(Refusal):
                await house.dealer("open")

    run(scenario())


@pytest.mark.parametrize("mended_before", [False, True], ids=["mended at start", "mended before"])
@pytest.mark.parametrize("boot", ["boot-1", "boot-2"])
def test_a_restart_between_failure_and_resume_changes_nothing(
    tmp_path: Path, generator: Generator, boot: str, mended_before: bool
) -> None:
    async def scenario() -> None:
        state = tmp_path / "state"
        async with open_house(state, bits=generator) as house:
            await house.all_up()
            offer = await offered(house)
            generator.broken = True
            house.owner.drawing._health = None
            await press(house, offer)
            if mended_before:
                generator.broken = False
                await cycles(house)
        for _ in range(2):
            async with open_house(state, boot, house.links, generator) as house:
                await house.all_up()
                told = await house.owner.status()
                assert told["state"] == "held.jackpot.drawing"
                assert GENERATOR_FAULT in {hold.fault for hold in house.owner.table.holds}
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

    run(scenario())


def test_a_void_round_is_drawn_for_no_more(tmp_path: Path, generator: Generator) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            offer = await offered(house)
            generator.broken = True
            house.owner.drawing._health = None
            await press(house, offer)
            await house.owner.supervisor("void", "ida", "generator", DEALER)
            await house.quiet()
            generator.broken = False
            await cycles(house)
            await resume(house)
            assert not house.entries("draw")
            assert await held(house) is None

    run(scenario())


def test_a_storm_of_failures_draws_nothing_meanwhile(tmp_path: Path, generator: Generator) -> None:
    """The table is told only so often; what it has not heard of yet is a failure all the same."""

    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            for _ in range(10):
                generator.broken = True
                await cycles(house, 4)
                generator.broken = False
                await cycles(house)
                if await held(house) and GENERATOR_FAULT not in house.owner.table.conditions:
                    await resume(house)
            offer_waits = house.owner.drawing._failed
            assert offer_waits or await held(house) == GENERATOR_FAULT
            before = generator.taken
            house.owner.drawing.attend(house.owner.published)
            assert generator.taken == before

    run(scenario())


def test_the_box_tests_the_generator_before_devices(tmp_path: Path, generator: Generator) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            test = house.owner.drawing.self_test
            assert list(test.run()) == []
            assert test.faults == {GENERATOR_FAULT}
            generator.broken = True
            [(code, detail)] = test.run()
            assert code == GENERATOR_FAULT
            assert str(detail).startswith("start-up test:")

    run(scenario())


def test_a_table_without_the_wager_takes_no_chance(
    tmp_path: Path, generator: Generator, mocker: MockerFixture
) -> None:
    without: Any = replace(SETTINGS, weights=())
    mocker.patch("tests.daemon.house.SETTINGS", without)

    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            await house.all_up()
            await cycles(house)
            assert list(house.owner.drawing.self_test.run()) == []
            assert generator.taken == 0

    run(scenario())


def test_a_round_is_drawn_by_the_weights_that_it_began_with(
    tmp_path: Path, generator: Generator, mocker: MockerFixture
) -> None:
    other: Any = replace(SETTINGS, weights=((25, 5), (10, 2)))

    async def scenario() -> None:
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
            await house.owner.supervisor("void", "ida", "next", DEALER)
            await house.dealer("next")
            assert house.owner.table.settings.weights == other.weights
            offer = await offered(house)
            await press(house, offer)
            assert [drawn["total"] for drawn in house.entries("draw")] == [4, 7]
        verified(house)

    run(scenario())


STEPS = ("break", "mend", "cycle", "press", "resume", "void", "restart", "reboot", "unpress")


@settings(deadline=None, max_examples=15)
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
        run(scenario(Path(directory) / "state"))


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
            house.fleet.look_again("jackpot")
            house.fleet.attend(house.owner.published)
            await house.quiet()
        case "resume" | "void":
            with suppress(Refusal):
                await house.owner.supervisor(step, "ida", "test", DEALER)
            await house.quiet()
