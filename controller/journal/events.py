"""A batch made ready to be written, and up to where the events of each device are stored.

A batch is numbered, spelled and chained without touching the file: this runs between a card and its
acknowledgement, so every entry is spelled once, and what the file has to be asked for is in memory.

A device names its numbering by ``session``; ``numbering`` counts how often that session was
renumbered (see :mod:`controller.journal.model`). The index ``entry_event`` is walked from one
session to the next, so the cost is that of the number of sessions, not of events. A journal that
goes on from an archived one has the positions reached before in its first entry. Nothing is checked
here: callers have checked the journal (:mod:`controller.journal.chain`, ``verify``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.forms.json_values import checked
from controller.journal import rows
from controller.journal.canonical import canonical, columns, decode, digest
from controller.journal.model import Boot, Draft, Entry
from controller.journal.rows import Row

CARRIED: Final = "carried"
"""Key of the body of the first entry of a journal that goes on from an archived one."""


@dataclass(frozen=True, slots=True)
class EventPosition:
    """The last event stored of a session (0: none since it was renumbered) and its entry."""

    numbering: int
    event_no: int
    seq: int


def position_of(entry: Entry) -> tuple[tuple[str, int], EventPosition] | None:
    """Return the (device, session) that an entry moves on and to where, None for other entries."""
    draft = entry.draft
    if entry.numbering is None or draft.device is None or draft.session is None:
        return None
    position = EventPosition(entry.numbering, draft.event_no or 0, entry.seq)
    return (draft.device, draft.session), position


def load_positions(connection: sqlite3.Connection) -> dict[tuple[str, int], EventPosition]:
    """Return the position of every (device, session) that the journal holds, or was begun with."""
    found = {
        (device, session): _position(connection, device, session)
        for device in _devices(connection)
        for session in _sessions(connection, device)
    }
    return {**carried(connection), **found}


def spelled(positions: Mapping[tuple[str, int], EventPosition]) -> list[list[str | int]]:
    """Positions as a new journal's first entry carries them."""
    return [
        [device, session, known.numbering, known.event_no, known.seq]
        for (device, session), known in sorted(positions.items())
    ]


def carried(connection: sqlite3.Connection) -> dict[tuple[str, int], EventPosition]:
    """Return the positions that the journal was begun with: none for a table's first."""
    before = rows.predecessor(connection)
    if before is None:
        return {}
    query = "SELECT body FROM entry WHERE seq = ?"
    row = connection.execute(query, (before.seq + 1,)).fetchone()
    written = None if row is None else decode(row[0]).get(CARRIED)
    return {
        (checked(str, device), checked(int, session)): EventPosition(
            *(checked(int, number) for number in numbers)
        )
        for device, session, *numbers in checked(list[list[object]], written or [], CARRIED)
    }


def _devices(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT min(device) FROM entry WHERE numbering IS NOT NULL AND device > ?"
    found: list[str] = []
    # No device is named by the empty text, which sorts before every name.
    while (
        device := connection.execute(query, (found[-1] if found else "",)).fetchone()[0]
    ) is not None:
        found.append(device)
    return found


def _sessions(connection: sqlite3.Connection, device: str) -> list[int]:
    query = (
        "SELECT min(session) FROM entry WHERE numbering IS NOT NULL AND device = ? AND session > ?"
    )
    found: list[int] = []
    while (
        session := connection.execute(query, (device, found[-1] if found else -1)).fetchone()[0]
    ) is not None:
        found.append(session)
    return found


def _position(connection: sqlite3.Connection, device: str, session: int) -> EventPosition:
    numbering, event_no, seq = connection.execute(
        "SELECT numbering, coalesce(event_no, 0), seq FROM entry "
        "WHERE numbering IS NOT NULL AND device = ? AND session = ? "
        "ORDER BY device DESC, session DESC, numbering DESC, event_no DESC LIMIT 1",
        (device, session),
    ).fetchone()
    return EventPosition(numbering, event_no, seq)


Session = tuple[str, int]  # a device's name and the number of one of its sessions


def prepare(
    drafts: Sequence[Draft],
    boot: Boot,
    head: tuple[int, bytes],
    positions: Mapping[Session, EventPosition],
    mono_ns: int,
    wall: str,
) -> tuple[list[Entry], list[Row]]:
    """Return the entries that follow ``head``, and their rows; raise BadDraft before any of it.
    ``positions`` are those before the batch; one that the batch renumbers counts on from there."""
    boot_no, boot_id = boot.boot, boot.boot_id
    seq, before = head
    renumbered: dict[Session, int] = {}
    entries: list[Entry] = []
    values: list[Row] = []
    for draft in drafts:
        seq += 1
        device, session, event_no = draft.device, draft.session, draft.event_no
        numbering = None
        if device is not None and session is not None:
            numbering = _numbering(draft, (device, session), positions, renumbered)
        rest = draft.type, device, session, numbering, event_no, draft.t_ms, draft.offer
        body = canonical(draft.body)
        before = digest(before, columns(seq, boot_no, boot_id, mono_ns, wall, *rest), body)
        values.append((seq, boot_no, mono_ns, wall, *rest, body, before))
        entries.append(Entry(seq, boot_no, mono_ns, wall, draft, numbering, before))
    return entries, values


def _numbering(
    draft: Draft,
    key: Session,
    positions: Mapping[Session, EventPosition],
    renumbered: dict[Session, int],
) -> int | None:
    if draft.event_no is None and not draft.renumbered:
        return None
    known = positions.get(key)
    numbering = renumbered.get(key, 0 if known is None else known.numbering)
    if draft.renumbered:
        numbering = renumbered[key] = numbering + 1
    return numbering
