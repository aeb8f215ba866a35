"""The tables that the house knows: a folder of their keys.

The rules:

- A table is a file ``NAME.vkey`` in the folder, with the lines of its box's ``journal.vkey``: a
  verifier key a line, the oldest first.
- Each key is a log of its own, whose origin is made of the key, and stands at one table.
- All faults of the folder are reported together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from controller.causes.finding import cause_of
from controller.configuration.errors import BadConfiguration
from controller.evidence.seals.known_keys import read_keys
from controller.evidence.tree.checkpoint import name_of
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


def read_tables(folder: Path) -> Mapping[str, KnownLog]:
    """The logs that the house knows, by their origins.

    Raises:
        BadConfiguration: a file of the folder has faults, or it cannot be read.
    """
    found: dict[str, KnownLog] = {}
    faults: list[str] = []
    try:
        files = sorted(one for one in folder.iterdir() if one.suffix == SUFFIX)
    except OSError as error:
        raise BadConfiguration(folder, [f"cannot be read: {cause_of(error, folder)}"]) from error
    for file in files:
        try:
            keys = read_keys(file)
        except BadKey as error:
            faults.append(str(error))
            continue
        except OSError as error:
            faults.append(f"{file.name}: cannot be read: {cause_of(error, file)}")
            continue
        if not _TABLE.fullmatch(file.stem):
            faults.append(f"{file.name}: a table's name has letters, digits, spaces, ., - and _")
        for log in (KnownLog(file.stem, key) for key in keys):
            if (other := found.setdefault(log.origin, log)).table != log.table:
                faults.append(f"{file.name}: {log.origin} is a key of {other.table}, too")
    if faults:
        raise BadConfiguration(folder, faults)
    return MappingProxyType(found)
