"""Local time: the zone of this machine is read here, and nowhere else.

The rules:

- ``TZ`` counts, then ``/etc/localtime``, then ``/etc/timezone``. Where none of them names a zone,
  it is UTC.
- Rules of zones are read by :mod:`zoneinfo`: from the system, else from the locked ``tzdata``.
- The C library takes a zone that it does not find for UTC and says nothing. Here such a zone is
  told: who divides by local time is refused (:func:`known_zone`), who only shows it shows UTC.
- A ``TZ`` in the form of POSIX (``CET-1CEST``) is a zone that is not found: it does not say what
  the rule was in other years. The zone's name is expected (``Europe/Berlin``, ``Etc/GMT-8``).
- It is read anew each time: what is installed or set while a program runs counts at once.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from io import BytesIO
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.not_done import NOT_WELL, NotDone
from controller.regular_files import read_whole

LOCALTIME: Final = Path("/etc/localtime")
TIMEZONE: Final = Path("/etc/timezone")

_FOLDER: Final = "/zoneinfo/"
_NEED_NO_RULES: Final = ("", "UTC", "Etc/UTC")
_LONGEST: Final = 100
_NOT_FOUND: Final = (LookupError, OSError, ValueError, struct.error)
"""What zoneinfo raises for a name that is none, a folder, or a file that is no zone or is cut."""
_STEP: Final = (
    "install the zones, 'apt install tzdata' ('tzdata-legacy' has old names), or name one that is "
    "there, as Asia/Singapore"
)


class ZoneUnknown(NotDone):
    """A zone cannot be found; the message says which, and what to do."""

    def __init__(self, trouble: str) -> None:
        super().__init__(NOT_WELL, f"{trouble}: {_STEP}")


@dataclass(frozen=True, slots=True)
class LocalZone:
    """The zone of this machine: its ``name`` and its ``rules``. Where it cannot be found these are
    UTC's, and ``trouble`` says so; else that is empty."""

    name: str = "UTC"
    rules: tzinfo = UTC
    trouble: str = ""


def local_zone() -> LocalZone:
    """The zone that counts now."""
    if (given := os.environ.get("TZ")) is not None:
        name = given.removeprefix(":")
        return _of_file("TZ", Path(name)) if name.startswith("/") else _of_name("TZ", name)
    if os.path.lexists(LOCALTIME):
        return _of_file(str(LOCALTIME), LOCALTIME)
    try:
        name = read_whole(TIMEZONE).decode(errors="replace").strip()
    except FileNotFoundError:
        return LocalZone()
    except OSError:
        return _unknown(str(TIMEZONE), "?")
    return _of_name(str(TIMEZONE), name)


def known_zone() -> tzinfo:
    """The same, for who divides by local time; ZoneUnknown where it cannot be found."""
    zone = local_zone()
    if zone.trouble:
        raise ZoneUnknown(zone.trouble)
    return zone.rules


def local(moment: datetime) -> datetime:
    """The moment as the clocks here show it."""
    return moment.astimezone(local_zone().rules)


def zone_named(name: str) -> ZoneInfo:
    """The zone of that name; ZoneUnknown where there is none."""
    try:
        return ZoneInfo(name)
    except _NOT_FOUND as error:
        raise ZoneUnknown(f"there is no time zone {name[:_LONGEST]!r} here") from error


def _of_name(source: str, name: str) -> LocalZone:
    if name in _NEED_NO_RULES:
        return LocalZone(name or "UTC")
    try:
        return LocalZone(name, ZoneInfo(name))
    except _NOT_FOUND:
        return _unknown(source, name)


def _of_file(source: str, path: Path) -> LocalZone:
    """By the name that a link leads to, whether something is there or not; a copy has none."""
    real = os.path.realpath(path)
    _, is_named, name = real.rpartition(_FOLDER)
    if is_named:
        return _of_name(source, name)
    try:
        return LocalZone(str(path), ZoneInfo.from_file(BytesIO(read_whole(Path(real)))))
    except _NOT_FOUND:
        return _unknown(source, real)


def _unknown(source: str, name: str) -> LocalZone:
    name = name[:_LONGEST]
    return LocalZone(name, UTC, f"{source} names {name!r}, which is not to be found")
