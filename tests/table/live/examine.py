"""What must be so of a table after every event, whatever it was."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, get_args

from controller.faults.catalogue import CATALOGUE
from controller.forms.json_values import checked
from controller.game.commands.command import first_word
from controller.game.commands.verbs import Fact, those
from controller.game.round.result_fields import SettlementResult
from controller.game.round.results import net_of
from controller.game.round.state import Round
from controller.game.rules.cards import Card
from controller.table.dealing.card_places import hands, lay_of
from controller.table.holds import uncured
from controller.table.jackpot import is_accepted
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.showing.prompt import prompt
from controller.table.showing.prompt_text import AMBER, GREEN, HOLD_LAMP, OFF, RED, Code
from controller.table.showing.status import status, told_account
from controller.table.showing.status_fields import Status
from controller.table.showing.wanted import Arm, MeterShow, Wants, wants
from controller.table.state.entering import ROW_LENGTH
from controller.table.state.table import Table


def snapshot(value: Any, settings: Callable[[Settings], object] = id) -> Any:
    """Everything that a table remembers, as plain values; its last outcome is no part of it.
    ``settings`` says what stands for settings: which object they are, unless another thing."""
    if type(value) in _ATOMS:  # most values are: asked first, to be quick
        return value
    form, names = _FORMS[type(value)]
    if form == "itself":
        return value
    if form == "settings":
        return settings(value)
    if form == "mapping":
        return [(snapshot(key, settings), snapshot(part, settings)) for key, part in value.items()]
    if form == "sequence":
        return [part if type(part) in _ATOMS else snapshot(part, settings) for part in value]
    if form == "set":
        return sorted(value)
    parts = [getattr(value, name) for name in names]
    return form, [part if type(part) in _ATOMS else snapshot(part, settings) for part in parts]


_ATOMS = frozenset({int, str, bool, type(None), Card})


class _Forms(dict[type, tuple[str, tuple[str, ...]]]):
    """How values of a type are made plain; a dataclass by its name and the fields that count."""

    def __missing__(self, kind: type) -> tuple[str, tuple[str, ...]]:
        self[kind] = made = self._fields(kind) if dataclasses.is_dataclass(kind) else _form(kind)
        return made

    def _fields(self, kind: type) -> tuple[str, tuple[str, ...]]:
        left_out = {Table: "outcome", Round: "rules"}.get(kind)
        names = (field.name for field in dataclasses.fields(kind) if field.name != left_out)
        return kind.__name__, tuple(names)


def _form(kind: type) -> tuple[str, tuple[str, ...]]:
    if issubclass(kind, Mapping):
        return "mapping", ()
    if issubclass(kind, Card):  # numbered or not: of a round that was stored, no card is
        return "itself", ()
    if issubclass(kind, (list, tuple)):
        return "sequence", ()
    return "set" if issubclass(kind, (set, frozenset)) else "itself", ()


_FORMS = _Forms({Settings: ("settings", ())})


def examine(table: Table) -> None:
    """Status, prompt, lamps, gate and meter agree."""
    told = status(table)
    assert json.loads(json.dumps(told)) == told
    _types(told)
    wanted = wants(table)
    awaiting, permitted, held = told["awaiting"], told["permitted"], told["held"]
    choices = [command for command in permitted if first_word(command) not in those(Fact.POSSIBLE)]

    assert (wanted.signal[0] == GREEN) == (wanted.gate_cards > 0)
    assert (awaiting == "card") == (wanted.gate_cards > 0 and not choices)
    if awaiting == "dealer":
        assert choices
    assert wanted.gate_cards == 0 or (
        held is None and not table.entering.leftover and not table.entering.pending
    )
    assert len(set(permitted)) == len(permitted)
    opening = (table.phase == "closed" or table.in_service) and not choices
    by_dealer = (
        len(table.holds.standing) == 1
        and table.holds.standing[0].by_dealer
        and not table.entering.pending
    )
    correcting = (
        table.hold is None and bool(table.rnd and table.rnd.irregular.edits) and not choices
    )
    correcting = correcting and table.entering.pending is None and held is None
    waits_for_supervisor = (bool(table.hold) and not by_dealer) or opening or correcting
    assert (awaiting == "supervisor") == waits_for_supervisor
    assert bool(wanted.lamps & HOLD_LAMP) == (held is not None)
    assert all(hold.fault in CATALOGUE for hold in table.holds.standing)
    if table.hold:
        assert (bool(choices), wanted.signal) == (by_dealer, (RED, 1))
        assert told["state"].startswith("held.")
        ending = [hold for hold in table.holds.standing if not uncured(table, hold)]
        assert held is not None
        assert bool(held["remedies"]) == bool(ending or table.mid_round or table.in_service)
        assert sum(bool(hold.cards) for hold in table.holds.standing) <= 1
        assert not any(hold.cards for hold in table.holds.standing[1:])
    elif held is not None:
        assert (awaiting, wanted.signal) == ("device", (RED, 0))
    elif wanted.gate_cards == 0:
        waits = table.mid_round or table.entering.pending is not None
        assert wanted.signal == ((AMBER if waits else OFF), 0)
    if table.entering.pending is not None:
        assert awaiting in ("device", "supervisor")
        assert permitted == []
        assert wanted.lock_for == table.entering.pending.number
    else:
        leftover = table.entering.leftover
        assert wanted.lock_for == (leftover.number if leftover else None)
        assert not table.entering.keypad.waiting
    _meter(table, told, wanted)
    _keypad(table, wanted)


def _meter(table: Table, told: Status, wanted: Wants) -> None:
    offer = table.jackpot.offer
    drawing = told["state"].removeprefix("held.") == "jackpot.drawing"
    undrawn = drawing and offer is not None and offer.multiplier is None
    broken = "generator-failed" in [hold.fault for hold in table.holds.standing]
    assert (wanted.draw is not None) == (undrawn and not broken)
    correcting = bool(table.rnd and table.rnd.irregular.edits)  # the button waits for it
    assert isinstance(wanted.meter, Arm) == (told["state"] == "jackpot.armed" and not correcting)
    drawn = offer is not None and offer.multiplier is not None
    assert isinstance(wanted.meter, MeterShow) == (drawn and is_accepted(table))
    if told["meter"] is not None:
        assert offer is not None
        assert offer.shown
        assert told["meter"] == {
            "offer": offer.number,
            "box": offer.box,
            "multiplier": offer.multiplier,
        }


def _keypad(table: Table, wanted: Wants) -> None:
    assert len(wanted.rows) == 2
    assert len(prompt(table).said.short) <= ROW_LENGTH  # what does not fit is cut without a word
    assert all(len(row) <= ROW_LENGTH and row.isascii() for row in wanted.rows)
    assert len(table.entering.keypad.says) <= ROW_LENGTH, table.entering.keypad.says
    assert "NOT NOW" not in table.entering.keypad.says  # a refusal without a reason of its own


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "table": str,
    "rules": str,
    "state": str,
    "round": int,
    "prompt": str,
    "asks": dict,
    "awaiting": str,
    "permitted": list,
    "turn": (dict, type(None)),
    "boxes": dict,
    "dealer": dict,
    "meter": (dict, type(None)),
    "devices": dict,
    "held": (dict, type(None)),
}


def _types(told: Status) -> None:
    checked(Status, told)
    for name, kind in _FIELDS.items():
        assert isinstance(told.get(name), kind), name
    assert told["prompt"].endswith((".", ")"))
    assert told["asks"]["code"] in get_args(Code)
    assert all(isinstance(command, str) for command in told["permitted"])
    assert told["turn"] is None or set(told["turn"]) == {"box", "hand"}
    assert isinstance(told["dealer"]["cards"], str)
    assert isinstance(told["dealer"]["total"], int)
    for number, box in told["boxes"].items():
        assert number.isdecimal()
        for hand in box["hands"]:
            assert (type(hand["cards"]), type(hand["total"])) == (str, int)
        for wagers in box["wagers"].values():
            assert all(amount is None or isinstance(amount, str) for amount in wagers.values())
    for device in told["devices"].values():
        assert device["link"] in ("up", "down")
        assert isinstance(device["last_event"], int)
    if told["held"] is not None:
        assert told["held"]["reason"]
        assert told["held"]["fault"]
        assert isinstance(told["held"]["remedies"], list)


# What the table says that it owes, held against what it has told since bets were opened ----------


def check_account(table: Table, told: Iterable[SettlementResult]) -> None:
    """At every moment ``net`` is the sum of what was told, and ``now`` of what is owed; at the end
    it is the result's."""
    if table.rnd is None:
        return
    owed = [one.as_result() for one in table.dealing.owed]
    accounts = told_account(table)
    for one in accounts:
        who = one["box"], one["bettor"]
        assert one["net"] == _sum(told, who), (one, list(told))
        assert one["now"] == _sum(owed, who), (one, owed)
    nets = {f"{one['box']}{one['bettor']}": one["net"] for one in accounts}
    assert net_of(table.rnd).items() <= nets.items()
    unasked = table.rnd.irregular.irregularity  # what becomes of its wager is still to be said
    if table.rnd.is_over and not table.rnd.irregular.edits and not unasked:
        assert all(one["at_stake"] in ("0.00", None) for one in accounts), accounts


def _sum(told: Iterable[SettlementResult], who: tuple[int, str]) -> str | None:
    nets = [one["net"] for one in told if (one["box"], one["bettor"]) == who]
    known = [Decimal(net) for net in nets if net is not None]
    return f"{sum(known, Decimal(0)):.2f}" if len(known) == len(nets) else None


# The hands of a round as a reader of the journal finds them --------------------------------------


Lie = dict[str, str]
"""Cards by place, as text."""


def follow(lie: Lie, kind: str, body: dict[str, Any], outcome: Outcome) -> Lie:
    """The hands behind an entry."""
    after = outcome.as_body()
    found = {} if "round" in after else dict(lie)
    if kind == "CARD":
        to = str(after["to"])
        if to != "out":
            card = str(Card(body["rank"], body["suit"]))
            found[to] = f"{found.get(to, '')} {card}".strip()
    else:
        assert ("to" in after) == (kind == "supervisor" and body["command"].startswith("card "))
    told = after.get("hands", {})
    assert isinstance(told, dict)
    return {place: cards for place, cards in {**found, **told}.items() if cards}


def check(lie: Lie, table: Table) -> None:
    """What was told is what lies there."""
    if table.rnd is not None:
        lies = hands(lay_of(table))
        there = {place: " ".join(map(str, cards)) for place, cards in lies.items() if cards}
        assert lie == there
