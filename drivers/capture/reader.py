"""A capture file read back, whole, or refused with the line that cannot be understood.

The rules:

- An unknown version, an unknown kind of line, an unknown or missing key is refused: a reader that
  continued would silently skip it.
- A last line that is cut off (the disk was full, the power failed) is left out and named in
  ``Capture.trouble``; so is an end that is missing.
- What a message says is read from its ``raw``, never from what stands beside it for people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drivers.api import PortChange, Seen, Stray
from drivers.capture.format import CONTROLLER, DEVICE, SERIAL, USB, VERSION
from drivers.table_link.messages import read_traffic

_HEAD: Final = {
    "capture",
    "end",
    "boot_id",
    "began",
    "began_ns",
    "table",
    "program",
    "devices",
}
_KINDS: Final = {
    frozenset({"at_ns", "device", "dir", "raw", "message", "id", "fields"}): "message",
    frozenset({"at_ns", "device", "dir", "bytes"}): "stray",
    frozenset({"at_ns", "device", "port"}): "port",
    frozenset({"at_ns", "device", "port", "reason"}): "port",
    frozenset({"dropped"}): "dropped",
    frozenset({"end"}): "end",
}


class BadCapture(Exception):
    """A file that is no capture, or one of another version; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen of a device at a time, in nanoseconds of the head's clock."""

    at_ns: int
    device: str
    seen: Seen


@dataclass(slots=True)
class Capture:
    """A capture: its ``head`` as it stands in the file, and its ``sights`` in order. ``missing``
    counts what was dropped; ``trouble`` says in plain words what is wrong with the end, "" when
    nothing is."""

    head: Mapping[str, Any]
    sights: list[Sight] = field(default_factory=list)
    missing: int = 0
    trouble: str = ""

    @property
    def devices(self) -> Mapping[str, Mapping[str, Any]]:
        """What the head says of each device, by name."""
        devices: Mapping[str, Mapping[str, Any]] = self.head["devices"]
        return devices


def capture_of(path: Path, content: bytes) -> Capture:
    """The capture that a file at ``path`` with this content is; drivers open no files.

    Raises:
        BadCapture: it is none, or of a version that is not known here.
    """
    text = content.split(b"\n")
    cut = text.pop() != b""
    if not text:
        raise BadCapture(f"{path}: is empty or cut off in its first line: no capture")
    if cut:
        text.append(b"")  # counted, and left out below
    capture = Capture(_head(path, text[0]))
    ended = False
    for number, raw in enumerate(text[1:], 2):
        if cut and number == len(text):
            capture.trouble = f"line {number} is cut off and left out"
            break
        if ended:
            raise BadCapture(f"{path}, line {number}: there is something behind the end")
        try:
            ended = _read_line(capture, raw)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BadCapture(f"{path}, line {number}: {error}") from error
    if not ended and not capture.trouble:
        capture.trouble = "it has no end: it was cut off, or is still being written"
    return capture


def _head(path: Path, raw: bytes) -> Mapping[str, Any]:
    try:
        head = json.loads(raw)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "capture" not in head:
        raise BadCapture(f'{path}: is no capture: the first line has to be {{"capture": …}}')
    if head["capture"] != VERSION:
        raise BadCapture(
            f"{path}: is of version {head['capture']!r}, this program reads version {VERSION}; "
            "read it with the program that wrote it"
        )
    if head.keys() != _HEAD:
        odd = ", ".join(sorted(head.keys() ^ _HEAD))
        raise BadCapture(f"{path}: the head has unknown keys or lacks some: {odd}")
    if head["end"] not in (CONTROLLER, DEVICE) or type(head["began_ns"]) is not int:
        raise BadCapture(f"{path}: the head's end or began_ns is not what it should be")
    devices = head["devices"]
    if not isinstance(devices, dict) or not all(
        isinstance(told, dict) and told.get("carrier") in (SERIAL, USB) for told in devices.values()
    ):
        raise BadCapture(f"{path}: the head's devices need a carrier each, {SERIAL} or {USB}")
    return head


def _read_line(capture: Capture, raw: bytes) -> bool:
    """Take a line behind the head; whether it is the end."""
    told = json.loads(raw)
    kind = _KINDS.get(frozenset(told)) if isinstance(told, dict) else None
    if kind is None:
        raise ValueError(f"is no line of a capture: {raw[:80].decode('ascii', 'replace')}")
    if kind == "end":
        counted = {"messages": len(capture.sights), "dropped": capture.missing}
        if told["end"] != counted:
            raise ValueError(f"the end counts {told['end']}, there are {counted}")
        return True
    if kind == "dropped":
        capture.missing += _whole_number(told, "dropped")
        return False
    name = told["device"]
    if name not in capture.devices:
        raise ValueError(f"the head has no device {name!r}")
    capture.sights.append(Sight(_whole_number(told, "at_ns"), name, _sight_of(kind, told)))
    return False


def _sight_of(kind: str, told: Mapping[str, Any]) -> Seen:
    if kind == "port":
        if told["port"] not in ("opened", "closed"):
            raise ValueError(f"port is {told['port']!r}: expected opened or closed")
        return PortChange(told["port"] == "opened", str(told.get("reason", "")))
    if told["dir"] not in ("in", "out"):
        raise ValueError(f"dir is {told['dir']!r}: expected in or out")
    if kind == "stray":
        return Stray(bytes.fromhex(told["bytes"]))
    return read_traffic(bytes.fromhex(told["raw"]), outward=told["dir"] == "out")


def _whole_number(told: Mapping[str, Any], key: str) -> int:
    value = told[key]
    if type(value) is not int or value < 0:
        raise ValueError(f"{key} is {value!r}: expected a whole number")
    return value
