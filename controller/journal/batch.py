"""A batch made ready to be written: numbered, spelled and chained, without touching the file.

This runs between a card and its acknowledgement, so every entry is spelled once, and what the
file has to be asked for is in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.journal.canonical import canonical, columns, digest
from controller.journal.events import EventPosition
from controller.journal.model import Boot, Draft, Entry
from controller.journal.rows import Row

Session = tuple[str, int]
"""A device's name and the number of one of its sessions."""


def prepare(
    drafts: Sequence[Draft],
    boot: Boot,
    head: tuple[int, bytes],
    positions: Mapping[Session, EventPosition],
    mono_ns: int,
    wall: str,
) -> tuple[list[Entry], list[Row]]:
    """Return the entries that follow ``head``, and their rows; raise BadDraft before any of it.

    ``positions`` are those before the batch; one that the batch renumbers counts on from there.
    """
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
    """Return which numbering of its session a draft belongs to, None if to none.

    ``renumbered`` holds the sessions renumbered in this batch, and is added to.
    """
    if draft.event_no is None and not draft.renumbered:
        return None
    known = positions.get(key)
    numbering = renumbered.get(key, 0 if known is None else known.numbering)
    if draft.renumbered:
        numbering = renumbered[key] = numbering + 1
    return numbering
