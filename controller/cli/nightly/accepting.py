"""``nightly --accept``: what earlier nights verified, and the last one did not find, is let go.

Without that every night says that it is missing. Whoever accepts it is written beside the report.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from controller.cli.exits import NOT_PERMITTED, WRONG_USE, CommandFailed
from controller.cli.nightly.remembering import noted
from controller.files import night_report as reports
from controller.files.night_report import Missing


def accept(path: Path, state: Path, by: str | None, why: str | None) -> list[Missing]:
    """Nothing is missed any more by the report at ``path``, of the table with that ``state``
    directory; what was until now.

    Raises:
        CommandFailed: nobody is named, nothing is missing, or that cannot be read or written.
    """
    by, why = (by or "").strip(), (why or "").strip()
    if not by or not why:
        raise CommandFailed(
            WRONG_USE, "nightly --accept: --by NAME and --why TEXT say who accepts, and why"
        )
    report = reports.read(path)
    if report is None:
        rights = os.path.lexists(path) and not os.access(path, os.R_OK)
        more = ": be root" if rights else "; 'tablectl nightly' makes one"
        raise CommandFailed(NOT_PERMITTED, f"there is no report that can be read at {path}{more}")
    if report["state"] != str(state):
        raise CommandFailed(
            NOT_PERMITTED, f"{path} is the report of {report['state']}: not {state}"
        )
    missing = report.pop("missing", [])
    if not missing:
        raise CommandFailed(
            NOT_PERMITTED,
            f"the night that ended {report['ended']} missed nothing; where something is missing "
            "since, 'tablectl nightly' says what",
        )
    try:
        for one in missing:
            line = noted("accepted", one, datetime.now(UTC))
            reports.note(path, {**line, "by": by, "why": why})
        reports.write(path, report)
    except OSError as error:
        raise CommandFailed(
            NOT_PERMITTED,
            f"nothing is accepted: {error.filename or path.parent} cannot be written "
            f"({error.strerror})",
        ) from error
    return missing
