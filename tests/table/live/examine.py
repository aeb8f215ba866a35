"""What must be so of a table after every event, whatever it was."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from controller.faults.catalogue import CATALOGUE
from controller.round.state import Round
from controller.table.holds.conditions import uncured
from controller.table.jackpot.unit import is_accepted
from controller.table.settings import Settings
from controller.table.showing.prompt import NO_CHOICE, prompt
from controller.table.showing.status import status, wants
from controller.table.showing.wants import AMBER, GREEN, HOLD_LAMP, OFF, RED, ROW_LENGTH, Arm, Show
from controller.table.table import Table

_OPAQUE = (Settings,)


def snapshot(value: Any) -> Any:
    """Everything that a table remembers, as plain values; its last outcome is no part of it."""
    if isinstance(value, Table):
        return {name: snapshot(part) for name, part in vars(value).items() if name != "outcome"}
    if isinstance(value, Round):
        names = [field.name for field in dataclasses.fields(value) if field.name != "rules"]
        return {name: snapshot(getattr(value, name)) for name in names}
    if isinstance(value, _OPAQUE):
        return id(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return type(value).__name__, [snapshot(getattr(value, name)) for name in names]
    if isinstance(value, Mapping):
        return [(snapshot(key), snapshot(part)) for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [snapshot(part) for part in value]
    return sorted(value) if isinstance(value, (set, frozenset)) else value


def twin(table: Table) -> Table:
    """A copy to try something on."""
    settled = (table.adopted, table.next_settings, table.rules)
    return copy.deepcopy(table, {id(part): part for part in settled if part is not None})


def examine(table: Table) -> None:
    """Status, prompt, lamps, gate and meter agree."""
    told = status(table)
    assert json.loads(json.dumps(told)) == told
    _types(told)
    wanted = wants(table)
    awaiting, permitted, held = told["awaiting"], told["permitted"], told["held"]
    choices = [command for command in permitted if command.split()[0] not in NO_CHOICE]

    assert (wanted.signal[0] == GREEN) == (wanted.gate_cards > 0)
    assert (awaiting == "card") == (wanted.gate_cards > 0 and not choices)
    if awaiting == "dealer":
        assert choices
    assert wanted.gate_cards == 0 or (held is None and not table.leftover and not table.pending)
    assert len(set(permitted)) == len(permitted)
    opening = table.phase == "closed" and not choices
    by_dealer = len(table.holds) == 1 and table.holds[0].by_dealer and not table.pending
    assert (awaiting == "supervisor") == ((bool(table.holds) and not by_dealer) or opening)
    assert bool(wanted.lamps & HOLD_LAMP) == (held is not None)
    assert all(hold.fault in CATALOGUE for hold in table.holds)
    if table.holds:
        assert (bool(permitted), wanted.signal) == (by_dealer, (RED, 1))
        assert told["state"].startswith("held.")
        ending = [hold for hold in table.holds if not uncured(table, hold)]
        assert bool(held["remedies"]) == bool(ending or table.mid_round)
        assert sum(bool(hold.cards) for hold in table.holds) <= 1
        assert not any(hold.cards for hold in table.holds[1:])
    elif held is not None:
        assert (awaiting, wanted.signal) == ("device", (RED, 0))
    elif wanted.gate_cards == 0:
        waits = table.mid_round or table.pending is not None
        assert wanted.signal == ((AMBER if waits else OFF), 0)
    if table.pending is not None:
        assert awaiting in ("device", "supervisor")
        assert permitted == []
        assert wanted.lock_for == table.pending.number
    else:
        assert wanted.lock_for == (table.leftover.number if table.leftover else None)
        assert not table.keypad.waiting
    _meter(table, told)
    _keypad(table)


def _meter(table: Table, told: dict[str, Any]) -> None:
    wanted, offer = wants(table), table.offer
    drawing = told["state"].removeprefix("held.") == "jackpot.drawing"
    undrawn = drawing and offer is not None and offer.multiplier is None
    broken = "generator-failed" in [hold.fault for hold in table.holds]
    assert (wanted.draw is not None) == (undrawn and not broken)
    assert isinstance(wanted.meter, Arm) == (told["state"] == "jackpot.armed")
    drawn = offer is not None and offer.multiplier is not None
    assert isinstance(wanted.meter, Show) == (drawn and is_accepted(table))
    if told["meter"] is not None:
        assert offer is not None
        assert offer.shown
        assert told["meter"] == {
            "offer": offer.number,
            "box": offer.box,
            "multiplier": offer.multiplier,
        }


def _keypad(table: Table) -> None:
    wanted = wants(table)
    assert len(wanted.rows) == 2
    assert len(prompt(table).short) <= ROW_LENGTH  # what does not fit is cut without a word
    assert all(len(row) <= ROW_LENGTH and row.isascii() for row in wanted.rows)
    assert len(table.keypad.says) <= ROW_LENGTH, table.keypad.says
    assert "NOT NOW" not in table.keypad.says  # a refusal without a reason of its own


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "table": str,
    "rules": str,
    "state": str,
    "round": int,
    "prompt": str,
    "awaiting": str,
    "permitted": list,
    "turn": (dict, type(None)),
    "boxes": dict,
    "dealer": dict,
    "meter": (dict, type(None)),
    "devices": dict,
    "held": (dict, type(None)),
}


def _types(told: dict[str, Any]) -> None:
    for name, kind in _FIELDS.items():
        assert isinstance(told[name], kind), name
    assert told["prompt"].endswith((".", ")"))
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
