"""The report of the nightly run: a file that another program writes, read with suspicion.

The rules:

- It is a regular file of at most ``MOST_BYTES``, JSON, of format 1. What it has besides is another
  version's and is passed over; what it must have and has not makes it one that cannot be read.
- Of a report that cannot be read nothing is told but that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.json_values import WrongForm, checked
from controller.regular_files import read_whole
from exporter import catalogue as names
from exporter.metrics import Readings, timestamp

USUAL: Final = Path("/var/lib/table-controller-nightly/report.json")
FORMAT: Final = 1
MOST_BYTES: Final = 4 << 20


class Unreadable(Exception):
    """There is no report, or none that can be read; the message says why."""


class _Journal(TypedDict, total=False):
    bytes: int
    to: int
    whole_at: str | None
    findings: list[dict[str, object]]


class _Closed(TypedDict, total=False):
    bytes: int
    closed: str
    well: bool
    taken: dict[str, object] | None


class _Core(TypedDict):
    began: str
    ended: str
    well: bool


class _Report(_Core, total=False):
    took_s: float
    journal: _Journal | None
    closed: list[_Closed]
    removed: list[str]
    problems: list[str]
    well_at: str | None


@dataclass(frozen=True, slots=True)
class NightSummary:
    """A nightly run. Times are seconds since 1970; None: not told, or not yet."""

    began: float
    ended: float
    well: bool
    well_at: float | None
    took_s: float | None
    findings: int
    problems: int
    journal_bytes: int | None
    verified_to: int | None
    whole_at: float | None
    closed: int
    damaged: int
    waiting: int
    waiting_bytes: int
    oldest_waiting: float | None
    removed: int


def read_report(path: Path) -> NightSummary:
    """The report in that file.

    Raises:
        Unreadable: there is none.
    """
    try:
        data = read_whole(path, MOST_BYTES)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {cause_of(error, path, wants=READ)}") from error
    except ValueError as error:  # a name that no file can have
        raise Unreadable(f"{path}: {error}") from error
    try:
        return parse(data)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: {error}") from error


def parse(data: bytes) -> NightSummary:
    """The report that a file has in it; raises ValueError or RecursionError where it is none."""
    told = checked(dict[str, object], json.loads(data), "report")
    if told.get("format") != FORMAT or isinstance(told["format"], bool):
        raise WrongForm(f"a report of another format than {FORMAT}")
    report = checked(_Report, told, "report")
    journal: _Journal = report.get("journal") or {}
    closed = report.get("closed", [])
    waiting = [one for one in closed if one.get("taken") is None]
    ages = [timestamp(one["closed"], "report.closed") for one in waiting if "closed" in one]
    return NightSummary(
        began=timestamp(report["began"], "report.began"),
        ended=timestamp(report["ended"], "report.ended"),
        well=report["well"],
        well_at=_time(report.get("well_at"), "report.well_at"),
        took_s=report.get("took_s"),
        findings=len(journal.get("findings", [])),
        problems=len(report.get("problems", [])),
        journal_bytes=journal.get("bytes"),
        verified_to=journal.get("to"),
        whole_at=_time(journal.get("whole_at"), "report.journal.whole_at"),
        closed=len(closed),
        damaged=sum(not one.get("well", True) for one in closed),
        waiting=len(waiting),
        waiting_bytes=sum(one.get("bytes", 0) for one in waiting),
        oldest_waiting=min(ages, default=None),
        removed=len(report.get("removed", [])),
    )


def _time(text: str | None, where: str) -> float | None:
    return None if text is None else timestamp(text, where)


def tell(report: NightSummary, readings: Readings) -> None:
    """Add what it says."""
    for metric, value in (
        (names.NIGHTLY_BEGAN, report.began),
        (names.NIGHTLY_ENDED, report.ended),
        (names.NIGHTLY_SUCCESS, report.well_at),
        (names.NIGHTLY_TOOK, report.took_s),
        (names.NIGHTLY_WELL, report.well),
        (names.NIGHTLY_FINDINGS, report.findings),
        (names.NIGHTLY_PROBLEMS, report.problems),
        (names.NIGHTLY_BYTES, report.journal_bytes),
        (names.NIGHTLY_VERIFIED, report.verified_to),
        (names.NIGHTLY_WHOLE, report.whole_at),
        (names.CLOSED, report.closed),
        (names.CLOSED_DAMAGED, report.damaged),
        (names.CLOSED_WAITING, report.waiting),
        (names.CLOSED_WAITING_BYTES, report.waiting_bytes),
        (names.CLOSED_OLDEST, report.oldest_waiting),
        (names.CLOSED_REMOVED, report.removed),
    ):
        readings.add(metric, value)
