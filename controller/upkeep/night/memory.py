"""What earlier nights verified, looked for in the journal that is there now. The rules:

- An entry that was verified must be found again with its digest: in the journal, or in a closed one
  that it goes on from. Where it is not, it is missing, and stays so until it is found or somebody
  accepts that it is not, whatever is closed, taken or played on meanwhile.
- Where the closed journal that would have it is not on the box, it cannot be told; that, too, is
  said until it can be. Only of what the last night verified is the number believed: an archive by
  hand, to elsewhere, has it.
- What is missing, and what a start found wrong for ever, is said every night until somebody accepts
  it. Who that was is written beside the report.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.evidence.verify import Finding
from controller.forms.json_values import JsonObject
from controller.journal import rows
from controller.journal.model import Head
from controller.journal.reader import ARCHIVE, JournalReader, older
from controller.not_done import NOT_PERMITTED, WRONG_USE, NotDone
from controller.upkeep import night_report as reports
from controller.upkeep.night_report import MissingNight, NightReport

OTHER: Final = "is missing, or is another one than was verified here before"


def verified_last(report: NightReport | None) -> MissingNight | None:
    """What the night of that report verified, as it is looked for."""
    if report is None or (last := report["journal"]) is None:
        return None
    return {
        "journal": last["journal"],
        "to": last["to"],
        "digest": last["digest"],
        "at": report["ended"],
        "lost": False,
    }


def noted(what: str, one: MissingNight, now: datetime) -> JsonObject:
    """The line of the history that something is ``missing``, ``back`` or ``accepted``."""
    return {
        "at": now.isoformat(timespec="seconds"),
        "what": what,
        "journal": one["journal"],
        "to": one["to"],
        "digest": one["digest"],
        "verified": one["at"],
    }


def named(one: MissingNight) -> str:
    """It in words."""
    return f"entry {one['to']} of journal {one['journal']}, verified {one['at']}"


@dataclass(slots=True)
class EarlierNights:
    """``missing`` is what was not found, ``findings`` what of it is lost, and ``untold`` of which
    that cannot be told, in words."""

    missing: list[MissingNight] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)


def look_for_missing(
    reader: JournalReader, missing: Iterable[MissingNight], last: MissingNight | None
) -> EarlierNights:
    """Look for what is ``missing`` since earlier nights, and for what the ``last`` one verified.
    Raises JournalError, sqlite3.Error, OSError: a journal cannot be read."""
    looked = EarlierNights()
    with older(reader, reader.directory / ARCHIVE) as (closed, broken):
        line = [*closed, reader]
        for one in (*missing, *([last] if last else [])):
            found = _looked_for(line, broken, one, trusted=one is last)
            if found is None or one in looked.missing:
                continue
            if isinstance(found, str) and one["lost"]:
                found = Finding(None, f"{named(one)} was missing, and {found}")
            if isinstance(found, str):
                looked.untold.append(f"whether {named(one)} is in it cannot be told: {found}")
                looked.missing.append(one)
            else:
                looked.findings.append(found)
                looked.missing.append({**one, "lost": True})
    return looked


def _looked_for(
    line: Sequence[JournalReader], broken: str, one: MissingNight, *, trusted: bool
) -> Finding | str | None:
    """What is wrong where it should be; why that cannot be told; None where it is there."""
    known = Head(one["to"], bytes.fromhex(one["digest"]))
    identity = bytes.fromhex(one["journal"])
    for reader in line:
        if reader.identity == identity:
            there = rows.digest_at(reader.connection, known.seq)
            return None if there == known.digest else Finding(known.seq, OTHER)
    before = line[0].predecessor
    if before is None or known.seq > before.seq:
        return Finding(None, f"it does not go on from {named(one)}")
    if before.identity != identity:
        return broken
    if known.seq == before.seq:
        return None if known.digest == before.digest else Finding(known.seq, OTHER)
    return None if trusted else broken


def accept(path: Path, state: Path, by: str | None, why: str | None) -> list[str]:
    """Nothing is missed or doubted any more by the report at ``path``, of the table with that
    ``state`` directory; what was until now, in words. Raises NotDone: nobody is named, nothing is
    missing, or that cannot be read or written."""
    by, why = (by or "").strip(), (why or "").strip()
    if not by or not why:
        what = "nightly --accept: --by NAME and --why TEXT say who accepts, and why"
        raise NotDone(WRONG_USE, what)
    report = reports.read_night_report(path)
    if report is None:
        rights = os.path.lexists(path) and not os.access(path, os.R_OK)
        more = ": be root" if rights else "; 'tablectl nightly' makes one"
        raise NotDone(NOT_PERMITTED, f"there is no report that can be read at {path}{more}")
    if report["state"] != str(state):
        raise NotDone(NOT_PERMITTED, f"{path} is the report of {report['state']}: not {state}")
    missing, doubts = report.pop("missing", []), report.pop("doubts", [])
    if not (missing or doubts):
        raise NotDone(
            NOT_PERMITTED,
            f"the night that ended {report['ended']} missed nothing; where something is missing "
            "since, 'tablectl nightly' says what",
        )
    try:
        for one in missing:
            line = noted("accepted", one, datetime.now(UTC))
            reports.note(path, {**line, "by": by, "why": why})
        for doubt in doubts:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            line = {"at": at, "what": "accepted", "doubt": doubt["what"], "by": by, "why": why}
            reports.note(path, line)
        if doubts:
            report["accepted"] = [*report.get("accepted", []), *doubts]
        reports.write(path, report)
    except OSError as error:
        raise NotDone(
            NOT_PERMITTED,
            f"nothing is accepted: {error.filename or path.parent} cannot be written: "
            f"{cause_of(error, Path(error.filename or path.parent))}",
        ) from error
    return [*(f"{named(one)}, is missing" for one in missing), *(one["what"] for one in doubts)]
