"""``nightly --accept``: what earlier nights verified and the last one did not find, and what a
start found wrong for ever, is let go.

Without that every night says it. Whoever accepts it is written beside the report.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from controller.causes.finding import cause_of
from controller.not_done import NOT_PERMITTED, WRONG_USE, NotDone
from controller.upkeep.night import report as reports
from controller.upkeep.night.memory import named, noted


def accept(path: Path, state: Path, by: str | None, why: str | None) -> list[str]:
    """Nothing is missed or doubted any more by the report at ``path``, of the table with that
    ``state`` directory; what was until now, in words.

    Raises:
        NotDone: nobody is named, nothing is missing, or that cannot be read or written.
    """
    by, why = (by or "").strip(), (why or "").strip()
    if not by or not why:
        raise NotDone(
            WRONG_USE, "nightly --accept: --by NAME and --why TEXT say who accepts, and why"
        )
    report = reports.read(path)
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
