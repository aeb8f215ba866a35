"""A journal's export (``tablectl journal export``) back into entries.

It says what was entered at the table, when, what was drawn and what came of it: the half of an
evening that is on no line. It is taken as it stands; whether it is whole the verifier says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal.export import OWN
from controller.journal.model import Draft, Entry


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
