"""What a start of the controller brings: the settings, and what has changed since the last one.

A start record has the digests of the program, its libraries, the configuration, the rule file, its
readings and the weights, each separately. A digest that differs from the last start's is reported
and holds the table until a supervisor gives name and reason: a change of any of them is a
modification of the equipment (PWR-08, SEC-08, LAW-02). A table's first start has nothing to compare
with.

It has the configuration's values besides: of a changed file is told which key had which value, and
which it has now. Digests are told where both have the same values. What an earlier start has told
and nobody has accepted yet is told again behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from controller.faults.catalogue import fault_of
from controller.table import holds, sequence
from controller.table.betting import adopt
from controller.table.dealing import putting_right
from controller.table.events.of_controller import ControllerStarted
from controller.table.settings import Settings
from controller.table.state.device import Device
from controller.table.state.holds import Hold
from controller.table.state.table import Table

WHAT_CHANGED: Final[Mapping[str, Mapping[str, str]]] = {
    "program-changed": {"program": "program", "libraries": "libraries"},
    "configuration-changed": {
        "configuration": "configuration file",
        "rules": "rule file",
        "readings": "readings of the rules",
        "weights": "weights",
    },
}
"""The digests of a start record with the fault that a changed one raises, and its name in words."""

BY_VALUES: Final = frozenset({"configuration", "weights"})
"""What is told by its values where these are known."""

SHOWN: Final = 12
"""Number of a digest's digits that are shown."""

MOST_TOLD: Final = 8
"""Values that are told."""

EARLIER: Final = "earlier, not accepted yet: "
LONGEST_EARLIER: Final = 400
"""Characters of what was told earlier: a table may be started often before somebody accepts it."""


def start(table: Table, event: ControllerStarted) -> None:
    """The controller started: all links are down; a new boot in mid-round holds the table, and so
    does a changed program or configuration."""
    settings = Settings.load(event.settings)
    since_the_last(table, event.digests, event.configuration or {})
    if not table.started and event.first_offer is not None:
        table.jackpot.number_from(event.first_offer)
    table.devices = {device.key: device for device in _configured(table, settings)}
    holds.forget_others(table)
    for device in table.devices.values():
        device.up, device.reason = False, "the controller has just started"
    if settings != (table.setup.next_settings or table.setup.adopted):
        table.entering.forget_saved()
        if table.started and not sequence.may(table, "adopt"):
            table.setup.next_settings = settings
        else:
            adopt(table, settings)
    new_boot = bool(table.setup.boot_id) and event.boot_id != table.setup.boot_id
    table.setup.boot_id = event.boot_id
    table.entering.lose_shoe()
    if event.differences:
        said = "the journal does not give the same table when it is played again "
        said += f"({event.differences[0]}): have it verified before play goes on"
        table.hold_for(Hold("journal-differs", said))
    if new_boot and table.mid_round and not putting_right.power_cut(table):
        clause = table.rules.states.get("held.power-failure", "A-61")
        said = f"the box was started anew in the middle of round {table.round_number}: "
        said += f"the supervisor decides whether it goes on ({clause})"
        table.hold_for(Hold("power-failure", said))


def _configured(table: Table, settings: Settings) -> Iterator[Device]:
    """The devices of these settings, with what is known of those whose kind is the same."""
    kinds = dict(settings.kinds)
    for name in settings.devices:
        device, known = Device(name, given_kind=kinds.get(name, "")), table.named(name)
        yield known if known is not None and known.kind == device.kind else device


def since_the_last(
    table: Table, digests: Mapping[str, str] | None, values: Mapping[str, str]
) -> None:
    """Report how the last run ended (PWR-07), and hold the table for each digest that has changed
    since the last start, with the ``values`` of the configuration that have. ``digests`` is None
    at a table that no program plays by itself: then nothing is reported.
    """
    if digests is None:
        return
    if table.started and not table.setup.stopped:
        table.note("the controller was not stopped in good order before this start")
    # In the order in which the journal stores them: a replay knows no other.
    before, table.setup.digests, table.setup.stopped = (
        table.setup.digests,
        dict(sorted(digests.items())),
        False,
    )
    told = _values_changed(table.setup.values, values)
    table.setup.values = dict(sorted(values.items()))
    for fault, names in WHAT_CHANGED.items():
        changed = [name for name in names if before and digests.get(name) != before.get(name)]
        said = [
            f"{names[name]} {_short_digest(digests, name)}, before {_short_digest(before, name)}"
            for name in changed
            if not (told and name in BY_VALUES)
        ]
        if "configuration" in changed:
            said = [*told, *said]
        if changed:
            said += _not_accepted(table, fault)
            table.hold_for(Hold(fault, fault_of(fault).sentence("; ".join(said))))


def _not_accepted(table: Table, fault: str) -> list[str]:
    """What that fault's hold has told since earlier starts: the new one takes its place."""
    reasons = [held.reason for held in table.holds.standing if held.fault == fault]
    told = [f"{EARLIER}{reason.partition(': ')[2]}" for reason in reasons]
    return [
        one if len(one) <= LONGEST_EARLIER else f"{one[: LONGEST_EARLIER - 1]}…" for one in told
    ]


def _values_changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Each value that is not the one before, in words; none where one of the two is not known."""
    if not before or not now:
        return []
    keys = [key for key in sorted(before.keys() | now.keys()) if before.get(key) != now.get(key)]
    told = [
        f"{key} was {before.get(key, 'not there')}, is {now.get(key, 'not there any more')}"
        for key in keys[:MOST_TOLD]
    ]
    more = len(keys) - len(told)
    return [*told, *([f"{more} more values"] if more else [])]


def _short_digest(digests: Mapping[str, str], name: str) -> str:
    return digests.get(name, "")[:SHOWN] or "none"
