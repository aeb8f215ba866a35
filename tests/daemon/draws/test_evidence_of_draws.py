"""What a draw leaves behind: the press that it answers, and the weights that it was made with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_mock import MockerFixture

from controller.control.protocol import Request
from controller.draw.evidence import READ
from tests.daemon.draws.generated import (
    Generator,
    cycles,
    held,
    offered,
    press,
    run,
    verified,
)
from tests.daemon.house import DEALER, SETTINGS, open_house


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
            house.fleet.look_at_unit()
            link.up()
            await house.quiet()
            assert [drawn["press"] for drawn in house.entries("draw")] == [READ]
        verified(house)

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
            assert list(house.drawing.self_test.run()) == []
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
            await house.handler.command(Request(1, "supervisor", "void", "ida", "next"), DEALER)
            second = replace(DEALER, uid=7, name="sam")
            await house.handler.command(
                Request(1, "supervisor", "confirm void", "Sam", None), second
            )
            await house.dealer("next")
            assert house.owner.table.settings.weights == other.weights
            offer = await offered(house)
            await press(house, offer)
            assert [drawn["total"] for drawn in house.entries("draw")] == [4, 7]
        verified(house)

    run(scenario())
