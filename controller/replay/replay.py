"""The table from its journal: recovery at a start, the check that replay equals play, and rounds.

Replay applies every event to a new table. Where the effect differs from the one in the journal,
that is reported; under another version of the engine it is a difference, not corruption, and
recovery does not count it. A snapshot is not an event: the replayed state must equal it, counters
included. A journal that continues an archived one begins with a snapshot and is loaded from it; if
that cannot be read there is nothing to continue from, whichever engine wrote it. Every other entry
is an event of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from controller import ENGINE_VERSION
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.game.round.result_fields import RoundResult
from controller.game.round.results import round_result
from controller.journal.canonical import canonical, decode
from controller.journal.model import VERSIONS, Draft, Entry
from controller.replay.counted_table import CountedTable
from controller.table.dealing import squeezing
from controller.table.events.event import Event, Reported
from controller.table.events.of_devices import KeyPressed
from controller.table.events.reading import AFTER, body_of, columns_of, read_event
from controller.table.outcome import Outcome
from controller.table.sequence import ENDED
from controller.table.snapshot import BadSnapshot
from controller.table.state.table import Table

SNAPSHOT: Final = "snapshot"  # the type of an entry that is not an event of the table


def as_stored(event: Event) -> Event:
    """The event as the journal will give it back: keys by name, tuples as lists. What the live
    table is given in any other form it may keep in that form, and replay would have another. Raises
    BadDraft: the journal cannot store it."""
    if isinstance(event, Reported) and not isinstance(event, KeyPressed) and event.more is None:
        return event  # what is read of it is numbers, as a card's
    return read_event(event.type, decode(canonical(body_of(event))), **columns_of(event))


def draft_of(
    event: Event, outcome: Outcome, *, t_ms: int | None = None, renumbered: bool = False
) -> Draft:
    """The journal draft of an event that the table has taken."""
    return Draft(
        event.type,
        {**body_of(event), AFTER: outcome.as_body()},
        t_ms=t_ms,
        renumbered=renumbered,
        **columns_of(event),
    )


def event_of(entry: Entry) -> Event:
    """The event that an entry stores; raises as :func:`read_event`."""
    stored = entry.draft
    columns = stored.device, stored.session, stored.event_no, stored.offer
    return read_event(stored.type, stored.body, *columns)


def stored_outcome(entry: Entry) -> JsonObject | None:
    """The effect of the event when it was played, as the journal has it; None where that has not
    the form of one: whoever wrote the entry was no controller."""
    stored = entry.body.get(AFTER, {})
    return stored if isinstance(stored, dict) else None


MOST_KEPT: Final = 20
"""Number of differences that are kept; a journal of years may have one at every entry."""

Watch = Callable[[Entry, Table, list[str]], None]
"""Is shown the table after each entry, with the differences found by playing it."""


class Replay:
    """A replay of a journal, entry by entry; from its beginning, or continuing from ``counted``.
    ``groundless`` says why the snapshot at the beginning cannot be read: then the state is a
    guess. ``event`` is the last entry as the table has been given it; None where it is no event, or
    none that can be read."""

    def __init__(self, counted: CountedTable | None = None) -> None:
        self.counted = counted or CountedTable()
        self.same_engine = True
        self.groundless = ""
        self.event: Event | None = None
        self._begun = counted is not None

    @property
    def table(self) -> Table:
        """The table as it is after the last entry."""
        return self.counted.table

    def replay_entry(self, entry: Entry) -> list[str]:
        """Replay one entry; the differences from the journal, in words."""
        first, self._begun, self.event = not self._begun, True, None
        if entry.type == SNAPSHOT:
            return self._begin_with(entry) if first else self.counted.differences(entry.body)
        if entry.type == "start":
            versions = entry.body.get(VERSIONS)
            engine = versions.get("engine") if isinstance(versions, dict) else None
            self.same_engine = engine == ENGINE_VERSION
        try:
            self.event = event_of(entry)
            outcome = self.counted.apply(self.event)
        except Exception as error:  # a table that cannot be opened is of no use
            return [f"cannot be replayed: {error or type(error).__name__}"]
        stored = stored_outcome(entry)
        if stored is None:
            return ["what came of it has not the form of that"]
        found = outcome.as_body()
        return [
            difference
            for key in sorted({*stored, *found})
            if stored.get(key) != found.get(key)
            for difference in _in_words(key, stored.get(key), found.get(key))
        ]

    def _begin_with(self, entry: Entry) -> list[str]:
        self.same_engine = entry.body.get("engine") == ENGINE_VERSION
        try:
            self.counted = CountedTable.load(entry.body)
        except BadSnapshot as error:
            self.groundless = str(error)
            return [f"cannot be replayed: {error}"]
        return []


def _in_words(key: str, stored: object, found: object) -> list[str]:
    if key == "settlements" and (words := list(_settled_otherwise(stored, found))):
        return words
    if isinstance(stored, list) and isinstance(found, list):
        added = [one for one in found if one not in stored]
        left_out = [one for one in stored if one not in found]
        if added or left_out:
            stored, found = left_out, added
    return [f"{key} is {found!r} on replay, but the journal has {stored!r}"]


def _settled_otherwise(stored: object, found: object) -> Iterator[str]:
    """The differences wager by wager; empty where the journal's value has not the form of
    settlements."""
    there, here = _by_wager(stored), _by_wager(found)
    if there is None or here is None:
        return
    for wager in {**there, **here}:
        one, other = there.get(wager, {}), here.get(wager, {})
        names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        if "net" in names or not (one and other):
            nets = [whose["net"] if whose else "not settled" for whose in (one, other)]
            yield f"{wager}: journal {nets[0]}, replay {nets[1]}"
        elif names:
            has, gives = ([whose.get(name) for name in names] for whose in (one, other))
            yield f"{wager}, {', '.join(names)}: journal {_row(has)}, replay {_row(gives)}"


def _row(values: list[object]) -> str:
    return ", ".join(map(str, values))


def _by_wager(settlements: object) -> dict[str, dict[str, object]] | None:
    if settlements is None:
        return {}
    try:
        rows = checked(list[dict[str, object]], settlements)
        named = {
            f"box {one['box']}{one['bettor']} hand {one['hand']} {one['kind']}": {
                **one,
                "net": one["net"],
            }
            for one in rows
        }
    except (LookupError, WrongForm):
        return None
    return named if len(named) == len(rows) else None


def differences(replay: Replay, entries: Iterable[Entry]) -> list[str]:
    """Replay the entries; the first differences in those that this version of the engine played."""
    found: list[str] = []
    for entry in entries:
        differs = replay.replay_entry(entry)
        if replay.same_engine and len(found) < MOST_KEPT:
            found += [f"entry {entry.seq} ({entry.type}): {what}" for what in differs]
    return found[:MOST_KEPT]


def replay_table(entries: Iterable[Entry]) -> tuple[Table, list[str]]:
    """The table as it was after the last entry, and the differences found on the way."""
    replay = Replay()
    found = differences(replay, entries)
    return replay.table, found


def rounds_from(
    entries: Iterable[Entry], counted: CountedTable | None = None, watch: Watch | None = None
) -> Iterator[RoundResult]:
    """Every round that was played to its end, as result objects with ``round``, ``shoe`` (as drawn,
    with marks) and ``draws``; the last one also while in progress. ``counted`` is the state before
    the entries (None: they are the whole journal)."""
    replay = Replay(counted)
    over: RoundResult | None = None
    for entry in entries:
        differs = replay.replay_entry(entry)
        table = replay.table
        if watch is not None:
            watch(entry, table, differs if replay.same_engine else [])
        if over is not None and over["round"] != table.round_number:
            if table.entering.saved:  # until then ``undo`` and a correction may change it
                continue
            yield over
            over = None
        if table.rnd is not None:
            over = _round(table) if table.phase == ENDED else None
    if over is not None:
        yield over
    table = replay.table
    if table.mid_round and (over is None or over["round"] != table.round_number):
        yield _round(table)


def _round(table: Table) -> RoundResult:
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
        "draws": list(table.jackpot.draws),
    }
