"""Dry runs: what commands would bring, and nothing stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.control.handler import BadCommand, Changed, RequestRefused
from tests.daemon.house import House
from tests.daemon.test_restart import press, show


async def tried(house: House, *commands: str, **given: Any) -> dict[str, Any]:
    """Try the commands; the table is as before, and nothing is stored."""
    before = json.dumps(await house.handler.status()), house.owner.submitted
    many = commands if len(commands) > 1 else ()
    answer = await house.say("; ".join(commands), commands=many, dry=True, **given)
    assert (json.dumps(await house.handler.status()), house.owner.submitted) == before
    assert answer["at"] == await house.at()
    return answer


TOLD = ("state", "owed", "account", "boxes", "dealer", "prompt", "notes")


def of(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: answer[name] for name in TOLD}


async def two_hands(house: House) -> None:
    await house.dealer("open", "wager 1 main 10", "wager 2 main 20", "close")
    await house.deal("9C", "5C", "9D", "8C", "5H")


async def test_it_says_what_the_command_then_says(house: House) -> None:
    for command in ("open", "wager 1 main 10", "wager 2 main 20", "close"):
        dry = await tried(house, command)
        assert of(dry) == of(await house.say(command))
    await house.deal("9C", "5C", "9D", "8C", "5H")
    dry = await tried(house, "stand 1")  # it waits for the gate
    assert of(dry) == of(await house.say("stand 1"))


async def test_commands_build_on_one_another(house: House) -> None:
    commands = ("open", "wager 1 main 10", "wager 2 main 20", "close")
    dry = await tried(house, *commands)
    assert [(one["box"], one["at_stake"]) for one in dry["account"]] == [
        *((1, "10.00"), (2, "20.00"))
    ]
    await house.dealer(*commands)
    assert dry["state"] == (await house.handler.status())["state"] == "deal.first_cards"
    with pytest.raises(RequestRefused, match=r"^close: ") as refused:  # the second of them
        await tried(house, "undo", "close", "close")
    assert refused.value.permitted == ["undo", "shuffle 1", "shuffle 2"]
    with pytest.raises(BadCommand, match=r"^clsoe: "):
        await tried(house, "undo", "clsoe")


async def test_a_correction_is_judged_and_a_swap_passes_through_no_false_layout(
    house: House,
) -> None:
    await two_hands(house)
    await house.dealer("stand 1", "stand 2")
    await house.deal("8D")
    assert (await house.handler.status())["state"] == "settled"
    swap = ("lies 1 2", "lies 2 1")
    dry = await tried(house, *swap, do="supervisor", by="Ida", why="the camera")
    for command in swap:
        await house.order(command, why="the camera")
    done = await house.order("done", why="the camera")
    assert dry["owed"] == done["owed"] != []
    assert dry["account"] == done["account"]
    assert dry["boxes"] == done["boxes"]


async def test_a_void_is_as_if_the_second_person_had_agreed(house: House) -> None:
    await house.dealer("open", "wager 1 main 10", "wager 1 pandemonium 1", "close")
    await house.deal("AC", "9D", "KC")
    await press(house)
    await show(house)
    dry = await tried(house, "void", do="supervisor", by="Ida", why="misdeal")
    assert dry["state"] == "void"
    assert [one["net"] for one in dry["account"]] == ["0.00"]
    assert (await house.handler.status())["held"] is None
    await house.order("void")
    assert (await house.handler.status())["state"] == "held.jackpot.paying"


async def test_what_is_refused_is_refused_so(house: House) -> None:
    with pytest.raises(RequestRefused) as refused:
        await tried(house, "close")
    with pytest.raises(RequestRefused) as really:
        await house.say("close")
    assert (refused.value.reason, refused.value.permitted) == (
        really.value.reason,
        really.value.permitted,
    )
    with pytest.raises(BadCommand):
        await tried(house, "clsoe")
    with pytest.raises(Changed):
        await tried(house, "open", at=0)
    with pytest.raises(BadCommand, match="void needs"):
        await tried(house, "void", do="supervisor")
