"""The journal as JSON lines, one entry a line, in order.

The rules:

- Every line has ``seq``, ``boot``, ``mono_ns``, ``wall``, ``type`` and ``digest`` (hexadecimal).
- What a device reported has ``device``, ``session``, ``event_no``, ``t_ms`` and its body's fields
  by their names in Table Link; a draw has ``offer`` and its body's fields, among them ``box`` and
  ``multiplier``. ``renumbered`` counts the renumberings of an event's session where there were
  any.
- Every other entry has its body under ``body``, and ``device`` and ``session`` if it is about
  one: a dealer's entry may have a field named ``type``, and a line has only one.
- Should a vendor's device use one of the line's own names for a field, the line's meaning stays
  and the whole body stands under ``body`` as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from controller.journal.model import Entry

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def record(entry: Entry) -> dict[str, Any]:
    """Return the fields of an entry's line."""
    line: dict[str, Any] = {
        "seq": entry.seq,
        "boot": entry.boot,
        "mono_ns": entry.mono_ns,
        "wall": entry.wall,
        "type": entry.type,
    }
    named = {
        "device": entry.device,
        "session": entry.session,
        "event_no": entry.event_no,
        "t_ms": entry.t_ms,
        "offer": entry.offer,
        "renumbered": entry.numbering or None,
    }
    line |= {name: value for name, value in named.items() if value is not None}
    line["digest"] = entry.digest.hex()
    if entry.event_no is None and entry.offer is None:
        return line | {"body": dict(entry.body)}
    if line.keys() & entry.body.keys():
        line["body"] = dict(entry.body)
    return line | {name: value for name, value in entry.body.items() if name not in line}


def lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the entries' lines, each ASCII and without its newline."""
    return (_encode(record(entry)) for entry in entries)
