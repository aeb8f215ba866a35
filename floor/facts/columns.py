"""The rows of facts: each a mapping from the columns of its table (schema ``floor_facts``).

The column ``shown`` has what whoever walks up to a table would see from afar. Of cards, wagers and
people there is nothing in it: a round is looked at when it is over, on its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypedDict

from controller.forms.json_values import JsonObject
from controller.table.showing.status import held_by
from controller.table.state.table import Table
from floor.facts.kinds import (
    ActFact,
    Batch,
    HeldFact,
    HoldFact,
    JournalPlace,
    LinkFact,
    OddFact,
    RoundFact,
    ShiftFact,
    StartFact,
    StretchFact,
)


class ShownHold(TypedDict):
    """Why play is held, by the fault's code and in words, and what to do."""

    fault: str
    reason: str
    next_step: str


class ShownLink(TypedDict):
    """A device: its kind, whether its link is up, and what is wrong, in words ("": nothing)."""

    kind: str
    up: bool
    wrong: str


class ShownTable(TypedDict):
    """A table, its rules, the state of its round, and what is wrong there."""

    rules: str
    state: str
    held: ShownHold | None
    conditions: dict[str, str]
    links: dict[str, ShownLink]


def shown_table(table: Table) -> ShownTable | None:
    """What is shown of it; None where no controller has started yet."""
    if not table.started:
        return None
    held = held_by(table)
    return {
        "rules": table.rules.id,
        "state": table.state,
        "held": None
        if held is None
        else {
            "fault": held["fault"],
            "reason": held["reason"],
            "next_step": held["next_step"],
        },
        "conditions": dict(table.holds.conditions),
        "links": {device.name: _link(device.as_status()) for device in table.devices.values()},
    }


def _link(device: JsonObject) -> ShownLink:
    faults = device["faults"]
    words = [device["reason"], device["stopped"], *(faults if isinstance(faults, list) else [])]
    return {
        "kind": str(device["kind"]),
        "up": device["link"] == "up",
        "wrong": "; ".join(str(word) for word in words if word),
    }


Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AsLeft:
    """The table as the last entry ``at`` has left it; ``halted``: why nothing more is derived."""

    at: JournalPlace
    table: Table
    halted: str = ""


def place_of(log: int, at: JournalPlace) -> Row:
    """The columns that say where something stands."""
    return {"log": log, "seq": at.seq, "wall": at.wall, "day": at.day, "shift": at.shift}


def _fields(fact: Any, *left_out: str) -> Row:
    """The fields of a fact, each a column of its name."""
    names = (one.name for one in fields(fact) if one.name not in left_out)
    return {name: getattr(fact, name) for name in names}


def round_row(log: int, one: RoundFact, terms: int) -> Row:
    """That of a round under the terms of that number."""
    return {"log": log, **_fields(one, "terms", "settlements"), "terms": terms}


def settlement_rows(log: int, rounds: Iterable[RoundFact]) -> Iterator[Row]:
    """Those of the settlements of these rounds."""
    for one in rounds:
        for settlement in one.settlements:
            yield {"log": log, "day": one.day, "round": one.number, **_fields(settlement)}


_TABLE_OF: Final = {
    ShiftFact: "shift",
    ActFact: "act",
    LinkFact: "link",
    StartFact: "start",
    OddFact: "odd",
}
"""Facts that stand by their entries."""


def added_rows(log: int, upto: int, batch: Batch) -> dict[str, list[Row]]:
    """The rows of those, of entries that are not written yet."""
    rows: dict[str, list[Row]] = {table: [] for table in _TABLE_OF.values()}
    for fact in batch.facts:
        if isinstance(fact, ShiftFact | ActFact | LinkFact | StartFact | OddFact) and (
            fact.at.seq > upto
        ):
            row = {**place_of(log, fact.at), **_fields(fact, "at")}
            rows[_TABLE_OF[type(fact)]].append(row)
    return rows


def counted_rows(log: int, batch: Batch) -> dict[str, list[Row]]:
    """The rows that take the place of themselves; of several the last one counts."""
    stretches = {(one.segment, one.day, one.shift): one for one in batch.facts_of(StretchFact)}
    held = {(one.segment, one.day, one.shift, one.fault): one for one in batch.facts_of(HeldFact)}
    holds = {(one.began.seq, one.n): one for one in batch.facts_of(HoldFact)}
    return {
        "stretch": [{"log": log, **_fields(one)} for one in stretches.values()],
        "held": [{"log": log, **_fields(one)} for one in held.values()],
        "hold": [{**place_of(log, one.began), **_fields(one, "began")} for one in holds.values()],
    }


def progress_row(log: int, batch: Batch, left: AsLeft) -> Row:
    """How far the log is, and its table as it is then."""
    table = left.table
    return {
        **place_of(log, left.at),
        "segment": batch.segment,
        "carried": batch.carried,
        "halted": left.halted,
        "round": table.round_number,
        "state": table.state if table.started else "",
        "reason": table.reason,
        "shown": shown_table(table),
    }
