"""Service: nothing is played, nothing that is tried counts, and the table is as it was after it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.counters.counting import Counters
from controller.counters.report import report
from controller.game.round.refusal import Refused
from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.showing.prompt_text import OFF
from controller.table.showing.status import status
from controller.table.snapshot import dump_table, is_quiet, load_table
from controller.table.state.device import MOST_TESTS
from controller.table.state.table import Table
from tests.table.live.driver import Live, dealt

EMPTY, LOADED, LID_OPEN = range(3)


def in_service() -> Live:
    return Live().play("sue: service on")


def told(live: Live) -> dict[str, Any]:
    """What the status says, but for what the devices have reported of themselves, and that what was
    entered before a supervisor's command cannot be taken back any more."""
    left_out = ("devices", "actions")  # the latter are as permitted
    state = {name: value for name, value in status(live.table).items() if name not in left_out}
    return state | {"permitted": [one for one in live.status()["permitted"] if one != "undo"]}


def test_nothing_is_played_in_service() -> None:
    live = in_service()
    state = status(live.table)
    assert (state["state"], state["awaiting"], state["permitted"]) == ("service", "supervisor", [])
    assert "service off" in state["prompt"]
    assert live.wants().rows[0] == "IN SERVICE"
    assert (live.wants().gate_cards, live.wants().signal) == (0, (OFF, 0))
    for command in ("open", "shuffle 1", "undo", "burn", "next", "inspected"):
        live.refuses(command, "in service")
    for order in ("close-table", "shift", "resume", "play-on", "service on", "lies 1 2"):
        live.refuses_order(order, "in service")
    live.play("sue: service off", "open")


def test_it_begins_between_rounds_only() -> None:
    for live in (dealt("9C 7D 5C"), dealt("KC 8D 5C 9D")):
        live.refuses_order("service on", "between rounds")
    live = Live()
    live.refuses_order("service off", "not in service")
    live.say("open")
    live.refuses_order("service on", "between rounds")


def test_what_is_on_its_way_comes_first() -> None:
    live = Live().play("burn")
    live.refuses_order("service on", "between rounds")
    live = Live().play("shuffle 1")
    live.refuses_order("service on", "shuffler is at work")
    live = Live()
    live.slip("9D")
    live.refuses_order("service on", "decide about that card first")
    live = dealt("9C 7D 5C").play("sue: void", "next")
    assert live.table.entering.leftover is not None
    live.refuses_order("service on", "still being locked")


def test_a_closed_table_is_closed_again() -> None:
    live = Live().play("sue: close-table", "sue: open-table", "sue: service on", "sue: service off")
    assert live.table.state == "closed"
    live.say("inspected")
    assert live.table.state == "idle"


def test_a_held_table_may_be_in_service_and_is_held_after_it() -> None:
    live = Live()
    live.apply("condition", {"fault": "generator-failed", "present": True, "detail": "stuck"})
    live.order("service on")
    held = status(live.table)["held"]
    assert held is not None
    assert (live.state, held["remedies"]) == ("held.service", ["service off"])
    live.order("service off")
    assert live.state == "held.idle"


def test_whatever_is_tried_counts_nowhere() -> None:
    live, counters = Live(), Counters()
    live.play("open", "wager 1 main 10", "close", "9C 7D 9H", "stand 1", "KD", "next")
    before = told(live)
    live.order("service on")
    for name, kind, fields in (
        ("shoe", "CUTTING_CARD", {"remaining": 60}),
        ("jackpot", "PRESS", {"offer_id": 1}),
        ("jackpot", "SHOWN", {"offer_id": 1, "multiplier": 25}),
        ("jackpot", "STUCK", {"held_ms": 6000}),
        ("keypad", "KEY", {"key": "O", "supervisor": 1}),
    ):
        live.device(name, kind, **fields)
    live.shoe((EMPTY, 0), (LOADED, 52))
    for card in ("AC", "2C", "??"):
        live.slip(card)
    live.shoe((EMPTY, 0), (LOADED, before["shoe"]["remaining"]))
    live.order("service off")
    assert told(live) == before
    again = Table()
    for line in live.events:
        event = read_event(**json.loads(line))
        counters.count_event(event, apply(again, event), again)
    counted = report(counters)
    assert counted["total"]["cards"] == 4
    assert counted["total"]["unread"] == 0
    assert counted["total"]["presses_ignored"] == 0


@pytest.mark.parametrize(
    ("reports", "due"),
    [
        ([], True),
        ([(EMPTY, 0), (LOADED, 380)], True),
        ([(EMPTY, 0)], True),
        ([(LOADED, 384)], False),
        ([(EMPTY, 0), (LOADED, 384)], False),
    ],
)
def test_a_shoe_that_is_not_as_it_was_is_shuffled_first(
    reports: list[tuple[int, int]], due: bool
) -> None:
    live = in_service()
    live.slip("9D")
    for state, remaining in reports:
        live.shoe((state, remaining))
    live.order("service off")
    assert status(live.table)["shoe"]["shuffle_due"] is due
    if due:
        live.table.holds.end_where(lambda _: True)
        live.refuses("open", "1 card left the shoe in service")
        live.order("play-on")
    live.say("open")


@pytest.mark.parametrize(("remaining", "after"), [(381, 381), (384, 384)])
def test_an_open_lid_is_known_after_it(remaining: int, after: int) -> None:
    """Of a full shoe the cards may be others; of one that has its number they are the same."""
    live = dealt("9C 7D 9H").play("sue: void", "next")
    live.lock()
    live.order("service on")
    live.shoe((LID_OPEN, 0))
    assert live.table.shoe.book.opened
    live.shoe((LOADED, remaining))
    live.order("service off")
    told = live.status()["shoe"]
    assert (told["remaining"], told["shuffle_due"]) == (after, False)
    assert not live.table.shoe.book.opened


def test_a_report_behind_which_a_card_left_says_nothing() -> None:
    live = in_service()
    live.shoe((LOADED, 384))
    live.slip("9D")
    live.slip("8D")
    live.order("service off")
    live.refuses("open", "2 cards left the shoe in service")


def test_a_shoe_that_had_run_out_has_run_out_after_it() -> None:
    live = Live()
    live.shoe((EMPTY, 0))
    live.play("sue: service on", "sue: service off")
    assert live.table.devices["shoe"].emptied


def test_a_table_without_a_shoe_may_be_in_service() -> None:
    table = Table()
    live = in_service()
    live.table.devices.pop("shoe")
    live.examined = False
    live.shoe((0, 0))
    live.order("service off")
    assert live.table.state == "idle"
    assert not table.in_service


# ---- commands and tests -----------------------------------------------------------------------


def command(live: Live, name: str, device: str = "jackpot", **fields: int) -> Any:
    body = {"command": name, "fields": fields, "user": "tess"}
    return live.apply("device-command", body, device=device)


def test_a_command_to_a_device_takes_a_number_that_no_offer_had() -> None:
    live = in_service()
    first = live.table.jackpot.next_offer
    with pytest.raises(Refused, match="not of this service"):
        command(live, "ARM", offer_id=first - 1, box=1)
    with pytest.raises(Refused, match="not of this service"):
        command(live, "ARM", offer_id=first + 1, box=1)
    outcome = command(live, "ARM", offer_id=first, box=3)
    assert outcome.notes == [
        f"service: the jackpot unit is to do ARM box=3 offer_id={first}",
    ]
    command(live, "DISARM", offer_id=first)
    command(live, "GATE", "shoe", unlocked=1, cards=0)
    assert live.table.jackpot.next_offer == first + 1
    live.order("service off")
    with pytest.raises(Refused, match="only in service"):
        command(live, "BLANK")


def test_there_is_none_for_a_device_that_the_table_has_not() -> None:
    with pytest.raises(Refused):
        command(in_service(), "BLANK", "roulette")


def a_test(live: Live, name: str, device: str = "shoe", **more: Any) -> Any:
    body = {"test": name, "ok": True, "what": "all read", "by_hand": True, "at": "2026-11-24"}
    return live.apply("device-tested", {**body, "user": "tess", **more}, device=device)


def test_the_last_test_of_each_name_is_kept_for_that_device() -> None:
    live = in_service()
    a_test(live, "cards", ok=False, what="9D read as 9H")
    outcome = a_test(live, "cards")
    assert outcome.notes == ["card shoe, cards: well, all read"]
    assert a_test(live, "x", "roulette").notes == []
    for number in range(MOST_TESTS + 3):
        a_test(live, f"test {number}", "keypad")
    tests = live.table.devices["shoe"].tests
    assert [(name, test.ok) for name, test in tests.items()] == [("cards", True)]
    assert len(live.table.devices["keypad"].tests) == MOST_TESTS
    live.order("service off")
    assert load_table(dump_table(live.table)).devices["shoe"].tests == tests
    live.up("shoe", serial="shoe-9", new_session=True)
    assert live.table.devices["shoe"].tests == {}


def test_there_is_no_snapshot_in_service() -> None:
    live = in_service()
    assert not is_quiet(live.table)
    live.order("service off")
    assert load_table(dump_table(live.table)).service == live.table.service


def test_settings_are_adopted_in_service() -> None:
    live = in_service()
    live.start(new=live.settings)
    assert live.table.setup.next_settings is None
    assert live.table.in_service


def test_the_report_before_opening_is_kept_with_what_was_counted() -> None:
    live = Live()
    report = {"ready": False, "checks": [{"name": "shoe", "ok": False, "what": "down"}]}
    more = {"counted": {"rounds": 12}, "at": "2026-11-24T09:00:00+00:00", "user": "sue"}
    outcome = live.apply("readiness", {**report, **more})
    assert outcome.notes == ["report before opening: not ready: shoe"]
    again = load_table(dump_table(live.table)).readiness
    assert (again.at, again.counted) == (more["at"], {"rounds": 12})
    assert live.apply("readiness", {**report, "checks": [], **more}).notes == [
        "report before opening: ready"
    ]


def test_the_set_in_play_is_not_shuffled_in_service() -> None:
    live = in_service()
    live.table.shoe.sets.in_shoe = 2
    with pytest.raises(Refused, match="set 2 is in play"):
        command(live, "START", "shuffler", set=2)
    command(live, "START", "shuffler", set=1)


def test_cards_of_play_that_were_drawn_and_put_back_are_not_played_on() -> None:
    live = in_service()
    live.slip("9D")
    live.shoe((EMPTY, 0), (LOADED, 383))
    live.table.shoe.book.out = 1  # as many as before are in it, in whatever order
    live.order("service off")
    live.refuses("open", "1 card left the shoe in service")


def test_cards_that_were_taken_out_and_are_not_all_back_are_not_played_on() -> None:
    live = in_service()
    live.shoe((EMPTY, 0), (LOADED, 378))
    live.order("service off")
    assert "should hold 384: 6 missing" in live.table.reason
    live.order("resume")
    live.refuses("open", "were taken out of the shoe in service")


def test_a_failed_test_is_not_pushed_out_by_others() -> None:
    live = in_service()
    a_test(live, "pack", ok=False)
    for number in range(MOST_TESTS + 3):
        a_test(live, f"test {number}")
    assert "pack" in live.table.devices["shoe"].tests
    live.up("shoe", firmware=(2, 0, 0))
    assert live.table.devices["shoe"].tests == {}
