"""``nightly --accept``: what an earlier night verified, and the journal no longer has, is let go.

Without that every night says that it is missing. Whoever accepts it is written beside the report.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from controller.cli.exits import NOT_PERMITTED, WRONG_USE, CommandFailed
from controller.files import night_report as reports


def accept(path: Path, by: str | None, why: str | None) -> None:
    """Nothing is missed any more by the report at ``path``.

    Raises:
        CommandFailed: nobody is named, nothing is missing, or that cannot be written.
    """
    if not by or not why:
        raise CommandFailed(
            WRONG_USE, "nightly --accept: --by NAME and --why TEXT say who accepts, and why"
        )
    report = reports.read(path)
    missing = report.pop("missing", None) if report else None
    if report is None or missing is None:
        raise CommandFailed(
            NOT_PERMITTED,
            f"nothing is missing by {path}: the last night found all that was verified before it",
        )
    what = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "what": "accepted",
        "journal": missing["journal"],
        "to": missing["to"],
        "digest": missing["digest"],
        "by": by,
        "why": why,
    }
    try:
        reports.note(path, what)
        reports.write(path, report)
    except OSError as error:
        raise CommandFailed(
            NOT_PERMITTED, f"{path.parent} cannot be written ({error.strerror}): be root"
        ) from error
