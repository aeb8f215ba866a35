"""The tables that the house knows: a folder of their keys.

The rules:

- A table is a file ``NAME.vkey`` in the folder, with the lines of its box's ``journal.vkey``: a
  verifier key a line, the oldest first.
- Each key is a log of its own, whose origin is made of the key, and stands at one table.
- All faults of the folder are reported together. A file with a fault leaves the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from controller.causes.finding import cause_of
from controller.configuration.tables import BadConfiguration
from controller.evidence.tree.checkpoint import name_of
from controller.evidence.trust import read_keys
from controller.journal.keys import BadKey, PublicKey

SUFFIX: Final = ".vkey"
_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")


@dataclass(frozen=True, slots=True)
class KnownLog:
    """A log that the house knows: the ``key`` that signs it, and the table at which it stands."""

    table: str
    key: PublicKey

    @property
    def origin(self) -> str:
        """The log's name."""
        return name_of(self.key)


@dataclass(frozen=True, slots=True)
class BadTable:
    """A file of the folder with a fault: the ``table`` that it is to name, and what is wrong."""

    table: str
    fault: str


@dataclass(frozen=True, slots=True)
class KnownTables:
    """What the folder says: ``logs`` by their origins, and the files with faults."""

    logs: Mapping[str, KnownLog]
    bad: Sequence[BadTable]


def read_tables(folder: Path) -> KnownTables:
    """What the house knows.

    Raises:
        BadConfiguration: the folder cannot be read, or each of its files has a fault.
    """
    found: dict[str, KnownLog] = {}
    bad: list[BadTable] = []
    try:
        files = sorted(one for one in folder.iterdir() if one.suffix == SUFFIX)
    except OSError as error:
        raise BadConfiguration(folder, [f"cannot be read: {cause_of(error, folder)}"]) from error
    for file in files:
        try:
            keys = read_keys(file)
        except BadKey as error:
            bad.append(BadTable(file.stem, str(error).removeprefix(f"{folder}/")))
            continue
        except OSError as error:
            fault = f"{file.name}: cannot be read: {cause_of(error, file)}"
            bad.append(BadTable(file.stem, fault))
            continue
        if not _TABLE.fullmatch(file.stem):
            fault = f"{file.name}: a table's name has letters, digits, spaces, ., - and _"
            bad.append(BadTable(file.stem, fault))
            continue
        for log in (KnownLog(file.stem, key) for key in keys):
            if (other := found.setdefault(log.origin, log)).table != log.table:
                fault = f"{file.name}: {log.origin} is a key of {other.table}, too"
                bad.append(BadTable(file.stem, fault))
    if bad and not found:
        raise BadConfiguration(folder, [one.fault for one in bad])
    return KnownTables(MappingProxyType(found), tuple(bad))
