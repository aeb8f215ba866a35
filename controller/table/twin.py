"""Independent copies of a live table, for what is only tried."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Final

from controller.game.round.state import Round
from controller.game.rules.schema import RuleSet
from controller.table.settings import Settings
from controller.table.state.table import Table

_NEVER_CHANGED: Final = (Settings, RuleSet, Round)
"""A table replaces its settings and its round, and changes none of them in place."""


class Mould:
    """Independent copies of a table, which share what is never changed; once the mould is made a
    copy costs little."""

    def __init__(self, table: Table) -> None:
        self._shared: list[object] = []
        self._numbers: dict[int, int] = {}
        buffer = BytesIO()
        pickler = pickle.Pickler(buffer, protocol=5)
        pickler.persistent_id = self._name_of  # type: ignore[method-assign]
        pickler.dump(table)
        self._bytes = buffer.getvalue()

    def _name_of(self, part: object) -> int | None:
        if not isinstance(part, _NEVER_CHANGED):
            return None
        if id(part) not in self._numbers:
            self._numbers[id(part)] = len(self._shared)
            self._shared.append(part)
        return self._numbers[id(part)]

    def cast(self) -> Table:
        """Another copy."""
        unpickler = pickle.Unpickler(BytesIO(self._bytes))  # noqa: S301 - of our own making
        unpickler.persistent_load = self._shared.__getitem__  # type: ignore[method-assign]
        table: Table = unpickler.load()
        return table


def twin(table: Table) -> Table:
    """An independent copy of a table."""
    return Mould(table).cast()
