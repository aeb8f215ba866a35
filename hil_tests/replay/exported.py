"""A journal's export (``tablectl journal export``) back into entries, and those of then and of now
compared, one by one.

An export says what was entered at the table, when, what was drawn and what came of it: the half
of an evening that is on no line. It is taken as it stands; whether it is whole the verifier says.

Of what is compared, entries about the controller itself are left out, and of a link all but
whether it is up: how it came up depends on when the controller was started. From the first entry
of another type on everything is another, and nothing more is told. When the controller has just
started, the devices answer it side by side: until somebody else is heard, only the order of each
device's own entries is compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from controller.journal.canonical import canonical, decode
from controller.journal.export import OWN
from controller.journal.model import Draft, Entry
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


class BadExport(Exception):
    """A file that is no export of a journal; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Exported:
    """An entry, and the boot that its clock is of by the kernel's name."""

    entry: Entry
    boot_id: str


def read_export(path: Path) -> list[Exported]:
    """The entries of an export, in order.

    Raises:
        BadExport: it is none.
    """
    numberings: dict[tuple[str, int], int] = {}
    found = []
    for number, raw in enumerate(path.read_text("ascii").splitlines(), 1):
        try:
            line = json.loads(raw)
            found.append(Exported(_entry(line, numberings), str(line["boot_id"])))
        except (ValueError, TypeError, KeyError) as error:
            raise BadExport(f"{path}, line {number}: is no entry of a journal: {error}") from error
    if not found or found[0].entry.seq != 1:
        raise BadExport(f"{path}: an export from the journal's first entry is needed")
    return found


def _entry(line: Mapping[str, Any], numberings: dict[tuple[str, int], int]) -> Entry:
    device, session = line.get("device"), line.get("session")
    numbering = line.get("renumbered")
    renumbered = False
    if device is not None and session is not None and numbering:
        renumbered = line.get("event_no") is None and numbering > numberings.get(
            (device, session), 0
        )
        numberings[device, session] = numbering
    body = line.get("body")
    if body is None:
        body = {name: value for name, value in line.items() if name not in OWN}
    draft = Draft(
        line["type"],
        body,
        device=device,
        session=session,
        event_no=line.get("event_no"),
        t_ms=line.get("t_ms"),
        offer=line.get("offer"),
        renumbered=renumbered,
    )
    digest = bytes.fromhex(line["digest"])
    return Entry(line["seq"], line["boot"], line["mono_ns"], line["wall"], draft, numbering, digest)
