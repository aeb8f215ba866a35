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
from tests.daemon.commands.support import at, order, say, take_snapshot
from tests.daemon.house import DEALER, House, locked, open_house, played, turns


async def once(house: House, command: str, **given: Any) -> dict[str, Any]:
    """Give a keyed command twice; it is carried out once. The answer."""
    entries = len(house.entries("dealer")) + len(house.entries("supervisor"))
    first = await say(house, command, **given)
    again = await say(house, command, **given)
    assert again == {**first, "again": True}
    assert len(house.entries("dealer")) + len(house.entries("supervisor")) == entries + 1
    return first


async def test_a_command_given_again_is_answered_again(tmp_path: Path) -> None:
    async with played(tmp_path / "state") as house:
        opened = await once(house, "open", key="k-1")
        assert opened["at"] == await at(house)
        await once(house, "wager 1 main 10", key="k-2", at=opened["at"])  # judged behind the key
        await house.dealer("close")
        voided = await once(house, "void", do="supervisor", by="Ida", why="x", key="k-3")
        assert voided["state"] == "void"
        assert [body.get("key") for body in house.entries("dealer")] == ["k-1", "k-2", None]


async def test_another_command_under_a_key_is_none(tmp_path: Path) -> None:
    async with played(tmp_path / "state") as house:
        await order(house, "shift", key="k-2")
        await say(house, "open", key="k-1")
        for command, who, given in (
            ("close", DEALER, {}),
            ("open", replace(DEALER, uid=7), {}),
            ("open", replace(DEALER, person="Novak"), {}),
            ("open", DEALER, {"do": "supervisor"}),
        ):
            with pytest.raises(BadCommand, match="'k-1' is that of another command"):
                await say(house, command, who, key="k-1", at=0, **given)
        for by, why in (("Ida", "another"), ("Sam", "as seen")):
            with pytest.raises(BadCommand):
                await order(house, "shift", key="k-2", by=by, why=why)


async def test_the_same_person_gives_it_again_by_any_name(tmp_path: Path) -> None:
    """A user database that is slow calls him otherwise; who signed in may come by another user."""

    async with played(tmp_path / "state") as house:
        novak = replace(DEALER, uid=7, name="console", person="Novak")
        order = {"do": "supervisor", "why": "x", "key": "k-2"}
        await say(house, "shift", novak, **order, by="Ida")
        elsewhere = replace(novak, uid=8, name="uid 8")
        assert (await say(house, "shift", elsewhere, **order))["again"]
        [shift] = house.entries("supervisor")
        assert (shift["by"], shift["person"], shift["uid"]) == ("Novak", "Novak", 7)
        await say(house, "open", key="k-1")
        assert (await say(house, "open", replace(DEALER, name="uid 0"), key="k-1"))["again"]


async def test_a_refused_command_leaves_none(tmp_path: Path) -> None:
    async with played(tmp_path / "state") as house:
        with pytest.raises(RequestRefused):
            await say(house, "close", key="k")
        with pytest.raises(Changed):
            await say(house, "open", key="k", at=0)
        await once(house, "open", key="k")


async def test_what_waits_for_the_disk_or_the_gate_is_done_once(tmp_path: Path) -> None:
    async with played(tmp_path / "state") as house:
        with locked(house.state):
            asked = [asyncio.ensure_future(say(house, "open", key="k")) for _ in range(3)]
            await turns()
            assert not any(task.done() for task in asked)
        first, *others = [await task for task in asked]
        assert others == [{**first, "again": True}] * 2
        await house.dealer("wager 1 main 10", "close")
        for card in ("9C", "9D", "8C"):
            await house.card(card)
        house.prompt.discard("shoe")
        asked = [asyncio.ensure_future(say(house, "stand 1", key="s")) for _ in range(3)]
        await house.quiet()
        assert not any(task.done() for task in asked)
        house.prompt.add("shoe")
        house.links["shoe"].answer()
        first, *others = [await task for task in asked]
        assert first["state"] == "dealer.second_card"
        assert others == [{**first, "again": True}] * 2
        assert len(house.entries("dealer")) == 4


async def test_the_last_ones_are_remembered(tmp_path: Path) -> None:
    async with played(tmp_path / "state") as house:
        await say(house, "open", key="first")
        for number in range(MOST):
            await say(house, f"wager 1 main {number % 2 * 10 + 10}", key=f"k{number}")
        with pytest.raises(RequestRefused):  # it is forgotten, and judged anew
            await say(house, "open", key="first")
        again = await say(house, "wager 1 main 10", key="k0")
        assert again["again"]


# ---- over a restart ------------------------------------------------------------------------------


async def keyed_round(house: House) -> list[tuple[str, dict[str, Any]]]:
    """Commands with keys, and their answers."""
    answers = []
    for number, command in enumerate(("open", "wager 1 main 10", "wager 2 main 20", "close")):
        answers.append((command, await say(house, command, key=f"k{number}")))
    for card in ("9C", "5C", "9D", "8C", "5H"):
        await house.card(card)
    answers.append(("stand 1", await say(house, "stand 1", key="k4")))
    answers.append(("hit 2", await say(house, "hit 2", key="k5")))
    await house.card("7C")
    answers.append(("stand 2", await say(house, "stand 2", key="k6")))
    return answers


async def all_again(house: House, answers: list[tuple[str, dict[str, Any]]]) -> None:
    for number, (command, answer) in enumerate(answers):
        assert await say(house, command, key=f"k{number}") == {**answer, "again": True}


@pytest.mark.parametrize("snapshot", [False, True])
async def test_answers_survive_a_restart(tmp_path: Path, *, snapshot: bool) -> None:
    state = tmp_path / "state"
    async with open_house(state) as house:
        await house.all_up()
        answers = await keyed_round(house)
        if snapshot:
            await order(house, "void", key="k7")
            answers.append(("void", {}))
            await house.dealer("next")
            take_snapshot(house)
            await house.quiet()
            answers.pop()
        await all_again(house, answers)
    async with open_house(state, known=house.links) as again:
        await again.all_up()
        await all_again(again, answers)
        with pytest.raises(BadCommand):
            await say(again, "undo", key="k0")


async def test_a_command_that_waited_as_the_controller_ended_is_answered_then(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    async with open_house(state) as house:
        await house.all_up()
        await house.dealer("open", "wager 1 main 10", "close")
        for card in ("9C", "9D", "8C"):
            await house.card(card)
        house.prompt.discard("shoe")
        cut_off = asyncio.ensure_future(say(house, "stand 1", key="s"))
        await house.quiet()
        cut_off.cancel()
        await asyncio.gather(cut_off, return_exceptions=True)
    async with open_house(state, known=house.links) as again:
        await again.all_up()
        told = await say(again, "stand 1", key="s")
        assert (told["state"], told["again"]) == ("dealer.second_card", True)
        assert len(again.entries("dealer")) == 4


async def test_refused_ones_that_waited_take_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"

    async with played(state) as house:
        take_snapshot(house)
        await say(house, "open", key="open")
        await house.dealer("wager 1 main 10", "wager 2 main 10", "close")
        for card in ("9C", "5C", "9D", "8C", "5H"):
            await house.card(card)
        for number in range(5):
            with pytest.raises(RequestRefused, match="not in turn"):
                await say(house, "stand 2", key=f"k{number}")
    monkeypatch.setattr("controller.replay.recovery.MOST", 4)
    with JournalReader(state) as reader:
        answers = recover(reader, reader.iterate).shown.answers
    assert answers.known("open")
    assert not answers.known("k0")


async def test_a_start_looks_for_no_more_than_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"

    async with played(state) as house:
        take_snapshot(house)
        await say(house, "open", key="open")
        for number in range(9):
            await say(house, f"wager 1 main {number * 10 + 10}", key=f"k{number}")
    monkeypatch.setattr("controller.replay.recovery.MOST", 4)
    with JournalReader(state) as reader:
        answers = recover(reader, reader.iterate).shown.answers
    assert [key for key in ("open", *map("k{}".format, range(9))) if answers.known(key)] == [
        *("k5", "k6", "k7", "k8")
    ]
