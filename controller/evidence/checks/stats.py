"""What a journal holds and how large it is, for the technician and for the disk's watch."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.opening import wal_bytes
from controller.journal.reader import JournalReader

BETWEEN_ROUNDS: Final = frozenset({"idle", "closed", "service", "settled", "void"})


@dataclass(frozen=True, slots=True)
class EntryMoment:
    """When an entry was made; ``wall`` is a remark."""

    seq: int
    boot: int
    wall: str


@dataclass(frozen=True, slots=True)
class BootStats:
    """How many entries a boot of the controller made, and from which on."""

    boot: int
    boot_id: str
    wall: str
    entries: int


@dataclass(frozen=True, slots=True)
class Stats:
    """The journal in figures; sizes in bytes. ``first`` and ``last`` are None when it is empty."""

    entries: int
    by_type: dict[str, int]
    draws: int
    first: EntryMoment | None
    last: EntryMoment | None
    boots: tuple[BootStats, ...]
    file_bytes: int
    wal_bytes: int
    free_bytes: int


def collect(reader: JournalReader) -> Stats:
    """Count the journal."""
    execute = reader.connection.execute
    by_type = dict(
        execute("SELECT type, count(*) FROM entry GROUP BY type ORDER BY type").fetchall()
    )
    by_boot = dict(execute("SELECT boot, count(*) FROM entry GROUP BY boot").fetchall())
    ends = [
        execute(f"SELECT seq, boot, wall FROM entry ORDER BY seq {way} LIMIT 1").fetchone()  # noqa: S608
        for way in ("ASC", "DESC")
    ]
    first, last = (None if row is None else EntryMoment(*row) for row in ends)
    return Stats(
        entries=sum(by_type.values()),
        by_type=by_type,
        draws=by_type.get("draw", 0),
        first=first,
        last=last,
        boots=tuple(
            BootStats(known.boot, known.boot_id, known.wall, by_boot.get(known.boot, 0))
            for known in reader.boots
        ),
        file_bytes=reader.path.stat().st_size,
        wal_bytes=wal_bytes(reader.path),
        free_bytes=free_bytes(reader.directory),
    )


def free_bytes(directory: Path) -> int:
    """Return the bytes that an ordinary user may still write on the directory's file system."""
    figures = os.statvfs(directory)
    return figures.f_bavail * figures.f_frsize


def rounds_opened(reader: JournalReader) -> int:
    """Rounds counted by the states that entries led to; an ``open`` taken back counts no more."""
    rounds, before = 0, "idle"
    for entry in reader.iterate():
        after = entry.body.get("after")
        state = after.get("state") if isinstance(after, dict) else None
        if not isinstance(state, str):
            continue
        state = state.removeprefix("held.")
        if state == "betting" and before in BETWEEN_ROUNDS:
            rounds += 1
        elif before == "betting" and state in BETWEEN_ROUNDS:
            rounds -= 1
        before = state
    return rounds
