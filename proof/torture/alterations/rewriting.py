"""Rewrites by chance: some entries of a journal altered, added, removed or exchanged, anywhere.

Each rewrite takes a journal and chance, and alters the journal's entries; none sees to it that they
fit. Which entries are altered is by chance, also the first one, a start's record and the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

from controller.journal.canonical import canonical
from proof.torture.alterations.ledger import (
    BODY,
    BOOT,
    EVENT_NO,
    MONO_NS,
    OFFER,
    TYPE,
    WALL,
    Ledger,
    Row,
    body_of,
)

MOST: Final = 20
VALUES: Final[tuple[Any, ...]] = (1, 49, -7, "x", "", None, True, [], ["x"], {})
"""What some value is exchanged for."""

Rewrite = Callable[[Ledger, Random], None]


def rewrite(ledger: Ledger, source: Random) -> set[str]:
    """Alter between one and :data:`MOST` entries, and number them again; how it was done."""
    done: set[str] = set()
    for _ in range(source.randint(1, MOST)):
        one = source.choice(REWRITES)
        one(ledger, source)
        done.add(one.__name__.removeprefix("_"))
    ledger.number()
    return done


def settled_anew(row: Row, net: str) -> bool:
    """Have what an entry settled come out with that; whether it settled anything."""
    body = json.loads(row[BODY])
    after = body.get("after")
    settled = after.get("settlements") if isinstance(after, dict) else None
    if not (isinstance(settled, list) and settled and isinstance(settled[0], dict)):
        return False
    settled[0] |= {"net": net, "outcome": "win"}
    row[BODY] = canonical(body)
    return True


def settle(rows: Iterable[Row], source: Random) -> None:
    """One settlement among them comes out otherwise."""
    rows = list(rows)
    source.shuffle(rows)
    if not any(settled_anew(row, "1000.00") for row in rows):
        with body_of(rows[0]) as body:
            body["forged"] = True


def without_state(row: Row) -> None:
    """Take away which state the table was in behind an entry."""
    with body_of(row) as body:
        if isinstance(body.get("after"), dict):
            body["after"].pop("state", None)


def of_another_engine(row: Row, engine: str) -> None:
    """Have a start, or a snapshot, be of another version of the engine."""
    with body_of(row) as body:
        if row[TYPE] == "start" and isinstance(body.get("versions"), dict):
            body["versions"]["engine"] = engine
        elif "engine" in body:
            body["engine"] = engine


# ---- by chance ----------------------------------------------------------------------------------


def _any(ledger: Ledger, source: Random) -> Row:
    """An entry; the first, the last one and start records more often than others."""
    entries = ledger.entries
    starts = [row for row in entries if row[TYPE] == "start"]
    groups = [entries, entries, entries, entries[:1], entries[-1:], starts or entries]
    return source.choice(source.choice(groups))


def _settlement(ledger: Ledger, source: Random) -> None:
    rows = list(ledger.entries)
    source.shuffle(rows)
    net = f"{source.randint(100, 9000)}.00"
    if not any(settled_anew(row, net) for row in rows):
        _value(ledger, source)


def _engine(ledger: Ledger, source: Random) -> None:
    starts = [row for row in ledger.entries if row[TYPE] in ("start", "snapshot")]
    if starts:
        of_another_engine(source.choice(starts), str(source.randint(1, 3)))


def _state(ledger: Ledger, source: Random) -> None:
    without_state(_any(ledger, source))


def _squeezed(ledger: Ledger, source: Random) -> None:
    """The monotonic clocks of a stretch, squeezed into a moment."""
    at = source.randrange(len(ledger.entries))
    first = ledger.entries[at]
    for row in ledger.entries[at : at + source.randint(2, 30)]:
        if row[BOOT] == first[BOOT]:
            row[MONO_NS] = first[MONO_NS]


def _clock(ledger: Ledger, source: Random) -> None:
    row = _any(ledger, source)
    row[WALL] = f"2026-11-2{source.randint(0, 9)}T12:00:00.{source.randint(0, 999):03}+00:00"


def _value(ledger: Ledger, source: Random) -> None:
    """Some value of a body, or of what stands in it."""
    with body_of(_any(ledger, source)) as body:
        inside = body
        while (inner := [one for one in inside.values() if isinstance(one, dict)]) and (
            source.random() < 0.5
        ):
            inside = source.choice(inner)
        if inside:
            inside[source.choice(sorted(inside))] = source.choice(VALUES)


def _kind(ledger: Ledger, source: Random) -> None:
    row = _any(ledger, source)
    if row[OFFER] is None:
        row[TYPE] = source.choice(("dealer", "supervisor", "note", "stop", "condition"))


def _added(ledger: Ledger, source: Random) -> None:
    """One more of an entry, somewhere; a device's event under the next number of its session."""
    row = list(_any(ledger, source))
    if row[OFFER] is not None:
        return
    if row[EVENT_NO] is not None:
        row[EVENT_NO] = max(other[EVENT_NO] or 0 for other in ledger.entries) + 1
    place = source.randint(0, len(ledger.entries))
    ledger.entries.insert(place, row)


def _removed(ledger: Ledger, source: Random) -> None:
    if len(ledger.entries) > 2:
        ledger.entries.remove(_any(ledger, source))


def _end_removed(ledger: Ledger, source: Random) -> None:
    kept = max(2, len(ledger.entries) - source.randint(1, MOST))
    del ledger.entries[kept:]


def _exchanged(ledger: Ledger, source: Random) -> None:
    entries = ledger.entries
    one, other = source.randrange(len(entries)), source.randrange(len(entries))
    entries[one], entries[other] = entries[other], entries[one]


def _excused(ledger: Ledger, source: Random) -> None:
    """What an earlier rule took for an excuse: heads that could not be written."""
    excuse(ledger, source.randint(0, len(ledger.entries)))


def excuse(ledger: Ledger, place: int) -> None:
    """Have an entry there say that no heads could be written."""
    near = ledger.entries[max(0, place - 1)]
    body = {"after": {}, "detail": "its medium does not answer", "fault": "heads-failing"}
    row: Row = [0, *near[BOOT : WALL + 1], "condition", *[None] * 6, "", bytes(32)]
    row[BODY] = canonical(body | {"present": True})
    ledger.entries.insert(place, row)


REWRITES: Final[tuple[Rewrite, ...]] = (
    *(_settlement, _settlement, _engine, _state, _squeezed, _clock, _value, _kind),
    *(_added, _removed, _end_removed, _exchanged, _excused),
)
