"""The report before opening: what is missing first, and the report as an entry."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.configuration.model import Approved, Configuration
from controller.configuration.reading import load_configuration
from controller.control.peers import Peer
from controller.daemon.health.watches import WatchedPlace
from controller.daemon.outside import Outside
from controller.daemon.readiness import report as module
from controller.daemon.readiness.report import ReadinessReporter
from controller.evidence.trust import add_key, keys_beside
from controller.files.media import FreeRoom
from controller.files.readings import readings_of
from controller.files.rules import rule_files
from controller.forms.json_values import checked
from controller.local_time import LocalZone
from controller.program import this_program
from controller.table.events.reading import read_event
from drivers.api import Identity, LinkDown, LinkUp
from tests.configuration.test_configuration import EXAMPLE
from tests.daemon.house import House, played
from tests.journal.helpers import KEY

SUPERVISOR = Peer(1, 0, 0, "sue", frozenset({"supervisor"}))
GUEST = Peer(1, 0, 0, "gus", frozenset(), views=True)
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
KEYS = [KEY.public]
SEALED = {"head": 41, "sealed_to": 40, "key": "ab" * 32}


class Desk:
    """Reports of a house, with what the test says of its surroundings."""

    def __init__(self, house: House, config: Configuration) -> None:
        self.house = house
        self.config = config
        self.sealed: dict[str, object] = dict(SEALED)
        self.room: Callable[[Path], FreeRoom] = lambda _: FreeRoom(5 << 30)
        self.aside: Any = None
        self.witnesses = True, "none is configured"
        house.handler.show_facts("journal", lambda: self.sealed)
        house.handler.show_facts("configuration", lambda: {"digest": "cd" * 32})

    def reporter(self) -> ReadinessReporter:
        zone = LocalZone("Asia/Singapore")
        outside = Outside(lambda: "boot-1", lambda: NOON, room=self.room, zone=lambda: zone)
        if self.aside is not None:
            outside = replace(outside, aside=self.aside)
        house, places = self.house, [WatchedPlace("the journal", self.house.state)]
        parts = house.owner, house.handler, house.drawing
        return ReadinessReporter(*parts, self.config, outside, places, KEYS, lambda: self.witnesses)

    async def report(self, who: Peer = SUPERVISOR) -> dict[str, Any]:
        report = await self.reporter().report(who)
        told: dict[str, Any] = json.loads(json.dumps(report, default=dict))
        await self.house.quiet()
        return told

    async def one(self, name: str) -> dict[str, Any]:
        """The check of that name; those that are not well stand first."""
        told = await self.report()
        oks = [check["ok"] for check in told["checks"]]
        assert oks == sorted(oks)
        assert told["ready"] is all(oks)
        assert {check["mark"] == "not ok" for check in told["checks"] if check["ok"]} == {False}
        assert all(bool(check["next_step"]) is not check["ok"] for check in told["checks"])
        [found] = [check for check in told["checks"] if check["name"] == name]
        return dict(found)


@asynccontextmanager
async def at_a_desk(state: Path) -> AsyncIterator[Desk]:
    async with played(state) as house:
        full = house.owner.table.settings.shoe_size
        house.links["shoe"].event("SHOE_STATE", state=1, remaining=full)
        await house.quiet()
        config = replace(load_configuration(EXAMPLE), path=state / "table.toml")
        add_key(keys_beside(config.path), KEY.public)
        yield Desk(house, config)


@pytest.fixture
def desk(tmp_path: Path) -> AbstractAsyncContextManager[Desk]:
    return at_a_desk(tmp_path)


async def test_a_table_that_is_ready(desk: Desk) -> None:
    told = await desk.report()
    assert told["ready"], [check for check in told["checks"] if not check["ok"]]
    names = {check["name"] for check in told["checks"]}
    assert names >= {
        *("table", "cards", "shoe", "program", "rules", "readings", "disks", "clock", "heads")
    }
    assert told["stored"]
    [entry] = desk.house.entries("readiness")
    assert (entry["ready"], entry["user"]) == (True, "sue")
    assert entry["after"]["notes"] == ["report before opening: ready"]


async def test_a_table_whose_time_zone_is_not_known_is_not(desk: Desk) -> None:
    clock = await desk.one("clock")
    assert (clock["ok"], clock["what"].endswith("; zone Asia/Singapore")) == (True, True)
    desk.house.owner.condition("zone-unknown", "TZ names 'Mars', which is not to be found")
    await desk.house.quiet()
    clock = await desk.one("clock")
    assert not clock["ok"]
    assert "the time zone of the machine is not known: TZ names 'Mars'" in clock["what"]
    await desk.house.dealer("open", "wager 1 main 50")  # play is not held


async def test_a_table_whose_file_of_keys_is_gone_is_not(desk: Desk) -> None:
    assert (await desk.one("night"))["ok"]
    keys_beside(desk.config.path).unlink()
    night = await desk.one("night")
    assert (night["ok"], "journal.vkey is gone" in night["what"]) == (False, True)


async def test_what_was_counted_since_the_last_report(desk: Desk) -> None:
    assert (await desk.report())["since"] is None
    await desk.house.dealer("open", "wager 1 main 50", "close")
    await desk.house.deal("9C", "7D")
    told = await desk.report()
    assert told["since"] == "2026-11-24T12:00:00+00:00"
    assert (told["counted"]["cards"], told["counted"]["rounds"]) == (2, 0)
    [missing] = [check for check in told["checks"] if not check["ok"]]
    assert (missing["name"], missing["next_step"]) == ("table", "finish the round and clear it")
    assert (await desk.report())["counted"]["cards"] == 0


async def test_who_may_only_look_gets_no_counters_and_leaves_no_entry(desk: Desk) -> None:
    told = await desk.report(GUEST)
    assert told["ready"]
    assert not told["stored"]
    assert "counted" not in told
    assert desk.house.entries("readiness") == []


async def test_service_and_holds_are_not_ready(desk: Desk) -> None:
    house = desk.house
    await house.order("service on", SUPERVISOR, by=None, why=None)
    assert "service off" in (await desk.one("table"))["next_step"]
    await house.order("service off", SUPERVISOR, by=None, why=None)
    house.owner.condition("disk-full-soon", "5 MiB are left")
    await house.quiet()
    found = await desk.one("table")
    assert found["what"].startswith("held: ")
    assert "5 MiB" in (await desk.one("disks"))["what"]


async def test_cards_that_may_not_be_played(desk: Desk) -> None:
    desk.house.owner.table.shoe.shuffle_due(0, "the cutting card has come")
    assert (await desk.one("cards"))["next_step"] == "load a shuffled shoe"
    await desk.house.order("close-table", SUPERVISOR)
    assert "loaded when the table is opened" in (await desk.one("cards"))["what"]


async def test_devices(desk: Desk) -> None:
    house = desk.house
    house.links["shoe"].event("FAULT", faults=1 << 2)
    house.links["jackpot"].event("COVER", open=1)
    house.links["keypad"].listener.link_down(LinkDown("keypad", "its plug was pulled"))
    await house.quiet()
    shoe = await desk.one("shoe")
    assert "it reports sensor" in shoe["what"]
    assert "cover" in (await desk.one("jackpot"))["what"]
    keypad = await desk.one("keypad")
    assert "not connected: its plug was pulled" in keypad["what"]
    assert keypad["next_step"].startswith("look at its plug, supply and port")
    house.fleet.devices["shuffler"].refused = "START was refused with code 5"
    assert (await desk.one("shuffler"))["next_step"] == "switch it off and on."


async def test_an_exchanged_device_is_not_well_until_it_was_tested(desk: Desk) -> None:
    keypad = desk.house.links["keypad"]
    who = Identity("keypad", "K-9", (1, 0, 0), "00", 0)
    keypad.listener.link_up(LinkUp("keypad", who, 78, True, 0, 0))
    found = await desk.one("keypad")
    assert "was exchanged, and nobody has tested it since" in found["what"]
    assert "K-9, before keypad-1" in found["what"]
    assert found["next_step"] == "tablectl devices test keypad"
    assert (await desk.one("conditions"))["ok"], "it is told once"
    body = {"what": "passed", "at": "2026-11-24T03:00:00+00:00", "user": "tess"}
    given = {**body, "test": "self-test", "ok": True, "by_hand": False}
    desk.house.owner.submit(read_event("device-tested", given, device="keypad"))
    assert (await desk.one("keypad"))["ok"]


async def test_a_name_that_is_bound_to_two_ports_is_not_well(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = {"shoe": ["which of them it leads to is chance", "bind it to the socket"]}
    monkeypatch.setattr(module, "shared_numbers", lambda _: numbers)
    found = await desk.one("shoe")
    assert "which of them it leads to is chance" in found["what"]
    assert found["next_step"] == "bind it to the socket."


async def test_the_last_tests_of_a_device(desk: Desk) -> None:
    body = {"what": "9D read as 9H", "at": "2026-11-24T03:00:00+00:00", "user": "tess"}
    for test, by_hand in (("pack", True), ("self-test", False)):
        given = {**body, "test": test, "ok": False, "by_hand": by_hand}
        desk.house.owner.submit(read_event("device-tested", given, device="shoe"))
    found = await desk.one("shoe")
    assert "the last test (pack) was not well, 9D read as 9H" in found["what"]
    assert found["next_step"] == ("tablectl devices test shoe --by-hand tablectl devices test shoe")
    for test in ("pack", "self-test"):
        given = {**body, "test": test, "ok": True, "by_hand": False}
        desk.house.owner.submit(read_event("device-tested", given, device="shoe"))
    found = await desk.one("shoe")
    assert "pack well (2026-11-24 03:00)" in found["what"]
    told = await desk.report()
    assert told["devices"]["shoe"]["tests"]["pack"]["ok"]


@pytest.mark.parametrize("name", ["program", "rules", "readings"])
async def test_digests_against_those_approved(desk: Desk, name: str) -> None:
    table = desk.config.table
    digests = {
        "program": this_program().digest,
        "rules": table.rules_digest,
        "readings": readings_of(table.rules, rule_files()[table.rules.id]).digest,
    }
    found = await desk.one(name)
    assert "nothing is approved" in found["what"]
    assert (found["ok"], found["mark"]) == (True, "nothing"), "no table is shut by it"
    desk.config = replace(desk.config, approved=Approved(**{name: digests[name]}))
    assert "as approved" in (await desk.one(name))["what"]
    desk.config = replace(desk.config, approved=Approved(**{name: "ef" * 32}))
    found = await desk.one(name)
    assert f"digest {digests[name]}, approved is {'ef' * 32}" in found["what"]
    assert f"[approved] {name}" in found["next_step"]


async def test_disks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "5120 MiB free" in (await desk.one("disks"))["what"]
    desk.house.owner.condition("disk-low", "9 days")
    await desk.house.quiet()
    found = await desk.one("disks")
    assert found["ok"]
    assert "9 days" in found["what"]
    worn = {"name": "the journal", "path": "/", "free": None, "trouble": "no answer"}
    told = [{**worn, "wear": "beyond its life", "worn": True}]
    monkeypatch.setattr(module, "read_disks", lambda *_: told)
    desk.aside = lambda _, work, then, ___: (then(work()), then(work()))
    found = await desk.one("disks")
    assert found["what"].startswith("the journal: no answer, beyond its life")
    assert "exchanged" in found["next_step"]
    desk.aside = lambda _, __, then, lost: then(lost(RuntimeError("no thread")))
    for _ in range(2):
        assert (await desk.one("disks"))["what"] == "a disk does not answer"
    desk.aside = lambda *_: None
    monkeypatch.setattr(module, "DISKS_S", 0.01)
    assert (await desk.one("disks"))["what"] == "a disk does not answer"


async def test_key_generator_and_what_else_stands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = desk.house
    house.owner.condition("heads-failing", "no room")
    house.owner.condition("button-stuck", "free it")
    house.owner.condition("device-floods", "the shoe")
    await house.quiet()
    assert "the last head is for 40" in (await desk.one("heads"))["what"]
    desk.sealed["sealed_to"] = None
    assert "no head is signed yet" in (await desk.one("heads"))["what"]
    assert "no room" in (await desk.one("heads"))["what"]
    assert "free it" in (await desk.one("jackpot"))["what"]
    assert "the shoe" in (await desk.one("conditions"))["what"]
    assert "none amiss" in (await desk.one("generator"))["what"]
    monkeypatch.setattr(house.drawing, "_failed", True)
    assert "its tests have failed" in (await desk.one("generator"))["what"]
    desk.config = replace(desk.config, weights=None)
    assert "draw no multiplier" in (await desk.one("generator"))["what"]
    told = await desk.report()
    assert checked(list[object], told["weights"]) == []


async def test_a_shoe_that_is_empty_or_open_a_blocked_set_and_a_line_that_degrades(
    desk: Desk,
) -> None:
    house = desk.house
    house.links["keypad"].counts = {"retries": 2, "bad_crc": 1}
    assert "its line degrades: 2 sent again, 1 damaged" in (await desk.one("keypad"))["what"]
    house.links["keypad"].counts = {}
    shoe = house.links["shoe"]
    shoe.event("SHOE_STATE", state=2, remaining=0)
    await house.quiet()
    assert (await desk.one("shoe"))["what"] == "it has its lid open"
    shoe.event("SHOE_STATE", state=0, remaining=0)
    await house.quiet()
    assert (await desk.one("cards"))["what"] == "the card shoe is empty"
    house.owner.table.shoe.sets.blocked[1] = "1 9D missing"
    found = await desk.one("cards")
    assert found["what"] == "set 1 may not be played: 1 9D missing"
    house.links["shuffler"].event("SHUFFLER_STATE", state=4, set=1, count=384, progress=0)
    await house.quiet()
    assert (await desk.one("shuffler"))["what"] == "it has stopped: jam"
    house.links["shuffler"].event("SHUFFLER_STATE", state=1, set=1, count=384, progress=0)
    await house.quiet()
    assert "is not shuffled" in (await desk.one("shuffler"))["what"]


async def test_a_shoe_that_holds_another_number_and_cards_that_are_out_of_play(desk: Desk) -> None:
    house = desk.house
    assert (await desk.one("cards"))["what"] == "384 cards are in the shoe"
    shoe = house.links["shoe"]
    shoe.event("SHOE_STATE", state=2, remaining=384)
    shoe.event("SHOE_STATE", state=1, remaining=336)
    await house.quiet()
    found = await desk.one("cards")
    assert found["what"] == "the card shoe holds 336 cards and should hold 384: 48 missing"
    assert "load a full shuffled set" in found["next_step"]
    assert "held: the card shoe holds 336" in (await desk.one("table"))["what"]
    await house.order("resume", SUPERVISOR)
    assert (await desk.one("cards"))["what"] == "336 cards are in the shoe"
    await house.dealer("open", "wager 1 main 50", "close")
    await house.deal("9C")
    await house.dealer("report unshuffled")
    await house.order("void", SUPERVISOR)
    await house.dealer("next")
    found = await desk.one("cards")
    assert (found["ok"], "the cards were not shuffled" in found["what"]) == (False, True)
    await house.order("play-on", SUPERVISOR)
    assert (await desk.one("cards"))["ok"]


async def test_asked_in_a_loop_it_leaves_some_entries_and_asks_a_disk_that_hangs_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = desk.house
    asked: list[int] = []
    desk.aside = lambda *_: asked.append(1)
    monkeypatch.setattr(module, "DISKS_S", 0.001)
    readiness = desk.reporter()
    stored = [(await readiness.report(SUPERVISOR))["stored"] for _ in range(15)]
    assert stored == [True] * 10 + [False] * 5
    assert asked == [1]
    assert len(house.entries("readiness")) == 10


async def test_a_required_witness_that_is_missed_for_long_is_not_well(desk: Desk) -> None:
    desk.house.owner.condition("witness-silent", "w1: 404 unknown log")
    await desk.house.quiet()
    told = await desk.one("witnesses")
    assert told["ok"]
    assert "404 unknown log" in told["what"]
    desk.witnesses = False, "w1 to entry 0"
    told = await desk.one("witnesses")
    assert not told["ok"]
    assert "table-controller-witness" in told["next_step"]
