"""Who else knows that a journal's commits are signed: the last night, and the second copy.

Whoever rewrites a journal takes its row and its marks away, and cannot take away what lies
elsewhere. Each is asked by itself: one that cannot be read hides no other, and who looks after it
says so.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from controller.evidence.seals.sealed import SAYS, is_signed
from controller.files.media import Question
from controller.journal import schema
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.upkeep.night import report as night_report
from controller.upkeep.night.report import Report

WITHIN_S: Final = 2.0
"""Each medium is waited for so long."""

UNREADABLE: Final = (JournalError, sqlite3.Error, OSError, ValueError, TypeError)


def signed_elsewhere(state: Path, copy: Path | None) -> str:
    """What says so of the journal in the directory ``state``, in words; "" where nothing does.
    ``copy`` is the directory of its second copy."""
    report = last_night(state)
    if report is not None and (last := report["journal"]) is not None and last.get("signed"):
        return f"the night that ended {report['ended']} {SAYS}"
    with contextlib.suppress(*UNREADABLE):
        if copy is not None and Question(lambda: _copy_is(copy)).answer(WITHIN_S):
            return f"its second copy {SAYS}"
    return ""


def last_night(state: Path) -> Report | None:
    """The last report, if it is of the journal in the directory ``state``."""
    try:
        report = Question(lambda: night_report.read(night_report.USUAL)).answer(WITHIN_S)
    except OSError:
        return None
    return report if report is not None and report["state"] == str(state) else None


def _copy_is(copy: Path) -> bool:
    if not (copy / schema.FILE_NAME).exists():
        return False
    with JournalReader(copy) as reader:
        return is_signed(reader)
