"""Every event that a table can receive, made for the table that is to receive it.

Each has the name of the row under which :mod:`~.events` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from controller.faults.catalogue import fault_of
from controller.forms.json_values import JsonObject
from controller.game.commands.command import first_word
from controller.game.commands.slots import BOX
from controller.game.commands.verbs import VERBS, Family
from controller.game.round.wagers import MAIN
from controller.game.rules.schema import RuleSet
from controller.table.entering.keys import AT_ONCE, COLLECTING, PUT_RIGHT
from controller.table.events import of_controller, of_people
from controller.table.events.event import Event
from controller.table.showing.wanted import wants
from controller.table.state.table import Table
from drivers import vocabulary
from pages.table import played_tables as live
from pages.table.played_tables import Played, card, device_event, link_up, order

Named = tuple[str, Event]

BOXES: Final = ("1", "2", "9")
SEATS: Final = ("1", "1a", "1b", "1c", "2", "9")
PLAIN: Final = tuple(
    name
    for name, row in VERBS.items()
    if row.part is Family.PLAY and row.slots == (BOX,) and not row.device
)
"""Steps that name a seat and nothing else."""
FLAGS: Final = (
    ("as it should", 0),
    ("face up", vocabulary.FACE_UP),
    ("together with another", vocabulary.TOGETHER),
    ("of another design", vocabulary.FOREIGN),
    ("through the locked gate", vocabulary.LOCKED),
    ("damaged", vocabulary.DAMAGED),
)
CONDITIONS: Final = ("generator-failed", "disk-full-soon", "disk-low", "clock-stepped")
"""A fault of each severity that the controller may report."""
AT: Final = "2026-11-24T04:00:00+00:00"
ORDERS: Final = (
    *("resume", "void", "use", "discard", "card 9D", "card TC", "pay 25", "pay 50", "seen 25"),
    *("service on", "service off"),
)


def happenings(played: Played) -> Iterator[Named]:
    """All of them."""
    table = played.table
    yield from (
        (f"dealer: `{first_word(text)}`", live.dealer(text)) for text in _entries(table.rules)
    )
    yield "dealer: unreadable", live.dealer("sing")
    yield from ((f"supervisor: `{first_word(text)}`", order(text)) for text in ORDERS)
    silent = of_people.SupervisorCommanded(command="void", by=None, why=None, user="sue")
    yield "supervisor: without a reason", silent
    yield "supervisor: unreadable", order("sing")
    yield from _shoe(table)
    yield from _jackpot(table)
    yield from _shuffler(table)
    yield from _keys(table)
    yield from _links(table)
    yield from _daemon(played)


def _entries(rules: RuleSet) -> Iterator[str]:
    kinds = (MAIN, *rules.side_wagers)
    yield from ("open", "close", "next", "undo", "done", "shuffle 1", "shuffle 2")
    yield from (f"wager {seat} {kind} 10" for seat in ("1", "1b", "9") for kind in kinds)
    yield from ("wager 1 main 0", "wager 1 main 0.05", "wager 1 main")
    yield from (f"{verb} {seat}" for verb in PLAIN for seat in SEATS)
    yield from (f"{verb} {seat} 10" for verb in ("double", "buy") for seat in SEATS)
    yield from ("double 1", "buy 1", "double 1 9000", "buy 1 9000", "buy 1 0.01")
    yield from (f"place {seat} {hand}" for seat in SEATS for hand in (1, 2, 9))
    yield from (f"insure {seat} 0.01" for seat in SEATS)
    yield from ("insure 1 9000", "insure 2@1 0.01", "insure 1@1b 0.01", "insure 2@2 0.01")
    yield from (f"nominate {box} staff" for box in BOXES)
    yield from ("nominate 1 2", "nominate 2 1", "nominate 1 9")
    yield from ("press 1", "overdraw")


def _shoe(table: Table) -> Iterator[Named]:
    for words, flags in FLAGS:
        yield f"`CARD` {words}", card(table, 13, 4, flags)
    yield "`CARD` unread", card(table, 0, 0)
    yield "`CARD` ten", card(table, 10, 2)
    yield "`CARD` of no set", card(table, 14, 9)
    told = partial(device_event, table, "shoe")
    yield "`CUTTING_CARD`", told("CUTTING_CARD", remaining=60)
    for state, word in enumerate((*vocabulary.SHOE_STATES, "unknown")):
        remaining = 100 if state else 0
        yield f"`SHOE_STATE` {word}", told("SHOE_STATE", state=state, remaining=remaining)
    full = table.settings.shoe_size
    yield "`SHOE_STATE` a new shoe", told("SHOE_STATE", state=1, remaining=full)


def _jackpot(table: Table) -> Iterator[Named]:
    told, standing = partial(device_event, table, "jackpot"), table.jackpot.offer
    offer = standing.number if standing else 0
    drew = (standing.multiplier if standing else 0) or 25
    offers = [("for another offer", offer + 7), ("for the offer that stands", offer)]
    for words, number in offers if standing else offers[:1]:
        yield f"`PRESS` {words}", told("PRESS", offer_id=number)
        yield f"`SHOWN` {words}", told("SHOWN", offer_id=number, multiplier=drew)
        yield f"overdue, {words}", of_controller.MeterOverdue(offer=number)
        pressed = of_controller.PressRead(device="jackpot", offer_id=number)
        yield f"looked at and pressed, {words}", pressed
        shows = of_controller.FigureRead(device="jackpot", offer_id=number, multiplier=drew)
        yield f"looked at and showing, {words}", shows
    yield "`SHOWN` what was not drawn", told("SHOWN", offer_id=offer, multiplier=drew + 1)
    yield "`SHOWN` unreadable", told("SHOWN", offer_id=offer, multiplier=0)
    yield "`STUCK`", told("STUCK", held_ms=6000)
    for opened, word in ((1, "open"), (0, "closed")):
        yield f"`COVER` {word}", told("COVER", open=opened)
    if wants(table).draw is not None:
        yield "draw, because it is wanted", live.drawn(table)


def _shuffler(table: Table) -> Iterator[Named]:
    told = partial(device_event, table, "shuffler")
    for state, word in enumerate((*vocabulary.SHUFFLER_STATES, "unknown")):
        body = {"state": state, "set": 1, "count": 384, "progress": 10}
        yield f"`SHUFFLER_STATE` {word}", told("SHUFFLER_STATE", **body)
    for result in range(6):
        word = "faulty" if result else "complete"
        yield f"`SHUFFLE_DONE` {word}", told("SHUFFLE_DONE", set=1, count=384, result=result)
    for difference in (1, -2):
        body = {"rank": 9, "suit": 2, "difference": difference}
        yield "`CARD_DISCREPANCY`", told("CARD_DISCREPANCY", **body)


def _keys(table: Table) -> Iterator[Named]:
    told = partial(device_event, table, "keypad", "KEY", supervisor=0)
    yield from ((f"`KEY` {key}", told(key=key)) for key in (*sorted(AT_ONCE), "*", "#"))
    yield "`KEY` E, supervisor's key turned", told(key="E", supervisor=1)
    yield from (("`KEY` that collects", told(key=key)) for key in sorted(COLLECTING))
    yield from (("`KEY` digit or point, nothing keyed", told(key=key)) for key in "0123456789.")
    yield from ((f"`KEY` {key}", told(key=key)) for key in sorted(PUT_RIGHT))
    yield from (("`KEY` unknown", told(key=key)) for key in "?\x00z\xff")


def _links(table: Table) -> Iterator[Named]:
    for name in live.DEVICES:
        down = f"link of the {name} down"
        yield down, of_controller.LinkWent(device=name, reason="it does not answer")
        yield "link up, as it was", link_up(table, name)
        yield "link up, started anew", link_up(table, name, new_session=True)
        exchanged = link_up(table, name, serial="other-9", new_session=True)
        yield "link up, another device", exchanged
        yield "link up, events missing in the journal", link_up(table, name, lost=2)
        for bits, word in ((1, "told"), (0, "gone")):
            yield f"`FAULT` {word}", device_event(table, name, "FAULT", faults=bits)
        for code in (1, 5, 99):
            refused = of_controller.CommandRefused(device=name, command="GATE", code=code)
            yield "a command refused by a device", refused
    yield "an event of a kind to come", device_event(table, "shoe", "SOMETHING_NEW", value=1)


def _daemon(played: Played) -> Iterator[Named]:
    table = played.table
    yield "gate locked, for what waits", live.locked(table)
    yield "gate locked, for another command", live.locked(table, entry=99)
    yield "start, same boot", live.start(played.settings)
    yield "start, new boot", live.start(played.settings, "boot-2")
    yield "start, other settings", live.start(replace(played.settings, boxes=5))
    yield "stop", of_controller.ControllerStopped()
    what, why = "supervisor: resume", "not in the group table-supervisors"
    tried = of_people.AttemptRefused(user="eve", uid=1001, pid=4711, what=what, why=why, count=1)
    yield "a refused attempt", tried
    yield "refused attempts, counted", replace(tried, count=250)
    listed = of_people.PeopleChanged(change="add", of="Tan A.", role="dealer", user="root", uid=0)
    yield "somebody was added to the people known by PIN", listed
    said = {"unlocked": 1, "cards": 0}
    command = of_people.DeviceCommanded(device="shoe", command="GATE", fields=said, user="tess")
    yield "a technician has a device do something", command
    tested = partial(of_people.DeviceTested, device="shoe", test="self-test", what="passed", at=AT)
    yield "a device was tested", tested(ok=True, by_hand=False)
    checks: tuple[JsonObject, ...] = ({"name": "state", "ok": True},)
    report = of_controller.ReadinessReported(ready=True, checks=checks, counted={}, at=AT)
    yield "the report before opening", report
    for fault in CONDITIONS:
        kind = fault_of(fault).severity.value
        for present, word in ((True, "has come about"), (False, "is over")):
            name = f"a condition of the controller ({kind}) {word}"
            detail = "9 MiB are left"
            yield name, of_controller.ConditionChanged(fault=fault, present=present, detail=detail)
