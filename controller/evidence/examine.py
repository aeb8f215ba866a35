"""A journal looked at for people, not changed: a stopped or damaged one examined; in figures; and
what an inspector needs of it, in a directory (export, signed heads, and keys). The rules:

- The log first, as at a start; with a damaged one nothing is read, since SQLite would silently drop
  a part of it.
- Entries can be read up to the first that something is wrong with. What was cut off at the end does
  not show in the files: a device, a signed head or the second copy may know of more.
- The directory is written up to the signed row, in one look, and the row stands behind the heads.
  Evidence that is in it already is not written over.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.evidence.recorded import doubts_of
from controller.evidence.trust import Trust
from controller.evidence.verify import Finding, VerificationReport, verify
from controller.forms.json_values import JsonObject
from controller.journal import schema
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.export import lines
from controller.journal.keys import PublicKey
from controller.journal.log_check import check_log
from controller.journal.opening import RECOVERING, wal_bytes
from controller.journal.reader import JournalReader
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import new_regular, read_regular

MOST_TOLD: Final = 20
"""The most findings of a damaged file that are reported; there may be one for every entry."""


def examine(directory: Path, keys: Collection[PublicKey]) -> VerificationReport:
    """Look at a stopped or damaged journal, which one of ``keys`` should have signed, without
    changing anything; never raises for damage. Its last entry is the one before anything is wrong
    (0: none can be read)."""
    path = directory / schema.FILE_NAME
    report = VerificationReport(0, 0, "", ())
    findings: list[str] = []
    if path.with_name(path.name + RECOVERING).exists():
        findings.append("a recovery was begun and not finished")
    try:
        check_log(path)
        with JournalReader(directory) as reader:
            report = verify(reader)
            report = replace(report, last_seq=_proven(report, reader.begins))
            findings += map(str, report.findings)
            cover = reader.cover(keys)
            if cover.wrong:
                findings.append(cover.wrong)
            findings += (one.what for one in doubts_of(reader, keys).findings)
    except (sqlite3.Error, OSError, TypeError, ValueError, JournalError) as error:
        findings.append(error.what if isinstance(error, DamagedJournal) else str(error))
    return replace(report, findings=tuple(Finding(None, one) for one in findings[:MOST_TOLD]))


def _proven(report: VerificationReport, begun: int) -> int:
    """The entry before the first that something is wrong with; 0 where that is the very first."""
    wrong = [found.seq for found in report.findings if found.seq is not None and found.seq > begun]
    last = min([report.last_seq, *(seq - 1 for seq in wrong)])
    return last if last > begun else 0


BETWEEN_ROUNDS: Final = frozenset({"idle", "closed", "service", "settled", "void"})


@dataclass(frozen=True, slots=True)
class Stats:
    """The journal in figures; sizes in bytes. ``first`` and ``last`` are ``seq``, ``boot`` and
    ``wall`` of these entries, None when it is empty; ``boots`` have ``boot``, ``boot_id``, ``wall``
    and the number of their ``entries``."""

    entries: int
    by_type: dict[str, int]
    draws: int
    first: JsonObject | None
    last: JsonObject | None
    boots: tuple[JsonObject, ...]
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
    names = ("seq", "boot", "wall")
    first, last = (row and dict(zip(names, row, strict=True)) for row in ends)
    return Stats(
        entries=sum(by_type.values()),
        by_type=by_type,
        draws=by_type.get("draw", 0),
        first=first,
        last=last,
        boots=tuple(
            {"boot": number, "boot_id": name, "wall": wall, "entries": by_boot.get(number, 0)}
            for number, name, wall, _ in reader.boots
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


HEADS: Final = "heads.jsonl"
JOURNAL: Final = "journal.jsonl"
KEY: Final = "public-key.txt"
_SOME: Final = 1 << 20


def heads_bytes(heads: Path) -> int:
    """How many bytes of heads there are; none where there is no file. It only grows."""
    try:
        with read_regular(heads) as file:
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return 0


def write(to: Path, reader: JournalReader, by: Trust, heads: tuple[Path, int]) -> tuple[int, int]:
    """Write it into the directory ``to``; the number of the last entry in it, and how many behind
    that are not signed and were left out. ``heads`` are their file and how many bytes of it are
    taken: those that were there before the row, which is read here and covers the entry of each.
    Raises NotDone: 1 no entry is signed, 2 there is something in the
    directory already."""
    cover = reader.cover(by.keys)
    if cover.row is None or not (last := cover.upto):
        raise NotDone(
            NOT_WELL,
            "no entry of this journal is signed with a key that counts: an export alone does not "
            "show that its end is missing; 'tablectl journal export > FILE' makes one",
        )
    _make_free(to)
    with new_regular(to / JOURNAL) as file:
        file.writelines(f"{line}\n".encode("ascii") for line in lines(reader, upto=last))
    path, left = heads
    with new_regular(to / HEADS) as file:
        if left:
            with read_regular(path) as there:
                while left and (some := there.read(min(left, _SOME))):
                    left -= file.write(some)
        file.write(cover.row.line(reader.identity).encode("ascii") + b"\n")
    with new_regular(to / KEY) as file:
        file.writelines(f"{key.text}\n".encode("ascii") for key in by.keys)
    return last, cover.last.seq - last


def _make_free(to: Path) -> None:
    there = next((path for name in (JOURNAL, HEADS, KEY) if (path := to / name).exists()), None)
    if there is None and (to.is_dir() or not to.exists()):
        to.mkdir(parents=True, exist_ok=True)
        return
    what = f"{there or to} is there already: name another directory with --evidence"
    raise NotDone(WRONG_USE, what)
