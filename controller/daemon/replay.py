"""The table from its journal: recovery at a start, the check that replay equals play, and rounds.

Replaying gives every event to a new table. Where what it did differs from what the journal says it
did, that is reported; under another version of the engine it is a difference, not corruption, and
recovery does not count it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from controller import ENGINE_VERSION
from controller.daemon.records import event_of, stored_outcome
from controller.journal.model import Entry
from controller.table import squeezing
from controller.table.result import round_result
from controller.table.table import ENDED, Table


class Replay:
    """A table that is led through a journal, entry by entry."""

    def __init__(self) -> None:
        self.table = Table()
        self.same_engine = True

    def take(self, entry: Entry) -> list[str]:
        """Play one entry; what differs from the journal, in plain words."""
        if entry.type == "start":
            versions = entry.body.get("versions")
            engine = versions.get("engine") if isinstance(versions, dict) else None
            self.same_engine = engine == ENGINE_VERSION
        try:
            outcome = self.table.apply(event_of(entry))
        except Exception as error:  # a table that cannot be opened helps nobody
            return [f"cannot be replayed: {error or type(error).__name__}"]
        told = stored_outcome(entry)
        found = outcome.as_body()
        return [
            f"{key} is {found.get(key)!r} on replay, but the journal has {told.get(key)!r}"
            for key in sorted({*told, *found})
            if told.get(key) != found.get(key)
        ]


def replay_table(entries: Iterable[Entry]) -> tuple[Table, list[str]]:
    """The table as it was after the last entry, and the differences found on the way in what this
    version of the engine played."""
    replay = Replay()
    differences = [
        f"entry {entry.seq} ({entry.type}): {what}"
        for entry in entries
        for what in replay.take(entry)
        if replay.same_engine
    ]
    return replay.table, differences


def rounds_from(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Every round that was played to its end, as result objects with ``round``, ``shoe`` (as
    drawn, with marks) and ``draws``; the last one also while it is being played."""
    replay = Replay()
    table = replay.table
    told = 0
    last: dict[str, Any] | None = None
    for entry in entries:
        replay.take(entry)
        if table.rnd is None:
            continue
        if table.phase == ENDED and told != table.round_number:
            told = table.round_number
            last = None
            yield _round(table)
        elif table.phase != ENDED:
            last = {}
    if last is not None and table.mid_round:
        yield _round(table)


def _round(table: Table) -> dict[str, Any]:
    assert table.rnd
    result = round_result(table.rnd, f"Round {table.round_number} of table {table.settings.table}")
    boxes = {
        str(box.number): [squeezing.shown_hand(table, hand) for hand in box.by_number]
        for box in table.rnd.boxes.values()
    }
    return {
        **result,
        "boxes": boxes,
        "round": table.round_number,
        "shoe": squeezing.shown_drawn(table),
        "draws": list(table.draws),
    }
