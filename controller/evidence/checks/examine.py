"""Examination of a stopped or damaged journal without changing it.

The rules:

- The log first, as at a start; with a damaged one nothing is read, since SQLite would silently drop
  a part of it.
- Entries can be read up to the first that something is wrong with. What was cut off at the end does
  not show in the files: a device, a signed head or the second copy may know of more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.checks.verify import VerificationReport, verify
from controller.evidence.checks.vouching import doubts_of
from controller.journal import schema
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.keys import PublicKey
from controller.journal.log_check import check_log
from controller.journal.model import Predecessor
from controller.journal.opening import RECOVERING
from controller.journal.reader import JournalReader

MOST_TOLD: Final = 20
"""The most findings of a damaged file that are reported; there may be one for every entry."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What is to be said of a journal's files: whether they are ``well``, the last entry before
    anything is wrong (0: none can be read), what is wrong, and what is worth a word and is not."""

    well: bool
    last_seq: int
    findings: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def examine(directory: Path, keys: Collection[PublicKey]) -> Examined:
    """Look at a stopped or damaged journal, which one of ``keys`` should have signed, without
    changing anything; never raises for damage."""
    path = directory / schema.FILE_NAME
    findings: list[str] = []
    remarks: tuple[str, ...] = ()
    last = 0
    if path.with_name(path.name + RECOVERING).exists():
        findings.append("a recovery was begun and not finished")
    try:
        check_log(path)
        with JournalReader(directory) as reader:
            report = verify(reader)
            last, remarks = _proven(report, reader.predecessor), report.remarks
            findings += map(str, report.findings)
            cover = reader.cover(keys)
            if cover.wrong:
                findings.append(cover.wrong)
            findings += (one.what for one in doubts_of(reader, keys).findings)
    except (sqlite3.Error, OSError, TypeError, ValueError, JournalError) as error:
        findings.append(error.what if isinstance(error, DamagedJournal) else str(error))
    return Examined(not findings, last, tuple(findings[:MOST_TOLD]), remarks)


def _proven(report: VerificationReport, before: Predecessor | None) -> int:
    """The entry before the first that something is wrong with; 0 where that is the very first."""
    begun = before.seq if before else 0
    wrong = [found.seq for found in report.findings if found.seq is not None and found.seq > begun]
    last = min([report.last_seq, *(seq - 1 for seq in wrong)])
    return last if last > begun else 0
