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
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from controller.configuration.errors import BadConfiguration
from controller.configuration.section import Section, toml_text, unknown
from controller.configuration.toml_file import toml_in
from controller.journal.canonical import DIGEST_BYTES, is_hex
from controller.local_time import ZoneUnknown, zone_named
from web.listening import ListenAddress, listen_address

USUAL_TABLES: Final = "tables"
USUAL_BEGIN: Final = "06:00"
USUAL_COLLECTOR: Final = "127.0.0.1:8440"
MOST_YEARS: Final = 100
USUAL_PAGE: Final = "127.0.0.1:8441"

_TOP: Final = "(top)"
"""In the place of a table's name, where a key stands in none."""
_TABLES: Final = ("mirror", "witness", "collector", "page", "table", "approved")
_KEYS: Final = ("database", "tables", "currency", "day_begins", "zone", "keep_years", *_TABLES)
_CURRENCY: Final = re.compile("[A-Z]{3}")
APPROVED: Final = (
    *("version", "program", "libraries", "configuration", "rules", "readings", "weights"),
)
"""What a house may approve of: versions, and SHA-256 digests in hex."""
_NAME: Final = re.compile(r"[!-*,-~]{1,200}")


@dataclass(frozen=True, slots=True)
class CosignerSettings:
    """A cosigner's name, and the file of its private key."""

    name: str
    key: Path


@dataclass(frozen=True, slots=True)
class FloorSettings:
    """The whole configuration. ``path`` is the file, ``database`` a connection string of libpq,
    ``tables`` the folder. A gaming day begins at ``day_begins`` in ``zone``. ``currency`` is that
    of every table that has none in ``currencies``. Entries are kept for ``keep_years``; None: for
    ever. ``approved`` is what tables may run; of a kind not in it the house says nothing."""

    path: Path
    database: str
    tables: Path
    currency: str
    currencies: Mapping[str, str]
    day_begins: time
    zone: ZoneInfo
    keep_years: int | None
    mirror: CosignerSettings
    witness: CosignerSettings | None
    collector: ListenAddress
    page: ListenAddress
    approved: Mapping[str, Sequence[str]]

    def currency_of(self, table: str) -> str:
        """The currency in which a table plays, by its code."""
        return self.currencies.get(table, self.currency)

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
    data = toml_in(path)
    return _Reading(path.absolute(), data).settings()


class _Reading:
    """Reads the file's tables and collects their faults."""

    def __init__(self, path: Path, data: Mapping[str, object]) -> None:
        self._path = path
        self._data = data
        self._faults: list[str] = []
        top = {key: value for key, value in data.items() if key not in _TABLES}
        self._top = Section(_TOP, top, self._faults)

    def settings(self) -> FloorSettings:
        """All of it; raises as :func:`load_floor`."""
        for key in self._data:
            if key not in _KEYS:
                self._faults.append(unknown(key, _KEYS))
        database = self._database()
        tables = self._top.text("tables", "the folder of the tables' keys", USUAL_TABLES)
        currency = self._currency(self._top)
        begins = self._top.time_of_day("day_begins", "when the gaming day begins", USUAL_BEGIN)
        zone = self._zone()
        years = None
        if self._top.has("keep_years"):
            years = self._top.number("keep_years", 1, MOST_YEARS, "years that entries are kept")
        mirror = self._cosigner("mirror")
        witness = self._cosigner("witness") if "witness" in self._data else None
        self._apart(mirror, witness)
        collector, page = (
            self._listen("collector", USUAL_COLLECTOR),
            self._listen("page", USUAL_PAGE),
        )
        currencies = self._currencies()
        approved = self._approved()
        if self._faults or not (database and tables and currency and begins and zone and mirror):
            faults = [fault.removeprefix(f"{_TOP}.") for fault in self._faults]
            raise BadConfiguration(self._path, faults)
        assert collector is not None
        assert page is not None
        return FloorSettings(
            self._path,
            database,
            self._path.parent / tables,
            currency,
            currencies,
            time.fromisoformat(begins),
            zone,
            years,
            mirror,
            witness,
            collector,
            page,
            approved,
        )

    def _section(self, name: str) -> Section:
        value = self._data.get(name, {})
        if not isinstance(value, Mapping):
            self._faults.append(f"{name} = {toml_text(value)}: expected a table, [{name}]")
            value = {}
        return Section(name, value, self._faults)

    def _names(self, name: str) -> list[str]:
        value = self._data.get(name)
        return [*value] if isinstance(value, Mapping) else []

    def _currency(self, section: Section) -> str | None:
        given = section.text("currency", "a currency by its code, SGD")
        if given is None or _CURRENCY.fullmatch(given):
            return given
        section.fault("currency", "expected a currency by its code, three capitals as SGD")
        return None

    def _database(self) -> str | None:
        """It is not repeated where it has faults: somebody may have put a password into it."""
        expected = "a connection string of libpq, postgresql:///floor"
        given = self._top.text("database", expected)
        if given is None:
            return None
        try:
            conninfo_to_dict(given)
        except ProgrammingError as error:
            self._faults.append(f"database: {str(error).strip()}: expected {expected}")
            return None
        return given

    def _zone(self) -> ZoneInfo | None:
        given = self._top.text("zone", "the house's time zone, as Asia/Singapore")
        if given is None:
            return None
        try:
            return zone_named(given)
        except ZoneUnknown as error:
            self._top.fault("zone", str(error))
            return None

    def _cosigner(self, name: str) -> CosignerSettings | None:
        section = self._section(name)
        called = section.text("name", f"the name that this {name} signs by, floor.example/{name}")
        if called is not None and not _NAME.fullmatch(called):
            section.fault("name", "expected a name without spaces and +, as floor.example/NAME")
        key = section.text("key", "the file of its private key", f"{name}.key")
        section.done()
        if called is None or key is None:
            return None
        return CosignerSettings(called, self._path.parent / key)

    def _apart(self, mirror: CosignerSettings | None, witness: CosignerSettings | None) -> None:
        """A mirror states another thing than a witness: neither name nor key may be taken for the
        other's."""
        if mirror is None or witness is None:
            return
        if mirror.name == witness.name:
            self._faults.append(f"witness.name = {toml_text(witness.name)}: is the mirror's, too")
        if mirror.key == witness.key:
            self._faults.append("witness.key: is the mirror's, too; expected a file of its own")

    def _listen(self, name: str, usual: str) -> ListenAddress | None:
        section = self._section(name)
        given = section.text("listen", f"an address and a port, {usual}", usual)
        section.done()
        address = listen_address(given or "")
        if address is None and given is not None:
            section.fault("listen", f"expected an address of this machine and a port, {usual}")
        return address

    def _approved(self) -> Mapping[str, Sequence[str]]:
        """What the house approved of: ``[approved] version = ["0.3.0"]``."""
        section, data = self._section("approved"), self._data.get("approved")
        digest = "expected SHA-256 digests, each of 64 hexadecimal digits in lower case"
        found: dict[str, Sequence[str]] = {}
        for name in APPROVED:
            if isinstance(data, Mapping) and section.has(name):
                given = data[name]
                if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
                    section.fault(name, 'expected a list of texts, ["0.3.0", "0.3.1"]')
                elif name != "version" and not all(is_hex(one, DIGEST_BYTES) for one in given):
                    section.fault(name, digest)
                else:
                    found[name] = tuple(given)
        section.done()
        return MappingProxyType(found)

    def _currencies(self) -> Mapping[str, str]:
        """What the tables play in that is not the house's currency: ``[table.NAME] currency``."""
        found: dict[str, str] = {}
        tables = self._section("table")
        for name in self._names("table"):
            if (given := tables.mapping(name, f"a table, [table.{name}]")) is None:
                continue
            section = Section(f"table.{name}", given, self._faults)
            if currency := self._currency(section):
                found[name] = currency
            section.done()
        return MappingProxyType(found)
