"""The report of a night (``tablectl nightly``), which is the memory of the next
one; the report before opening and monitors read it, too.

A JSON object in a file that everybody may read, replaced as a whole (docs/forms.md has its
fields). Beside it ``history.jsonl`` keeps a line for each file that was taken or removed, and for
what was missing, is back, or was accepted as missing.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.not_done import NOT_PERMITTED, NotDone
from controller.regular_files import give_owner, open_regular, read_whole, write_over

FORMAT: Final = 1
USUAL: Final = Path("/var/lib/table-controller-nightly/report.json")
HISTORY: Final = "history.jsonl"
MOST_BYTES: Final = 4 << 20  # of a report; more is none that a night has written


class NightFinding(TypedDict):
    """Something wrong: at entry ``seq``, or with the file (None)."""

    seq: int | None
    what: str


_Entries = TypedDict(
    "_Entries",
    {
        "journal": str,
        "bytes": int,
        "first": int,
        "from": int,
        "to": int,
        "digest": str,
        "whole": bool,
        "whole_at": str | None,
        "findings": list[NightFinding],
    },
)


class NightJournal(_Entries):
    """The journal in the state directory: its identity in hexadecimal, the bytes of its file, its
    first entry; verified ``from`` there ``to`` there, an entry with that ``digest``; whether that
    was the ``whole`` of it, and when it last was."""


class TakenFile(TypedDict):
    """Where a closed file was taken ``to``, and when (ISO 8601)."""

    to: str
    at: str


class Closed(TypedDict):
    """A closed file: its ``name`` and ``bytes``, the entries in it, when it was ``closed`` and
    ``verified``, its ``sha256`` then, in hexadecimal, if it was well, whether it is ``well``, and
    what is wrong with it."""

    name: str
    bytes: int
    first: int
    last: int
    closed: str
    verified: str | None
    well: bool
    findings: list[NightFinding]
    taken: TakenFile | None
    sha256: NotRequired[str]


class MissingNight(TypedDict):
    """What the night that ended ``at`` verified: up to entry ``to``, with that ``digest``, of a
    journal with that identity; ``lost``: it was looked for and is not there, else it could not be
    told."""

    journal: str
    to: int
    digest: str
    at: str
    lost: bool


class NightReport(TypedDict):
    """A night of the ``table`` with that ``state`` directory. ``well``: nothing is wrong with any
    journal; ``problems`` are what else needs somebody, in plain words; ``well_at`` is the end of
    the last night that was well and had no problem. ``journal`` is that of the night before where
    it could not be read, None where there was none. ``missing`` is what earlier nights verified and
    this one did not find, ``doubts`` what starts have found wrong for ever and nobody has accepted,
    ``accepted`` what somebody has; ``closed`` are the files here, ``removed`` those of this
    night. ``key``: where the keys that count are from, in words."""

    format: int
    table: str
    state: str
    began: str
    ended: str
    took_s: float
    well: bool
    well_at: str | None
    journal: NightJournal | None
    closed: list[Closed]
    removed: list[str]
    problems: list[str]
    key: NotRequired[str | None]
    missing: NotRequired[list[MissingNight]]
    doubts: NotRequired[list[NightFinding]]
    accepted: NotRequired[list[NightFinding]]


def read_night_report(path: Path) -> NightReport | None:
    """The report in that file; None where there is none, or none that can be read."""
    try:
        report = checked(NightReport, json.loads(read_whole(path, MOST_BYTES)))
        _check_values(report)
    except (OSError, ValueError, RecursionError):
        return None
    return report


def _check_values(report: NightReport) -> None:
    """Raise ValueError where a text is not what the next night takes it for."""
    journal, closed = report["journal"], report["closed"]
    times = [report["began"], report["ended"], report["well_at"]]
    times += [file["taken"]["at"] for file in closed if file["taken"]]
    digests = [file.get("sha256", "") for file in closed]
    if journal is not None:
        times.append(journal["whole_at"])
        digests += (journal["digest"], journal["journal"])
    for one in report.get("missing", ()):
        times.append(one["at"])
        digests += (one["digest"], one["journal"])
    for time in times:
        if time is not None and datetime.fromisoformat(time).tzinfo is None:
            raise WrongForm(f"{time} is a time without its zone")
    for digest in digests:
        bytes.fromhex(digest)


def write(path: Path, report: NightReport) -> None:
    """Put it in the place of the last one. Raises ``OSError``."""
    content = json.dumps(report, indent=1).encode("ascii") + b"\n"
    write_over(path, content, exactly=True, like=path.parent.stat())


def note(path: Path, what: JsonObject) -> None:
    """Add a line to the history beside the report at ``path``. Raises ``OSError``."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    with os.fdopen(open_regular(path.with_name(HISTORY), flags), "a", encoding="utf-8") as file:
        if os.fstat(file.fileno()).st_nlink > 1:  # under another name it may be anything
            raise OSError(errno.EMLINK, f"{path.with_name(HISTORY)} has another name besides")
        give_owner(file.fileno(), path.parent.stat())
        file.write(json.dumps(what) + "\n")
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def alone(report: Path) -> Iterator[None]:
    """One night at a time: of two that copy to one medium each would spoil what the other writes.
    Raises NotDone: 3, another one is at work."""
    lock = report.with_name(report.name + ".lock")
    try:
        fd = open_regular(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # the night says itself that it cannot write there
        yield
        return
    try:
        with contextlib.suppress(OSError):
            give_owner(fd, report.parent.stat())
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NotDone(
                NOT_PERMITTED,
                f"another night is at work, which holds {lock}: wait for its end ('systemctl "
                "status table-controller-nightly' where the timer began it)",
            ) from error
        yield
    finally:
        os.close(fd)
