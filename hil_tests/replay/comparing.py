"""Entries of then and now, one by one.

Those about the controller itself are left out, and of a link all but whether it is up: how it came
up depends on when the controller was started. From the first entry of another type on everything is
another, and nothing more is told. When the controller has just started, the devices answer it side
by side: until somebody else is heard, only the order of each device's own entries is compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from controller.journal.canonical import canonical, decode
from controller.journal.model import Entry
from controller.replay.replay import SNAPSHOT

NOT_COMPARED: Final = frozenset({"start", "stop", SNAPSHOT, "condition", "refused-attempt"}) | {
    "device-command",
    "device-tested",
    "readiness",
    "person",
}
OF_A_LINK: Final = frozenset({"up", "new_session"})


def compare(
    then: Sequence[Entry], now: Sequence[Entry], *, from_start: bool = False
) -> tuple[int, list[str]]:
    """How many were compared, and what is otherwise, in plain words. There may be more now: the
    capture has ended before they came."""
    was = [entry for entry in then if entry.type not in NOT_COMPARED]
    found = [entry for entry in now if entry.type not in NOT_COMPARED]
    if from_start:
        was, found = _side_by_side(was), _side_by_side(found)
    told: list[str] = []
    for count, (entry, other) in enumerate(zip(was, found, strict=False)):
        one, another = _compared_part(entry), _compared_part(other)
        for name in {**one, **another}:
            if one.get(name) != another.get(name):
                told.append(
                    f"entry {entry.seq} ({entry.type}): {name} is {another.get(name)!r}, "
                    f"was {one.get(name)!r}"
                )
        if entry.type != other.type:
            return count, told
    if len(found) < len(was):
        missing = was[len(found)]
        told.append(f"entry {missing.seq} ({missing.type}) does not come")
    return min(len(was), len(found)), told


def _side_by_side(entries: Sequence[Entry]) -> list[Entry]:
    first = list(takewhile(lambda entry: entry.device, entries))
    return sorted(first, key=lambda entry: str(entry.device)) + list(entries[len(first) :])


def _compared_part(entry: Entry) -> dict[str, Any]:
    """What of an entry has to come again, as the journal spells it."""
    body: Mapping[str, Any] = decode(canonical(entry.body))
    if entry.type == "link":
        body = {name: value for name, value in body.items() if name in OF_A_LINK}
    of = {"type": entry.type, "device": entry.device, "session": entry.session}
    return {**of, "event_no": entry.event_no, "offer": entry.offer, **body}
