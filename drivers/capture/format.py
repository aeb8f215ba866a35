"""The lines of a capture file as JSON objects: header, records, end.

The rules:

- Times are nanoseconds of the monotonic clock of the machine that saw it (``at_ns``), in no case
  of the wall clock: that may jump. The head's ``began`` is a remark.
- ``dir`` is as the controller sees it, at either end of the line: ``in`` comes from the device.
- ``raw`` is a payload of the protocol, before framing: a serial line's frame follows from it.
  ``bytes`` are those between two delimiters of a serial line that are no frame.
- What a reader does not know it refuses, so that nothing is left out unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from drivers.api import DeviceConfig, Identity, PortChange, Seen, Stray

VERSION: Final = 2
"""1 had times in milliseconds since the beginning, one device, and nothing of where it was."""

SERIAL, USB = "serial", "usb"

CONTROLLER, DEVICE = "controller", "device"
"""At which end of the line it was seen."""


def head(
    *,
    end: str,
    boot_id: str,
    began: str,
    began_ns: int,
    table: Mapping[str, Any] | None,
    program: Mapping[str, Any],
    devices: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The first line. ``capture``: version 2 of the format. ``end``: who saw it, ``controller`` or
    ``device`` (the other end of the line). ``boot_id``: the boot whose monotonic clock the times
    are of, as the journal names it. ``began`` and ``began_ns``: when, by the wall clock, as a
    remark, and by the monotonic clock. ``table``: ``id`` and ``rules`` (None: a device took it).
    ``program``: ``name``, and of a controller ``version``, ``engine`` and digests. ``devices`` by
    name."""
    return {
        "capture": VERSION,
        "end": end,
        "boot_id": boot_id,
        "began": began,
        "began_ns": began_ns,
        "table": None if table is None else dict(table),
        "program": dict(program),
        "devices": {name: dict(told) for name, told in devices.items()},
    }


def carrier_of(config: DeviceConfig) -> str:
    """What carries a configured device's payloads."""
    return USB if config.port is None else SERIAL


def device(
    carrier: str, identity: Identity | None = None, session: int | None = None
) -> dict[str, Any]:
    """One of the head's ``devices``: ``carrier`` (``serial`` or ``usb``); of one whose link was up
    when it began also ``kind``, ``serial``, ``firmware``, ``digest``, ``capabilities`` and
    ``session``."""
    if identity is None:
        return {"carrier": carrier}
    told = {name: _plain(value) for name, value in asdict(identity).items()}
    return {"carrier": carrier, **told, "session": session}


def line(name: str, at_ns: int, seen: Seen) -> dict[str, Any]:
    """What was seen of a ``device`` at a time (``at_ns``): when it was read, or handed to the port.
    A message: ``dir``, ``in`` from the device or ``out`` to it, whoever captured; ``raw``, its
    payload in hexadecimal, without framing; and ``raw`` in words: ``message`` (``… answer``, or
    ``dropped: REASON``), ``id``, ``fields``. Or stray ``bytes`` between two delimiters, which are
    no frame. Or ``port``: ``opened``, or ``closed`` with a ``reason``."""
    told: dict[str, Any] = {"at_ns": at_ns, "device": name}
    if isinstance(seen, PortChange):
        told["port"] = "opened" if seen.open else "closed"
        return told if seen.open else {**told, "reason": seen.reason}
    if isinstance(seen, Stray):
        return {**told, "dir": "in", "bytes": seen.raw.hex()}
    return {
        **told,
        "dir": "out" if seen.outward else "in",
        "raw": seen.raw.hex(),
        "message": seen.name,
        "id": seen.id,
        "fields": {key: _plain(value) for key, value in seen.fields.items()},
    }


def dropped(count: int) -> dict[str, Any]:
    """The number of lines missing here: they came faster than they were fetched."""
    return {"dropped": count}


def end_line(messages: int, missing: int) -> dict[str, Any]:
    """The last line: ``end`` has ``messages``, the lines between head and end, and ``dropped``, the
    sum of those missing."""
    return {"end": {"messages": messages, "dropped": missing}}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
