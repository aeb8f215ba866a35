"""Every event that a table can receive, made for the table that is to receive it.

Each has the name of the row under which :mod:`~.events` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.faults.catalogue import fault_of
from controller.forms.json_values import JsonObject
from controller.game.commands.command import first_word
from controller.game.commands.slots import BOX
from controller.game.commands.verbs import VERBS, Family
from controller.game.round.wagers import MAIN
from controller.game.rules.schema import RuleSet
from controller.table.entering.keys import AT_ONCE, COLLECTING, PUT_RIGHT
from controller.table.events import of_controller
from controller.table.events.event import Event
from controller.table.events.of_people import (
    AttemptRefused,
    DeviceCommanded,
    DeviceTested,
    PeopleChanged,
    SupervisorCommanded,
)
from controller.table.showing.wanted import wants
from controller.table.state.table import Table
from drivers.vocabulary import (
    DAMAGED,
    FACE_UP,
    FOREIGN,
    LOCKED,
    SHOE_STATES,
    SHUFFLER_STATES,
    TOGETHER,
)
from pages.table.played_tables import (
    DEVICES,
    Played,
    card,
    dealer,
    device_event,
    drawn,
    link_up,
    locked,
    order,
    start,
)

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
    ("face up", FACE_UP),
    ("together with another", TOGETHER),
    ("of another design", FOREIGN),
    ("through the locked gate", LOCKED),
    ("damaged", DAMAGED),
)
CONDITIONS: Final = ("generator-failed", "disk-full-soon", "disk-low", "clock-stepped")
"""A fault of each severity that the controller may report."""
AT: Final = "2026-11-24T04:00:00+00:00"
ORDERS: Final = (
    "resume",
    "void",
    "use",
    "discard",
    "card 9D",
    "card TC",
    "pay 25",
    "pay 50",
    "seen 25",
    "service on",
    "service off",
)


def happenings(played: Played) -> Iterator[Named]:
    """All of them."""
    table = played.table
    yield from ((f"dealer: `{first_word(text)}`", dealer(text)) for text in _entries(table.rules))
    yield "dealer: unreadable", dealer("sing")
    yield from ((f"supervisor: `{first_word(text)}`", order(text)) for text in ORDERS)
    yield (
        "supervisor: without a reason",
        SupervisorCommanded(command="void", by=None, why=None, user="sue"),
    )
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
    yield "`CUTTING_CARD`", device_event(table, "shoe", "CUTTING_CARD", {"remaining": 60})
    for state, word in enumerate((*SHOE_STATES, "unknown")):
        body = {"state": state, "remaining": 100 if state else 0}
        yield f"`SHOE_STATE` {word}", device_event(table, "shoe", "SHOE_STATE", body)
    full = {"state": 1, "remaining": table.settings.shoe_size}
    yield "`SHOE_STATE` a new shoe", device_event(table, "shoe", "SHOE_STATE", full)


def _jackpot(table: Table) -> Iterator[Named]:
    offer = table.jackpot.offer.number if table.jackpot.offer else 0
    drew = (table.jackpot.offer.multiplier if table.jackpot.offer else 0) or 25
    offers = [("for another offer", offer + 7)]
    if table.jackpot.offer:
        offers.append(("for the offer that stands", offer))
    for words, number in offers:
        yield f"`PRESS` {words}", _unit(table, "PRESS", offer_id=number)
        yield f"`SHOWN` {words}", _unit(table, "SHOWN", offer_id=number, multiplier=drew)
        yield f"overdue, {words}", of_controller.MeterOverdue(offer=number)
        pressed = of_controller.PressRead(device="jackpot", offer_id=number)
        yield f"looked at and pressed, {words}", pressed
        shows = of_controller.FigureRead(device="jackpot", offer_id=number, multiplier=drew)
        yield f"looked at and showing, {words}", shows
    yield "`SHOWN` what was not drawn", _unit(table, "SHOWN", offer_id=offer, multiplier=drew + 1)
    yield "`SHOWN` unreadable", _unit(table, "SHOWN", offer_id=offer, multiplier=0)
    yield "`STUCK`", _unit(table, "STUCK", held_ms=6000)
    for opened, word in ((1, "open"), (0, "closed")):
        yield f"`COVER` {word}", _unit(table, "COVER", open=opened)
    if wants(table).draw is not None:
        yield "draw, because it is wanted", drawn(table)


def _unit(table: Table, kind: str, **body: int) -> Event:
    return device_event(table, "jackpot", kind, body)


def _shuffler(table: Table) -> Iterator[Named]:
    for state, word in enumerate((*SHUFFLER_STATES, "unknown")):
        body = {"state": state, "set": 1, "count": 384, "progress": 10}
        yield f"`SHUFFLER_STATE` {word}", device_event(table, "shuffler", "SHUFFLER_STATE", body)
    for result in range(6):
        body = {"set": 1, "count": 384, "result": result}
        word = "faulty" if result else "complete"
        yield f"`SHUFFLE_DONE` {word}", device_event(table, "shuffler", "SHUFFLE_DONE", body)
    for difference in (1, -2):
        body = {"rank": 9, "suit": 2, "difference": difference}
        yield "`CARD_DISCREPANCY`", device_event(table, "shuffler", "CARD_DISCREPANCY", body)


def _keys(table: Table) -> Iterator[Named]:
    for key in sorted(AT_ONCE):
        yield f"`KEY` {key}", _key(table, key)
    for key in ("*", "#"):
        yield f"`KEY` {key}", _key(table, key)
    yield "`KEY` E, supervisor's key turned", _key(table, "E", supervisor=1)
    yield from (("`KEY` that collects", _key(table, key)) for key in sorted(COLLECTING))
    yield from (("`KEY` digit or point, nothing keyed", _key(table, key)) for key in "0123456789.")
    yield from ((f"`KEY` {key}", _key(table, key)) for key in sorted(PUT_RIGHT))
    yield from (("`KEY` unknown", _key(table, key)) for key in "?\x00z\xff")


def _key(table: Table, key: str, supervisor: int = 0) -> Event:
    return device_event(table, "keypad", "KEY", {"key": key, "supervisor": supervisor})


def _links(table: Table) -> Iterator[Named]:
    for name in DEVICES:
        gone = of_controller.LinkWent(device=name, reason="it does not answer")
        yield f"link of the {name} down", gone
        yield "link up, as it was", link_up(table, name)
        yield "link up, started anew", link_up(table, name, new_session=True)
        other = link_up(table, name, serial="other-9", new_session=True)
        yield "link up, another device", other
        yield "link up, events missing in the journal", link_up(table, name, lost=2)
        for bits, word in ((1, "told"), (0, "gone")):
            yield f"`FAULT` {word}", device_event(table, name, "FAULT", {"faults": bits})
        for code in (1, 5, 99):
            yield "a command refused by a device", _nak(name, code)
    yield "an event of a kind to come", device_event(table, "shoe", "SOMETHING_NEW", {"value": 1})


def _nak(name: str, code: int) -> Event:
    return of_controller.CommandRefused(device=name, command="GATE", code=code)


def _daemon(played: Played) -> Iterator[Named]:
    table = played.table
    yield "gate locked, for what waits", locked(table)
    yield "gate locked, for another command", locked(table, entry=99)
    yield "start, same boot", start(played.settings)
    yield "start, new boot", start(played.settings, "boot-2")
    fewer = replace(played.settings, boxes=5)
    yield "start, other settings", start(fewer)
    yield "stop", of_controller.ControllerStopped()
    tried = AttemptRefused(
        user="eve",
        uid=1001,
        pid=4711,
        what="supervisor: resume",
        why="not in the group table-supervisors",
        count=1,
    )
    yield "a refused attempt", tried
    yield "refused attempts, counted", replace(tried, count=250)
    listed = PeopleChanged(change="add", of="Tan A.", role="dealer", user="root", uid=0)
    yield "somebody was added to the people known by PIN", listed
    command = DeviceCommanded(
        device="shoe", command="GATE", fields={"unlocked": 1, "cards": 0}, user="tess"
    )
    yield "a technician has a device do something", command
    tested = DeviceTested(
        device="shoe", test="self-test", ok=True, what="passed", by_hand=False, at=AT
    )
    yield "a device was tested", tested
    checks: tuple[JsonObject, ...] = ({"name": "state", "ok": True},)
    report = of_controller.ReadinessReported(ready=True, checks=checks, counted={}, at=AT)
    yield "the report before opening", report
    for fault in CONDITIONS:
        kind = fault_of(fault).severity.value
        for present, word in ((True, "has come about"), (False, "is over")):
            told = of_controller.ConditionChanged(
                fault=fault, present=present, detail="9 MiB are left"
            )
            yield f"a condition of the controller ({kind}) {word}", told
