"""A whole round with a restart after every single event: nobody at the table notices. A refused
attempt has its place among the events, and changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import Attempt
from controller.journal.model import Draft, Entry
from controller.replay.replay import Replay, replay_table
from controller.table.showing.status import status
from tests.daemon.fake_link import FakeLink
from tests.daemon.house import SETTINGS, House, open_house


async def test_it_is_in_the_journal_with_who_what_and_why(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.all_up()
        await house.dealer("open", "wager 1 main 50")
        before = status(house.owner.table)
        why = "not in the group table-supervisors"
        house.handler.refused_attempt(Attempt("eve", 1001, 4711, "supervisor: void", why))
        house.handler.refused_attempt(Attempt("others", None, None, "dealer: open", why, 90))
        await house.quiet()
        assert status(house.owner.table) == before
        first, rest = house.entries("refused-attempt")
        assert {"user": "eve", "uid": 1001, "pid": 4711, "count": 1}.items() <= first.items()
        assert (first["what"], first["why"]) == ("supervisor: void", why)
        assert first["after"]["notes"] == [
            f"refused eve (uid 1001, process 4711): supervisor: void ({why})"
        ]
        assert rest["after"]["notes"] == [f"refused others, 90 times: dealer: open ({why})"]
        assert house.verified()
    async with open_house(tmp_path, known=house.links) as again:
        assert again.differences == []


Do = Callable[[House], Awaitable[None]]


def say(command: str) -> Do:
    async def do(house: House) -> None:
        await house.dealer(command)

    return do


def card(text: str) -> Do:
    async def do(house: House) -> None:
        await house.deal(text)

    return do


async def press(house: House) -> None:
    unit = house.links["jackpot"]
    unit.event("PRESS", offer_id=unit.meter["offer_id"])
    unit.meter |= {"state": 0, "pressed": 1}
    await house.quiet()


async def show(house: House) -> None:
    unit, fields = house.links["jackpot"], house.entries("draw")[-1]
    unit.meter |= {"state": 3, "multiplier": fields["multiplier"]}
    unit.event("SHOWN", offer_id=unit.meter["offer_id"], multiplier=fields["multiplier"])
    await house.quiet()


ROUND: list[Do] = [
    say("open"),
    say("wager 1 main 10"),
    say("wager 1 pandemonium 1"),
    say("wager 2 main 20"),
    say("wager 3 main 30"),
    say("close"),
    *map(card, ("AC", "8C", "5D", "9D", "KC", "8D", "6S")),
    press,
    show,
    say("done"),
    say("split 2"),
    card("9C"),
    say("stand 2"),
    card("9S"),
    say("stand 2"),
    say("double 3"),
    card("7H"),
    say("keep 3"),
    card("8S"),
    say("next"),
]
"""A Pontoon with the button, a split and a double, and the dealer's hand."""


def seen(status: dict[str, Any]) -> dict[str, Any]:
    """What people see; since when a link stands is another time after a restart."""
    for device in status["devices"].values():
        device.pop("since")
    return status


async def test_a_restart_after_any_event_changes_nothing(tmp_path: Path) -> None:
    states: list[str] = []
    known: dict[str, FakeLink] = {}
    before: dict[str, Any] | None = None
    for do in [*ROUND, None]:
        async with open_house(tmp_path, known=known) as house:
            assert not house.differences
            await house.all_up()
            now = seen(dict(await house.handler.status()))
            if before is not None:
                assert now == before
            if do is not None:
                await do(house)
                before = seen(dict(await house.handler.status()))
                states.append(before["state"])
            known = house.links
        assert house.verified()
    assert len(house.entries("draw")) == 1
    assert len(set(states)) > 10, states
    assert states[-1] == "idle"


@pytest.mark.parametrize("steps", [3, 14, len(ROUND)])
async def test_a_new_boot_holds_a_round_and_nothing_else(tmp_path: Path, steps: int) -> None:
    async with open_house(tmp_path / "state") as house:
        await house.all_up()
        for do in ROUND[:steps]:
            await do(house)
        mid_round = house.owner.table.mid_round
        before = (await house.handler.status())["state"]
    async with open_house(tmp_path / "state", "boot-2", house.links) as again:
        await again.all_up()
        told = await again.handler.status()
        if mid_round:
            assert told["state"] == f"held.{before}"
            held = told["held"]
            assert held is not None
            assert held["fault"] == "power-failure"
            assert not any(fields.get("unlocked") for _, fields in again.commands("shoe"))
        else:
            assert told["held"] is None


def test_an_entry_that_cannot_be_read_any_more_is_told() -> None:
    body = {"boot_id": "boot", "settings": {**SETTINGS.dump(), "rules": {}}, "versions": {}}
    entry = Entry(1, 1, 0, "", Draft("start", body), None, b"")
    table, _ = replay_table([entry])
    assert not table.started
    [told] = Replay().replay_entry(entry)
    assert told.startswith("cannot be replayed: ")
