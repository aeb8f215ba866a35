"""The generator at a running table: watched, held when it fails, and its offer kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.control.handler import RequestRefused
from controller.daemon import drawing
from controller.draw.health import cutoffs
from controller.draw.selftest import START_TICKETS
from controller.table.jackpot.unit import GENERATOR_FAULT
from tests.daemon.draws.generated import (
    WIDTH,
    Generator,
    conditions,
    cycles,
    held,
    offered,
    press,
    resume,
    run,
    verified,
)
from tests.daemon.house import open_house


def test_a_generator_that_fails_at_the_draw_keeps_the_press(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
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
            health = house.drawing._health
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
            with pytest.raises(RequestRefused):
                await house.dealer("open")

    run(scenario())


def test_the_controller_tests_the_generator_before_devices(
    tmp_path: Path, generator: Generator
) -> None:
    async def scenario() -> None:
        async with open_house(tmp_path / "state", bits=generator) as house:
            test = house.drawing.self_test
            assert list(test.run()) == []
            assert test.faults == {GENERATOR_FAULT}
            generator.broken = True
            [(code, detail)] = test.run()
            assert code == GENERATOR_FAULT
            assert str(detail).startswith("start-up test:")

    run(scenario())
