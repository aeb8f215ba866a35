"""The journals verified by night: the table's own while it is played, closed ones as they lie.
The rules:

- What was verified in an earlier night is not read again, but for the entry it ended with
  (:mod:`~.memory`). Once in ``WHOLE_DAYS``, and after a night that was not well, all of it is
  read from its first entry, played again and held against its signed heads.
- It is read in short looks (:mod:`controller.journal.rows`); SQLite's check of its own pages is one
  long look, and is left to closed files.
- A journal that is closed meanwhile is read on: it is the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.evidence.heads import beside
from controller.evidence.trust import Trust, by_configuration
from controller.evidence.verification import Watch, sealed_if_any, unwatched, verified
from controller.evidence.verify import Finding, ReplayCheck, VerificationReport
from controller.journal import rows
from controller.journal.model import Entry, Head
from controller.journal.reader import JournalReader
from controller.replay.recovery import before_entry
from controller.upkeep.night.memory import EarlierNights, look_for_missing
from controller.upkeep.night_report import Closed, MissingNight, NightFinding, NightJournal

WHOLE_DAYS: Final = 30
MOST_FINDINGS: Final = 20
NONE: Final = timedelta(0)
WHOLE_AGE: Final = timedelta(days=WHOLE_DAYS)
BEFORE: Final = 2000
"""Entries before those that are played again, which are looked at for what they may be about."""


@dataclass(slots=True)
class Doubts:
    """What starts have found wrong for ever: what is ``accepted`` of it, and what ``stands``."""

    accepted: list[NightFinding]
    stands: list[NightFinding] = field(default_factory=list)

    def left(self, report: VerificationReport) -> list[Finding]:
        """The findings without what was accepted; what of the doubts stands is noted."""
        known = {one["what"] for one in self.accepted}
        for one in report.doubts:
            if one.what not in known and one.what not in {told["what"] for told in self.stands}:
                self.stands.append({"seq": one.seq, "what": one.what})
        return [one for one in report.findings if one not in report.doubts or one.what not in known]


def verify_own(
    config: Configuration,
    before: NightJournal | None,
    known: tuple[Iterable[MissingNight], MissingNight | None],
    doubts: Doubts,
    now: datetime,
    watch: Watch = unwatched,
) -> tuple[NightJournal, EarlierNights, Trust]:
    """The journal in the state directory, and what of ``known`` (what was missing, what the last
    night verified) is there, and by whose word of the keys; ``before`` is what the last night said
    of it. Raises JournalError, sqlite3.Error, OSError, NotDone: it cannot be read at all."""
    for _ in range(2):  # it may be closed meanwhile, or be a stopped table's that is started
        with JournalReader(config.state_directory) as reader:
            file, by = reader.path.stat(), by_configuration(config.path, reader)
            sealed = sealed_if_any(by.keys, reader, config.heads)
            looked = look_for_missing(reader, *known)
            since = None if looked.findings else _since(reader, before, now)
            again = _again_from(reader, since)
            report = verified(
                reader, sealed, by.keys, again.check_entry, since=since, pages=False, watch=watch
            )
            findings = doubts.left(report)
            seen: NightJournal = {
                "journal": reader.identity.hex(),
                "bytes": file.st_size,
                "first": reader.begins + 1,
                "from": since.seq + 1 if since else reader.begins + 1,
                "to": report.last_seq,
                "digest": report.head,
                "whole": since is None,
                "whole_at": before["whole_at"] if since and before else _iso_text(now),
                "findings": reported_findings([*looked.findings, *findings]),
            }
            if not reader.stale and reader.path.stat().st_ino == file.st_ino:
                break
    return seen, looked, by


def verify_closed(
    config: Configuration, file: Path, doubts: Doubts, now: datetime, watch: Watch = unwatched
) -> tuple[str, list[Finding]]:
    """A closed file: when it was verified, and what is wrong with it. Raises JournalError,
    sqlite3.Error, OSError, NotDone: it cannot be read at all."""
    with JournalReader(file.parent, file.name) as reader:
        by = by_configuration(config.path, reader)
        sealed = sealed_if_any(by.keys, reader, beside(file))
        report = verified(reader, sealed, by.keys, ReplayCheck().check_entry, watch=watch)
    return _iso_text(now), doubts.left(report)


def described(file: Path) -> Closed:
    """A closed file that nobody has looked at yet: what its name and the disk say. Raises
    ``OSError``."""
    found = file.stat()
    first, last = (int(number) for number in file.stem.split("-")[-2:])
    closed = datetime.fromtimestamp(found.st_ctime, UTC)
    return {
        "name": file.name,
        "bytes": found.st_size,
        "first": first,
        "last": last,
        "closed": _iso_text(closed),
        "verified": None,
        "well": False,
        "findings": [],
        "taken": None,
    }


def reported_findings(findings: Sequence[Finding]) -> list[NightFinding]:
    """Findings as the report has them; the last one of many says how many more there are."""
    shown: list[NightFinding] = [
        {"seq": one.seq, "what": one.what} for one in findings[:MOST_FINDINGS]
    ]
    if (more := len(findings) - MOST_FINDINGS) > 0:
        shown.append({"seq": None, "what": f"and {more} more"})
    return shown


def _since(reader: JournalReader, before: NightJournal | None, now: datetime) -> Head | None:
    if before is None or before["whole_at"] is None or before["findings"]:
        return None
    age = now - datetime.fromisoformat(before["whole_at"])
    if before["journal"] != reader.identity.hex() or not NONE <= age < WHOLE_AGE:
        return None
    since = Head(before["to"], bytes.fromhex(before["digest"]))
    return since if reader.begins < since.seq <= reader.head.seq else None


def _again_from(reader: JournalReader, since: Head | None) -> ReplayCheck:
    """Plays again what comes after ``since``; the state there is that of the snapshot before it,
    played on."""
    if since is None:
        return ReplayCheck()
    if rows.digest_at(reader.connection, since.seq) != since.digest:
        return ReplayCheck()
    counted, entries = before_entry(reader, reader.iterate, since.seq)
    behind = list(takewhile(lambda entry: entry.seq <= since.seq, entries))
    begun = behind[0].seq if behind else since.seq + 1
    again = ReplayCheck(counted)
    if counted is not None:
        for entry in _leading_to(reader, begun):
            again.note_earlier(entry)
    for entry in behind:
        again.check_entry(entry)
    return again


def _leading_to(reader: JournalReader, begun: int) -> Iterable[Entry]:
    """The entries before ``begun`` that evidence behind it may rest on: a start's weights, and what
    was drawn and settled last."""
    first = max(reader.begins, begun - 1 - BEFORE)
    starts = rows.seqs_of_type(reader.connection, "start")
    if (start := next((seq for seq in starts if seq <= first), None)) is not None:
        yield from reader.iterate(start - 1, start)
    yield from reader.iterate(first, begun - 1)


def _iso_text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
