"""The table with its counters: all state that is a function of the journal.

Live play (the owner) and replay (recovery, verification) both give each event to
:meth:`CountedTable.apply`, so that both count alike. :meth:`CountedTable.dump` is the body of a
snapshot.
"""

from __future__ import annotations

from typing import Final

from controller import ENGINE_VERSION
from controller.counters.counting import Counters
from controller.forms.json_values import JsonObject
from controller.journal.events import CARRIED
from controller.journal.model import FOUND, SEALING, TREE, VERSIONS
from controller.replay.shown_state import SHOWN
from controller.table.apply import apply
from controller.table.events.event import Event
from controller.table.outcome import Outcome
from controller.table.snapshot import FORMAT, BadSnapshot, dump_table, is_quiet, load_table
from controller.table.state.table import Table

_NOT_OF_PLAY: Final = (CARRIED, FOUND, SEALING, TREE, VERSIONS, SHOWN)
"""What is not part of the play: what people were shown, and keys of the first entry of a journal
that continues an archived one."""


class CountedTable:
    """A table with its counters; a new one has had no event."""

    def __init__(self) -> None:
        self.table = Table()
        self.counters = Counters()

    def apply(self, event: Event) -> Outcome:
        """Apply an event to the table and count it; raises as :func:`apply`."""
        outcome = apply(self.table, event)
        self.counters.count_event(event, outcome, self.table)
        return outcome

    @property
    def quiet(self) -> bool:
        """Whether a snapshot may be written now."""
        return is_quiet(self.table)

    def dump(self) -> dict[str, object]:
        """The table and its counters by value, with the version of the engine. Raises BadSnapshot:
        it is not quiet, or has a value that a snapshot cannot store."""
        return {
            "format": FORMAT,
            "engine": ENGINE_VERSION,
            "table": dump_table(self.table),
            "counters": self.counters.dump(),
        }

    @classmethod
    def load(cls, body: JsonObject) -> CountedTable:
        """The table and its counters in a snapshot's body, of any version of the engine. Raises
        BadSnapshot: it is of another format, or none."""
        if not _is_readable(body):
            what = f"a snapshot not of format {FORMAT}: keep that folder, and begin a new one"
            raise BadSnapshot(what)
        counted = cls()
        counted.table = load_table(body.get("table"))
        counted.counters = Counters.load(body.get("counters", {}))
        return counted

    def differences(self, body: JsonObject) -> list[str]:
        """The differences from a snapshot's body, in words; empty where another engine wrote it, or
        it is of another format, which is not comparable."""
        if not _is_readable(body) or body.get("engine") != ENGINE_VERSION:
            return []
        try:
            found = self.dump()
        except BadSnapshot as error:
            return [f"no snapshot could be made here: {error}"]
        stored = {name: value for name, value in body.items() if name not in _NOT_OF_PLAY}
        return list(_differences("", stored, found))


def _is_readable(body: JsonObject) -> bool:
    given = body.get("format")
    return type(given) is int and given == FORMAT


def _differences(where: str, stored: object, found: object) -> list[str]:
    """The differences at the first level at which two plain values differ, by name."""
    if stored == found:
        return []
    if isinstance(stored, dict) and isinstance(found, dict):
        inner: list[str] = []
        for name in sorted(stored.keys() | found.keys()):
            inner += _differences(f"{where}.{name}", stored.get(name), found.get(name))
        return inner
    return [f"{where[1:]} is {found!r} on replay, but the snapshot has {stored!r}"]
