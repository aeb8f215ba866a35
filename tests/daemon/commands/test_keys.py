"""Keyed commands: given again they are answered again, and carried out once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import BadCommand, Changed, RequestRefused
from controller.journal.reader import JournalReader
from controller.replay.recovery import recover
from controller.replay.shown_state import MOST
from tests.daemon.house import DEALER, House, locked, open_house, turns


async def once(house: House, command: str, **given: Any) -> dict[str, Any]:
    """Give a keyed command twice; it is carried out once. The answer."""
    entries = len(house.entries("dealer")) + len(house.entries("supervisor"))
    first = await house.say(command, **given)
    again = await house.say(command, **given)
    assert again == {**first, "again": True}
    assert len(house.entries("dealer")) + len(house.entries("supervisor")) == entries + 1
    return first


async def test_a_command_given_again_is_answered_again(house: House) -> None:
    opened = await once(house, "open", key="k-1")
    assert opened["at"] == await house.at()
    await once(house, "wager 1 main 10", key="k-2", at=opened["at"])  # judged behind the key
    await house.dealer("close")
    voided = await once(house, "void", do="supervisor", by="Ida", why="x", key="k-3")
    assert voided["state"] == "void"
    assert [body.get("key") for body in house.entries("dealer")] == ["k-1", "k-2", None]


async def test_another_command_under_a_key_is_none(house: House) -> None:
    await house.order("shift", key="k-2")
    await house.say("open", key="k-1")
    for command, who, given in (
        ("close", DEALER, {}),
        ("open", replace(DEALER, uid=7), {}),
        ("open", replace(DEALER, person="Novak"), {}),
        ("open", DEALER, {"do": "supervisor"}),
    ):
        with pytest.raises(BadCommand, match="'k-1' is that of another command"):
            await house.say(command, who, key="k-1", at=0, **given)
    for by, why in (("Ida", "another"), ("Sam", "as seen")):
        with pytest.raises(BadCommand):
            await house.order("shift", key="k-2", by=by, why=why)


async def test_the_same_person_gives_it_again_by_any_name(house: House) -> None:
    """A user database that is slow calls him otherwise; who signed in may come by another user."""
    novak = replace(DEALER, uid=7, name="console", person="Novak")
    order = {"do": "supervisor", "why": "x", "key": "k-2"}
    await house.say("shift", novak, **order, by="Ida")
    elsewhere = replace(novak, uid=8, name="uid 8")
    assert (await house.say("shift", elsewhere, **order))["again"]
    [shift] = house.entries("supervisor")
    assert (shift["by"], shift["person"], shift["uid"]) == ("Novak", "Novak", 7)
    await house.say("open", key="k-1")
    assert (await house.say("open", replace(DEALER, name="uid 0"), key="k-1"))["again"]


async def test_a_refused_command_leaves_none(house: House) -> None:
    with pytest.raises(RequestRefused):
        await house.say("close", key="k")
    with pytest.raises(Changed):
        await house.say("open", key="k", at=0)
    await once(house, "open", key="k")


async def test_what_waits_for_the_disk_or_the_gate_is_done_once(house: House) -> None:
    with locked(house.state):
        asked = [house.saying("open", key="k") for _ in range(3)]
        await turns()
        assert not any(task.done() for task in asked)
    first, *others = [await task for task in asked]
    assert others == [{**first, "again": True}] * 2
    await house.dealer("wager 1 main 10", "close")
    await house.deal("9C", "9D", "8C")
    house.prompt.discard("shoe")
    asked = [house.saying("stand 1", key="s") for _ in range(3)]
    await house.quiet()
    assert not any(task.done() for task in asked)
    house.prompt.add("shoe")
    house.links["shoe"].answer()
    first, *others = [await task for task in asked]
    assert first["state"] == "dealer.second_card"
    assert others == [{**first, "again": True}] * 2
    assert len(house.entries("dealer")) == 4


async def test_the_last_ones_are_remembered(house: House) -> None:
    await house.say("open", key="first")
    for number in range(MOST):
        await house.say(f"wager 1 main {number % 2 * 10 + 10}", key=f"k{number}")
    with pytest.raises(RequestRefused):  # it is forgotten, and judged anew
        await house.say("open", key="first")
    again = await house.say("wager 1 main 10", key="k0")
    assert again["again"]


# ---- over a restart ------------------------------------------------------------------------------


async def keyed_round(house: House) -> list[tuple[str, dict[str, Any]]]:
    """Commands with keys, and their answers."""
    answers = []
    for number, command in enumerate(("open", "wager 1 main 10", "wager 2 main 20", "close")):
        answers.append((command, await house.say(command, key=f"k{number}")))
    await house.deal("9C", "5C", "9D", "8C", "5H")
    answers.append(("stand 1", await house.say("stand 1", key="k4")))
    answers.append(("hit 2", await house.say("hit 2", key="k5")))
    await house.deal("7C")
    answers.append(("stand 2", await house.say("stand 2", key="k6")))
    return answers


async def all_again(house: House, answers: list[tuple[str, dict[str, Any]]]) -> None:
    for number, (command, answer) in enumerate(answers):
        assert await house.say(command, key=f"k{number}") == {**answer, "again": True}


@pytest.mark.parametrize("snapshot", [False, True])
async def test_answers_survive_a_restart(tmp_path: Path, *, snapshot: bool) -> None:
    state = tmp_path / "state"
    async with open_house(state) as house:
        await house.all_up()
        answers = await keyed_round(house)
        if snapshot:
            await house.order("void", key="k7")
            answers.append(("void", {}))
            await house.dealer("next")
            house.store_snapshot()
            await house.quiet()
            answers.pop()
        await all_again(house, answers)
    async with open_house(state, known=house.links) as again:
        await again.all_up()
        await all_again(again, answers)
        with pytest.raises(BadCommand):
            await again.say("undo", key="k0")


async def test_a_command_that_waited_as_the_controller_ended_is_answered_then(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    async with open_house(state) as house:
        await house.all_up()
        await house.begin_round("9C", "9D", "8C")
        house.prompt.discard("shoe")
        cut_off = house.saying("stand 1", key="s")
        await house.quiet()
        cut_off.cancel()
        await asyncio.gather(cut_off, return_exceptions=True)
    async with open_house(state, known=house.links) as again:
        await again.all_up()
        told = await again.say("stand 1", key="s")
        assert (told["state"], told["again"]) == ("dealer.second_card", True)
        assert len(again.entries("dealer")) == 4


async def test_refused_ones_that_waited_take_no_place(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.store_snapshot()
    await house.say("open", key="open")
    await house.dealer("wager 1 main 10", "wager 2 main 10", "close")
    await house.deal("9C", "5C", "9D", "8C", "5H")
    for number in range(5):
        with pytest.raises(RequestRefused, match="not in turn"):
            await house.say("stand 2", key=f"k{number}")
    monkeypatch.setattr("controller.replay.recovery.MOST", 4)
    with JournalReader(house.state) as reader:
        answers = recover(reader, reader.iterate).shown.answers
    assert answers.known("open")
    assert not answers.known("k0")


async def test_a_start_looks_for_no_more_than_are_remembered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.store_snapshot()
    await house.say("open", key="open")
    for number in range(9):
        await house.say(f"wager 1 main {number * 10 + 10}", key=f"k{number}")
    monkeypatch.setattr("controller.replay.recovery.MOST", 4)
    with JournalReader(house.state) as reader:
        answers = recover(reader, reader.iterate).shown.answers
    assert [key for key in ("open", *map("k{}".format, range(9))) if answers.known(key)] == [
        *("k5", "k6", "k7", "k8")
    ]
