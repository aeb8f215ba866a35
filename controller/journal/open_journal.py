"""A journal that is open, for writing (:mod:`~.store`) or for reading (:mod:`~.reader`): what may
be asked of either."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.journal import rows
from controller.journal.commits import Cover, read_cover
from controller.journal.disk import naming_damage
from controller.journal.model import Entry, Head, Predecessor

if TYPE_CHECKING:
    from controller.journal.keys import PublicKey


class OpenJournal(ABC):
    """Of one that is open for writing most of it is asked before the commit thread starts."""

    path: Path
    connection: sqlite3.Connection

    def _naming(self, where: str) -> AbstractContextManager[None]:
        """What is wrong with the file is named (:func:`~controller.journal.disk.naming_damage`)."""
        return naming_damage(self.path, where)

    @property
    @abstractmethod
    def head(self) -> Head:
        """Number and digest of the last entry."""

    @property
    def identity(self) -> bytes:
        """The journal's random name, 16 bytes."""
        return rows.identity(self.connection)

    @property
    def predecessor(self) -> Predecessor | None:
        """What the journal goes on from; None for a table's first."""
        return rows.predecessor(self.connection)

    @property
    def begins(self) -> int:
        """The number before that of its first entry: 0, or its predecessor's last."""
        return rows.beginning(self.connection)

    @abstractmethod
    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all), in order; raises what is
        wrong with the file."""

    def starts(self, *, by_index: bool = True) -> Iterator[Entry]:
        """Yield its start records, the last one first, and the first entry of one that goes on
        (:func:`controller.journal.rows.starts`); raises what ``iterate`` does."""
        with self._naming("its start records cannot be read"):
            yield from rows.starts(self.connection, by_index=by_index)

    def cover(self, keys: Collection[PublicKey]) -> Cover:
        """How far it is signed with one of the keys; raises what ``iterate`` does."""
        with self._naming("its signed row cannot be read"):
            return read_cover(self.connection, keys)

    def last_of_type(self, kind: str) -> Entry | None:
        """Return the last entry of a type, None for none; raises what ``iterate`` does."""
        with self._naming(f"its last entry of type {kind} cannot be read"):
            return rows.last_of_type(self.connection, kind)
