"""One night: the journal verified, closed files verified, taken and removed, and the report.

Each step stands by itself: what keeps one from being done is told, and the others are done.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.configuration.model import Configuration
from controller.evidence.heads import beside
from controller.evidence.trust import OWN_WORD, keys_beside
from controller.evidence.verification import Watch, unwatched
from controller.journal.errors import JournalError
from controller.journal.reader import closed_files
from controller.journal.schema import FILE_NAME
from controller.not_done import NotDone
from controller.upkeep import night_report as reports
from controller.upkeep.closure import digest_of
from controller.upkeep.night.medium import FileNotTaken, Medium
from controller.upkeep.night.memory import noted, verified_last
from controller.upkeep.night.verification import (
    Doubts,
    described,
    reported_findings,
    verify_closed,
    verify_own,
)
from controller.upkeep.night_report import Closed, MissingNight, NightReport

TROUBLE: Final = (JournalError, sqlite3.Error, OSError, NotDone)
NOT_WELL: Final = "keep a copy of the whole state directory as it is, repair nothing, call support"


class Night:
    """The night of the table with that configuration; ``before`` is the last report, ``path`` where
    the next one goes. ``to`` stands in for ``[archive] to``."""

    def __init__(
        self,
        config: Configuration,
        path: Path,
        to: Path | None = None,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        watch: Watch = unwatched,
    ) -> None:
        self._config = config
        self._path = path
        self._before: NightReport | None = None
        self._missing: list[MissingNight] = []
        self._doubts = Doubts([])
        self._to = to or config.archive.to
        self._wall = wall
        self._watch = watch
        self._problems: list[str] = []
        self._well = True
        self._key: str | None = None

    def run(self) -> NightReport:
        """Do all of it; the report, which is written. Where it cannot be, it says so itself: what
        was found by then is told all the same."""
        self._before = self._remembered()
        if self._before is not None:
            self._missing = self._before.get("missing", [])
            self._doubts = Doubts(self._before.get("accepted", []))
        began, clock = self._wall(), time.monotonic()
        journal = self._own(began)
        closed = self._closed(began)
        removed = self._away(closed, began)
        self._well = self._well and all(one["well"] for one in closed.values())
        ended = self._wall().isoformat(timespec="seconds")
        fine = self._well and not self._problems
        before = self._before["well_at"] if self._before else None
        report: NightReport = {
            "format": reports.FORMAT,
            "table": self._config.table.id,
            "state": str(self._config.state_directory),
            "began": began.isoformat(timespec="seconds"),
            "ended": ended,
            "took_s": round(time.monotonic() - clock, 3),
            "well": self._well,
            "key": self._key,
            "well_at": ended if fine else before,
            "journal": journal,
            "closed": list(closed.values()),
            "removed": removed,
            "problems": self._problems,
        }
        if self._missing:
            report["missing"] = self._missing
        if self._doubts.accepted:
            report["accepted"] = self._doubts.accepted
        if self._doubts.stands:
            report["doubts"] = self._doubts.stands
        try:
            reports.write(self._path, report)
        except OSError as error:
            report["well_at"] = before
            self._problem(
                f"the report {self._path} cannot be written, and the next night knows nothing of "
                f"this one: {cause_of(error, self._path)}"
            )
        return report

    def _remembered(self) -> NightReport | None:
        """The last report, if it is of this state directory; another one is put aside."""
        report = reports.read_night_report(self._path)
        state = str(self._config.state_directory)
        if report is not None and report["state"] == state:
            return report
        if not os.path.lexists(self._path):
            return None
        aside = self._path.with_name(self._path.name + ".aside")
        with contextlib.suppress(OSError):  # whoever may not is told so where it is to be written
            self._path.rename(aside)
        why = "cannot be read" if report is None else f"is of {report['state']}"
        self._problem(
            f"{self._path}, the last report, {why} and was put aside as {aside.name}: all is "
            f"verified anew, and {reports.HISTORY} has what was missing until then"
        )
        return None

    def _own(self, now: datetime) -> reports.NightJournal | None:
        before = self._before["journal"] if self._before else None
        missed = self._before is not None and not self._before["well"]
        if before is None and not missed and not self._was_started():
            return None
        try:
            journal, looked, by = verify_own(
                self._config,
                before,
                (self._missing, verified_last(self._before)),
                self._doubts,
                now,
                self._watch,
            )
        except TROUBLE as error:
            self._problem(f"the journal cannot be verified: {error}")
            self._well = False
            return before  # for the next night to compare with
        self._note_missing(looked.missing, now)
        self._well, self._key = self._well and not journal["findings"], by.by
        for what in looked.untold:
            self._problem(what)
        if by.of_the_journal:
            self._problem(
                f"{OWN_WORD}: {keys_beside(self._config.path)} is not there, so a journal "
                "that was signed with another key would not show. As root: tablectl journal "
                "checkpoint --vkey > that file, and compare it with what was written down"
            )
        if not self._config.heads.exists():
            self._problem(
                f"{self._config.heads} is not there: the journal was verified without its signed "
                "heads, so a missing end would not show"
            )
        return journal

    def _note_missing(self, missing: list[MissingNight], now: datetime) -> None:
        before, self._missing = self._missing, missing
        lines = [("missing", one) for one in missing if one not in before]
        lines += [("back", one) for one in before if one not in missing]
        try:
            for what, one in lines:
                if one["lost"]:
                    reports.note(self._path, noted(what, one, now))
        except OSError as error:
            self._problem(f"{reports.HISTORY} cannot be written ({cause_of(error, self._path)})")

    def _was_started(self) -> bool:
        """Whether there is a journal; also where whoever asks may not look there, who is then told
        so."""
        try:
            return (self._config.state_directory / FILE_NAME).exists()
        except PermissionError:
            return True

    def _closed(self, now: datetime) -> dict[Path, Closed]:
        known = {one["name"]: one for one in (self._before["closed"] if self._before else ())}
        found: dict[Path, Closed] = {}
        try:
            for file in closed_files(self._config.state_directory):
                try:
                    fresh = described(file)
                except ValueError:
                    self._problem(f"{file} is named like no closed journal: move it elsewhere")
                    continue
                one = found[file] = known.get(file.name, fresh)
                if one["bytes"] != fresh["bytes"] or not one["well"] or "sha256" not in one:
                    found[file] = one = {**fresh, "taken": one["taken"]}
                    self._verify(file, one, now)
        except PermissionError as error:
            self._problem(
                f"the closed journals in {error.filename} may not be read by this user; be root"
            )
        except OSError as error:
            self._problem(f"the closed journals cannot be read: {error}")
        return found

    def _verify(self, file: Path, one: Closed, now: datetime) -> None:
        try:
            digest = digest_of(file).hex()
            one["verified"], findings = verify_closed(
                self._config, file, self._doubts, now, self._watch
            )
        except TROUBLE as error:
            self._problem(f"{file} cannot be verified: {error}")
            return
        one["well"], one["findings"] = not findings, reported_findings(findings)
        if one["well"]:
            one["sha256"] = digest
        if not os.path.lexists(beside(file)):
            self._problem(
                f"{beside(file)} is not there: {file.name} was verified without its signed "
                "heads, so a missing end would not show. Put them back if they were moved"
            )

    def _away(self, closed: dict[Path, Closed], now: datetime) -> list[str]:
        """Take what is well, and remove what was taken long enough ago; the names of the latter,
        which are no longer among ``closed``."""
        removed: list[str] = []
        if self._to is None or not closed:
            return removed
        medium = Medium(
            self._to,
            self._config.state_directory,
            self._config.copy,
            lambda what: reports.note(self._path, what),
        )
        try:
            medium.check()
        except FileNotTaken as error:
            self._problem(str(error))
            return removed
        for file, one in list(closed.items()):
            if not one["well"]:
                self._problem(f"{file} is not well, is not taken and stays: {NOT_WELL}")
                continue
            try:
                medium.take_file(file, one, now)
                if medium.remove(file, one, now, self._config.archive.keep_days):
                    removed.append(file.name)
                    del closed[file]
            except FileNotTaken as error:
                self._problem(str(error))
            except TROUBLE as error:
                self._problem(f"{file}: {error}")
        return removed

    def _problem(self, what: str) -> None:
        self._problems.append(what)
