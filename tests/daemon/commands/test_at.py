"""``at``: the entry since which the table is shown as it is, and commands for no other table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import Attempt, Changed, RequestRefused
from controller.game.round.state import Round
from controller.journal.reader import JournalReader
from controller.replay import recovery
from controller.replay.recovery import recover
from controller.replay.replay import Replay
from controller.replay.shown_state import COMPARED, SHOWN
from controller.table.showing import status as showing
from controller.table.showing.status import shown_boxes, status
from controller.table.showing.status_fields import ShownBox
from controller.table.state.table import Table
from tests.daemon.fake_link import FakeLink
from tests.daemon.house import House, locked, open_house, turns
from tests.daemon.test_restart import ROUND, press


def as_it_was(state: Path) -> list[tuple[int, str]]:
    """Of each entry: its number, and all that is compared, from the beginning of the journal."""
    found: list[tuple[int, str]] = []
    replay = Replay()
    with JournalReader(state) as reader:
        for entry in reader.iterate():
            replay.replay_entry(entry)
            shown: dict[str, Any] = dict(status(replay.table))
            shown["permitted"] = [c for c in shown["permitted"] if not c.startswith("shuffle ")]
            found.append((entry.seq, json.dumps([shown[name] for name in COMPARED])))
    return found


def since(told: list[tuple[int, str]]) -> int:
    """The number of the last entry that changed it."""
    changes = [
        seq for (_, one), (seq, other) in zip([(0, ""), *told], told, strict=False) if one != other
    ]
    return changes[-1]


async def test_it_is_the_last_entry_that_changed_what_is_shown(house: House) -> None:
    seen: list[tuple[int, int]] = []
    for do in ROUND:
        await do(house)
        with JournalReader(house.state) as reader:
            seen.append((reader.head.seq, await house.at()))
    told = as_it_was(house.state)
    for head, number in seen:
        assert number == since([one for one in told if one[0] <= head])
    assert len({number for _, number in seen}) == len(ROUND)


async def test_a_draw_is_of_one_moment_with_its_press(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Table] = []

    def looked(table: Table, rnd: Round | None) -> dict[str, ShownBox]:
        looks.append(table)
        return shown_boxes(table, rnd)

    for do in ROUND[: ROUND.index(press)]:
        await do(house)
    await house.at()
    monkeypatch.setattr(showing, "shown_boxes", looked)
    await press(house)
    assert len(looks) == 1
    with JournalReader(house.state) as reader:
        seqs = {entry.type: entry.seq for entry in reader.iterate()}
    assert seqs["draw"] == seqs["PRESS"] + 1
    assert await house.at() == recovered_at(house.state) == seqs["PRESS"]


async def test_what_nobody_sees_keeps_it(house: House) -> None:
    await house.dealer("open", "wager 1 main 10")
    before = await house.at()
    with pytest.raises(RequestRefused):
        await house.say("stand 1")
    house.links["keypad"].event("KEY", key="B", supervisor=0)
    house.links["shuffler"].event("SHUFFLER_STATE", state=1, set=1, count=0)
    house.owner.condition("clock-stepped", "by an hour")
    await house.quiet()
    assert await house.at() == before
    await house.dealer("wager 1 main 20")
    assert await house.at() > before


async def test_a_command_for_a_table_that_has_changed_is_refused(house: House) -> None:
    before = await house.at()
    first = await house.say("open", at=before)
    second = await house.say("wager 1 main 10", at=first["at"])
    assert second["at"] == await house.at() > first["at"]
    for give, command in ((house.say, "close"), (house.order, "shift")):
        with pytest.raises(Changed) as refused:
            await give(command, at=first["at"])
        assert refused.value.at == second["at"]
        assert refused.value.prompt == second["prompt"]
    assert (await house.handler.status())["state"] == "betting"
    assert (await house.say("close", at=second["at"]))["state"] == "deal.first_cards"
    stored = [body["at"] for body in house.entries("dealer")]
    assert stored == [before, first["at"], second["at"]]


@pytest.mark.parametrize("command", ["stand 1", "undo"])
async def test_a_card_that_came_before_the_lock_has_changed_the_table(
    house: House, command: str
) -> None:
    """``undo`` would take back the ``hit`` that was announced; with ``at`` it was for the hand
    without the card."""
    await house.begin_round("4C", "9D", "5C")
    house.prompt.discard("shoe")
    shoe = house.links["shoe"]
    seen = await house.at()
    saying = house.saying(command, at=seen)
    await house.quiet()
    shoe.last_event += 1
    shoe.answer()
    await house.quiet()
    assert not saying.done()
    fields = {"rank": 2, "suit": 1, "flags": 0, "card_uid": 0, "remaining": 0xFFFF}
    house.prompt.add("shoe")
    shoe.repeat(shoe.last_event, "CARD", **fields)
    with pytest.raises(Changed) as refused:
        await saying
    assert refused.value.at == await house.at() > seen
    assert "11" in refused.value.prompt


async def test_what_a_supervisor_says_meanwhile_has_changed_the_table(house: House) -> None:
    await house.begin_round("9C", "9D", "8C")
    house.prompt.discard("shoe")
    saying = house.saying("stand 1", at=await house.at())
    await turns()
    await house.order("correct 1 KD")
    house.prompt.add("shoe")
    house.links["shoe"].answer()
    with pytest.raises(Changed):
        await saying
    await house.quiet()
    assert (await house.handler.status())["turn"] == {"box": 1, "hand": 1}


@pytest.mark.parametrize("hidden", [3, 70])
async def test_what_shows_nothing_has_numbers_and_no_at(house: House, hidden: int) -> None:
    live: list[int] = []
    house.store_snapshot()
    await house.say("open")
    live.append(await house.at())
    for _ in range(hidden):
        house.handler.refused_attempt(Attempt("x", 1, 2, "dealer: open", "not in the group"))
    await house.quiet()
    live.append(await house.at())
    assert live[0] == live[1] == recovered_at(house.state)


@pytest.mark.parametrize("window", [1, 8])
async def test_restarts_at_the_edge_of_what_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    monkeypatch.setattr(recovery, "LOOKED_AT", (window, 4096))
    seen: list[int] = []
    known: dict[str, FakeLink] = {}
    for _ in range(4):
        async with open_house(tmp_path, known=known) as house:
            await house.all_up()
            if not known:
                for do in ROUND[:9]:
                    await do(house)
            for _ in range(7):
                house.owner.condition("clock-stepped", "by an hour")
                house.owner.condition("clock-stepped", present=False)
            await house.quiet()
            seen.append(await house.at())
            known = house.links
    assert len(set(seen)) == 1


async def test_a_command_that_waits_and_is_refused_has_changed_nothing(house: House) -> None:
    """While it waits for the gate nothing is permitted; that is over with its refusal."""
    await house.dealer("open", "wager 1 main 10", "wager 2 main 10", "close")
    await house.deal("9C", "5C", "9D", "8C", "5H")
    seen = await house.at()
    house.prompt.discard("shoe")
    saying = house.saying("stand 2")
    await turns()
    assert await house.at() > seen
    house.prompt.add("shoe")
    house.links["shoe"].answer()
    with pytest.raises(RequestRefused, match="not in turn"):
        await saying
    await house.quiet()
    assert await house.at() == seen
    assert (await house.say("stand 1", at=seen))["at"] > seen


async def test_an_answer_and_a_status_wait_for_the_disk(house: House) -> None:
    before = await house.at()
    with locked(house.state):
        saying = house.saying("open")
        await turns()
        refused = house.saying("open", at=before)
        await turns()
        assert not saying.done()
        assert not refused.done()
    assert (await saying)["at"] > before
    with pytest.raises(Changed):
        await refused


# ---- found again at a start ---------------------------------------------------------------------


def recovered_at(state: Path) -> int:
    with JournalReader(state) as reader:
        found = recover(reader, reader.iterate)
        found.shown.find_status()
        return found.shown.at


@pytest.mark.parametrize("looked_at", [(64, 4096), (0, 4096), (1, 4096)])
async def test_a_start_finds_it_again(
    house: House, monkeypatch: pytest.MonkeyPatch, looked_at: tuple[int, int]
) -> None:
    """Also where behind its last entries nothing changed, so that all of them are looked at."""
    monkeypatch.setattr(recovery, "LOOKED_AT", looked_at)
    for do in ROUND[:6]:
        await do(house)
    before = await house.at()
    for _ in range(5):
        house.owner.condition("clock-stepped", "by an hour")
        house.owner.condition("clock-stepped", present=False)
    await house.quiet()
    assert recovered_at(house.state) == since(as_it_was(house.state)) == await house.at() == before


async def test_a_snapshot_keeps_it(house: House) -> None:
    told: list[int] = []
    for do in ROUND:
        await do(house)
    told.append(await house.at())
    house.store_snapshot()
    await house.quiet()
    assert await house.at() == told[0]
    await house.dealer("open")
    told.append(await house.at())
    house.owner.condition("clock-stepped", "by an hour")
    await house.quiet()
    assert recovered_at(house.state) == told[1] == since(as_it_was(house.state))
    with JournalReader(house.state) as reader:
        upto = next(iter(reader.snapshots()))
        [snapshot] = reader.iterate(upto - 1, upto)
    assert snapshot.body[SHOWN] == {"at": told[0], "answers": []}


async def test_another_boot_is_another_table(tmp_path: Path) -> None:
    """In mid-round a power cut holds the table: whoever decides looks again."""
    async with open_house(tmp_path / "state") as house:
        await house.all_up()
        for do in ROUND[:8]:
            await do(house)
        before = await house.at()
    async with open_house(tmp_path / "state", "boot-2", house.links) as again:
        await again.all_up()
        assert await again.at() > before
        await again.order("resume", at=await again.at())
