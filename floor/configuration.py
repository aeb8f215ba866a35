"""The floor's configuration: one TOML file, read and checked as a whole.

The rules:

- All faults are reported together, each with key, value and what is expected; unknown keys too.
- Paths are relative to the file.
- Nothing here is a secret: keys are named, and lie in files of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from controller.configuration.tables import TomlTables, time_of_day
from controller.forms.expected import Expected, File, Parsed, Range, Secret, Text, Usual
from controller.forms.faults import value_text
from controller.local_time import ZoneUnknown, zone_named
from web.listening import ListenAddress, listen_address

USUAL_BEGIN: Final = "06:00"
USUAL_COLLECTOR: Final = "127.0.0.1:8440"
MOST_YEARS: Final = 100
USUAL_PAGE: Final = "127.0.0.1:8441"

_LIBPQ: Final = "a connection string of libpq, postgresql:///floor"
_CURRENCY: Final = Text(
    "a currency by its code, SGD",
    form=re.compile("[A-Z]{3}"),
    otherwise="a currency by its code, three capitals as SGD",
)
_SIGNS: Final = Text(
    "the name that it signs by, floor.example/NAME",
    form=re.compile(r"[!-*,-~]{1,200}"),
    otherwise="a name without spaces and +, as floor.example/NAME",
)
_PRIVATE: Final = File("the file of its private key")
_DIGEST: Final = Text(
    "a digest",
    form=re.compile("[0-9a-f]{64}"),
    otherwise="SHA-256 digests, each of 64 hexadecimal digits in lower case",
)
_TEXTS: Final = Expected('a list of texts, ["0.3.0", "0.3.1"]')
Digests = Annotated[tuple[Annotated[str, _DIGEST], ...] | None, _TEXTS]


def _zone(name: str) -> ZoneInfo:
    try:
        return zone_named(name)
    except ZoneUnknown as error:
        raise ValueError(str(error)) from error


def _database(given: str) -> str:
    """A connection string, which may have a password in it."""
    try:
        conninfo_to_dict(given)
    except ProgrammingError as error:
        raise ValueError(f"{str(error).strip()}: expected {_LIBPQ}") from error
    return given


def _listening(usual: str) -> Parsed:
    return Parsed(f"an address of this machine and a port, {usual}", parse=listen_address)


@dataclass(frozen=True, slots=True)
class CosignerSettings:
    """A cosigner's name, and the file of its private key."""

    name: Annotated[str, _SIGNS]
    key: Annotated[Path, _PRIVATE]


@dataclass(frozen=True, slots=True)
class OwnMirrorSettings(CosignerSettings):
    """``[mirror]``."""

    key: Annotated[Path, _PRIVATE, Usual("mirror.key")]


@dataclass(frozen=True, slots=True)
class OwnWitnessSettings(CosignerSettings):
    """``[witness]``."""

    key: Annotated[Path, _PRIVATE, Usual("witness.key")]


@dataclass(frozen=True, slots=True)
class CollectorSettings:
    """``[collector]``."""

    listen: Annotated[ListenAddress, _listening(USUAL_COLLECTOR), Usual(USUAL_COLLECTOR)]


@dataclass(frozen=True, slots=True)
class PageSettings:
    """``[page]``."""

    listen: Annotated[ListenAddress, _listening(USUAL_PAGE), Usual(USUAL_PAGE)]


@dataclass(frozen=True, slots=True)
class CurrencySettings:
    """``[table.NAME]``: what a table plays in that is not the house's currency."""

    currency: Annotated[str, _CURRENCY]


@dataclass(frozen=True, slots=True)
class FloorApproved:
    """``[approved]``: versions, and SHA-256 digests in hexadecimal, that tables may run; of what is
    None the house says nothing."""

    version: Annotated[tuple[str, ...] | None, _TEXTS] = None
    program: Digests = None
    libraries: Digests = None
    configuration: Digests = None
    rules: Digests = None
    readings: Digests = None
    weights: Digests = None

    @property
    def named(self) -> Mapping[str, Sequence[str]]:
        """What is given, by name."""
        given = {name: getattr(self, name) for name in APPROVED}
        return {name: values for name, values in given.items() if values is not None}


APPROVED: Final = tuple(one.name for one in fields(FloorApproved))
"""What a house may approve of."""


@dataclass(frozen=True, slots=True)
class FloorKeys:
    """Its keys. ``database`` is a connection string of libpq, ``tables`` the folder. A
    gaming day begins at ``day_begins`` in ``zone``. ``currency`` is that of every table that has
    none in ``table``. Entries are kept for ``keep_years``; None: for ever."""

    database: Annotated[str, Secret(_LIBPQ, parse=_database)]
    tables: Annotated[Path, File("the folder of the tables' keys"), Usual("tables")]
    currency: Annotated[str, _CURRENCY]
    day_begins: Annotated[
        time,
        time_of_day("when the gaming day begins", USUAL_BEGIN, time.fromisoformat),
        Usual(USUAL_BEGIN),
    ]
    zone: Annotated[ZoneInfo, Parsed("the house's time zone, as Asia/Singapore", parse=_zone)]
    mirror: OwnMirrorSettings
    collector: Annotated[CollectorSettings, Usual({})]
    page: Annotated[PageSettings, Usual({})]
    table: Annotated[Mapping[str, CurrencySettings], Usual({})]
    keep_years: Annotated[int | None, Range("years that entries are kept", 1, MOST_YEARS)] = None
    witness: OwnWitnessSettings | None = None
    approved: FloorApproved = FloorApproved()


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorSettings(FloorKeys):
    """The whole configuration, and the file in which it stands."""

    path: Path

    def currency_of(self, table: str) -> str:
        """The currency in which a table plays, by its code."""
        own = self.table.get(table)
        return own.currency if own else self.currency

    def day_of(self, wall: str) -> date | None:
        """The gaming day of an entry by its ``wall`` clock; None where that is no time."""
        with suppress(ValueError, OverflowError):
            local = datetime.fromisoformat(wall).astimezone(self.zone)
            return local.date() - timedelta(days=local.time() < self.day_begins)
        return None


def load_floor(path: Path) -> FloorSettings:
    """The configuration in the file at ``path``.

    Raises:
        BadConfiguration: it cannot be read or has faults; the error lists all of them.
    """
    file = TomlTables.of_file(path)
    keys = file.value_in(FloorKeys, file.data)
    if keys is not None:
        file.faults += _apart(keys.mirror, keys.witness)
    given = file.without_faults(keys)
    return FloorSettings(
        path=file.path, **{one.name: getattr(given, one.name) for one in fields(given)}
    )


def _apart(mirror: CosignerSettings, witness: CosignerSettings | None) -> list[str]:
    """A mirror states another thing than a witness: neither name nor key may be taken for the
    other's."""
    found = []
    if witness is not None and mirror.name == witness.name:
        found.append(f"witness.name = {value_text(witness.name)}: is the mirror's, too")
    if witness is not None and mirror.key == witness.key:
        found.append("witness.key: is the mirror's, too; expected a file of its own")
    return found
