"""The report of the nightly run: a file that another program writes, read with suspicion.

The rules:

- It is a regular file of at most ``MOST_BYTES``, JSON, of format 1. What it has besides is another
  version's and is passed over; what it must have and has not makes it one that cannot be read.
- Of a report that cannot be read nothing is told but that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypedDict

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.forms.json_values import WrongForm, checked
from controller.regular_files import read_whole
from exporter import catalogue as names
from exporter.metrics import Metric, timestamp

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


NightFigures = Mapping[Metric, float | None]
"""What a nightly run says. Times are seconds since 1970; None: not told, or not yet."""


def read_report(path: Path) -> NightFigures:
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


def parse(data: bytes) -> NightFigures:
    """The report that a file has in it; raises ValueError or RecursionError where it is none."""
    told = checked(dict[str, object], json.loads(data), "report")
    if told.get("format") != FORMAT or isinstance(told["format"], bool):
        raise WrongForm(f"a report of another format than {FORMAT}")
    report = checked(_Report, told, "report")
    journal: _Journal = report.get("journal") or {}
    closed = report.get("closed", [])
    waiting = [one for one in closed if one.get("taken") is None]
    ages = [timestamp(one["closed"], "report.closed") for one in waiting if "closed" in one]
    return {
        names.NIGHTLY_BEGAN: timestamp(report["began"], "report.began"),
        names.NIGHTLY_ENDED: timestamp(report["ended"], "report.ended"),
        names.NIGHTLY_SUCCESS: _time(report.get("well_at"), "report.well_at"),
        names.NIGHTLY_TOOK: report.get("took_s"),
        names.NIGHTLY_WELL: report["well"],
        names.NIGHTLY_FINDINGS: len(journal.get("findings", [])),
        names.NIGHTLY_PROBLEMS: len(report.get("problems", [])),
        names.NIGHTLY_BYTES: journal.get("bytes"),
        names.NIGHTLY_VERIFIED: journal.get("to"),
        names.NIGHTLY_WHOLE: _time(journal.get("whole_at"), "report.journal.whole_at"),
        names.CLOSED: len(closed),
        names.CLOSED_DAMAGED: sum(not one.get("well", True) for one in closed),
        names.CLOSED_WAITING: len(waiting),
        names.CLOSED_WAITING_BYTES: sum(one.get("bytes", 0) for one in waiting),
        names.CLOSED_OLDEST: min(ages, default=None),
        names.CLOSED_REMOVED: len(report.get("removed", [])),
    }


def _time(text: str | None, where: str) -> float | None:
    return None if text is None else timestamp(text, where)
