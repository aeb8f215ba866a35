"""What the last night has found (``tablectl nightly``), as a check before opening.

- A table that no night has looked at yet, one from a checkout say, is not judged by that.
- A night that is missing says so after ``LATE``: whoever switches the timer off is told.
- What a start has found wrong with the journal for ever
  (:mod:`controller.evidence.recorded`) keeps it from being ready until somebody has accepted
  it for the night.
- What else a night needs somebody for (a medium that is not there) is told, and keeps nothing shut.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from controller.control.answers import Check, check
from controller.evidence.recorded import vouched
from controller.journal.errors import JournalError
from controller.journal.keys import PublicKey
from controller.journal.reader import JournalReader
from controller.upkeep.night_report import NightReport
from drivers.printable import printable

NAME: Final = "night"
LATE: Final = timedelta(days=3)
MOST_TOLD: Final = 5
MOST_WORDS: Final = 300
"""Problems that are told, and characters of each, such that an entry of the journal and a sheet can
have them; the report has all of them."""

_LOOK: Final = "systemctl status table-controller-nightly.timer table-controller-nightly.service"
_DOUBTED: Final = (
    "call support before play; 'tablectl nightly --accept' is for who knows what happened"
)
_ALONE: Final = "which key counts the journal alone says"
_COMPARE: Final = (
    "as root: 'tablectl journal checkpoint --vkey' into that file; compare it with what was "
    "written down at the installation"
)
_MISSING: Final = (
    "call support before play; 'tablectl nightly --accept' is for who knows why it is missing"
)


def read_doubts(state: Path, keys: Collection[PublicKey], file: Path) -> list[str]:
    """What starts found wrong there, and if the ``file`` of keys is gone; for a thread."""
    own = [] if file.exists() else [f"{file} is gone: {_ALONE}"]
    try:
        with JournalReader(state) as reader:
            return [*own, *(one.what for one in vouched(reader, keys, by_index=True).findings)]
    except (JournalError, sqlite3.Error, OSError, ValueError, TypeError):
        return own  # who looks after the journal says so


def check_night(
    told: NightReport | None, state: Path, wall: datetime, doubts: Sequence[str] = ()
) -> Check:
    """Of the table with these doubts and that ``state``; ``told`` is the last report."""
    if told is not None and told["state"] == str(state):
        accepted = {one["what"] for one in told.get("accepted", ())}
        doubts = [one for one in doubts if one not in accepted]
    if doubts:
        only_the_key = all(one.endswith(_ALONE) for one in doubts)
        return check(NAME, "; ".join(doubts), _COMPARE if only_the_key else _DOUBTED)
    if told is None:
        return check(NAME, "no night has verified the journal yet", nothing=True)
    if told["state"] != str(state):
        return check(NAME, "no night has verified this journal yet", nothing=True)
    age = wall - datetime.fromisoformat(told["ended"])
    when = f"the journal was last verified {told['ended'][:16].replace('T', ' ')}"
    if age > LATE:
        when += f", {age.days} days ago"
    problems = "".join(f"; {printable(one[:MOST_WORDS])}" for one in told["problems"][:MOST_TOLD])
    lost = [one for one in told.get("missing", ()) if one["lost"]]
    if lost:
        seqs = ", ".join(str(one["to"]) for one in lost[:MOST_TOLD])
        return check(
            NAME,
            f"{when}, and does not have what was verified before (entry {seqs}){problems}",
            _MISSING,
        )
    if not told["well"]:
        return check(
            NAME,
            f"{when}, and is not well{problems}",
            "tablectl journal verify says it; call support before play",
        )
    if age > LATE:
        return check(NAME, f"{when}{problems}", _LOOK)
    return check(NAME, f"{when}: well{problems}")
