"""What a floor is shown of a table as it is now: what whoever walks up to it would see from afar.

Of cards, wagers and people there is nothing: a round is looked at when it is over, on its page.
"""

from __future__ import annotations

from typing import TypedDict

from controller.forms.json_values import JsonObject
from controller.table.showing.status import held_by
from controller.table.state.table import Table


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


def shown(table: Table) -> ShownTable | None:
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
