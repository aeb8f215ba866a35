"""Closed files taken to another medium, and removed here once that is certain. The rules:

- Only a file that was verified and is well is taken, with its signed heads. It is copied whole,
  synced, read back from the medium and compared; only then it has its name there.
- What is taken is what was verified, by its digest: a file that has changed since stays.
- It is removed ``keep_days`` after it was taken, and only in the same minute in which the copy was
  read back once more and is the same, byte for byte, and so is that of its heads. So a medium that
  is not there, another one, or one that lost the copy keeps the file here; where the copy is gone
  it is taken again.
- A copy is a file on another disk than the one here. A link to it, or itself under another path,
  would be the same until it is removed.
- What was not taken is never removed, however full the disk is: then play is held
  (``disk-full-soon``), and somebody looks.
- A directory on the journal's own disk, or on that of the closed files, is a medium that is not
  mounted.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import ENTER
from controller.evidence.heads import beside
from controller.forms.json_values import JsonObject
from controller.journal.errors import CannotArchive, JournalError
from controller.journal.reader import ARCHIVE, JournalReader
from controller.regular_files import sync_directory
from controller.upkeep.closure import OtherContent, copy_compared, digest_of, partial_of
from controller.upkeep.night_report import Closed

MIB = 1 << 20
SPARE_BYTES = 16 * MIB  # kept free on the medium


class FileNotTaken(Exception):
    """A file could not be taken or removed; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Medium:
    """The directory ``to`` on another medium than ``state`` is on; ``copy`` is that of the second
    copy, None for none. ``note`` keeps what was done."""

    to: Path
    state: Path
    copy: Path | None
    note: Callable[[JsonObject], None]

    def check(self) -> None:
        """Raises :class:`FileNotTaken` where it is not there."""
        try:
            there = self.to.stat().st_dev
            here = {place.stat().st_dev for place in (self.state, self.state / ARCHIVE)}
        except OSError as error:
            why = cause_of(error, Path(error.filename), wants=ENTER)
            raise FileNotTaken(
                f"{error.filename} is not there ({why}): put the medium in and mount it, and make "
                "the directory on it"
            ) from error
        if there in here:
            raise FileNotTaken(
                f"{self.to} lies on the journal's own disk: is its medium mounted? Nothing is "
                "taken there"
            )

    def take_file(self, file: Path, one: Closed, now: datetime) -> None:
        """Take a closed file there, if it is not."""
        copy = self.to / file.name
        if one["taken"] is not None and copy.exists():
            return
        try:
            partial_of(copy).unlink(missing_ok=True)  # of a night that was cut off
            found = os.statvfs(self.to)
        except OSError as error:
            what = f"nothing can be taken to {self.to}: {cause_of(error, self.to)}"
            raise FileNotTaken(what) from error
        if not copy.exists() and found.f_bavail * found.f_frsize < one["bytes"] + SPARE_BYTES:
            raise FileNotTaken(
                f"{self.to} has no room for {file.name}, {one['bytes'] // MIB} MiB: put in another "
                "medium"
            )
        digest = self._copied(file, copy, one)
        if beside(file).exists():
            self._copied(beside(file), beside(copy))
        at = now.isoformat(timespec="seconds")
        one["taken"] = {"to": str(self.to), "at": at}
        self.note({"at": at, "what": "taken", **_named(one, digest), "to": str(self.to)})

    def remove(self, file: Path, one: Closed, now: datetime, keep_days: int) -> bool:
        """Remove a closed file that was taken long enough ago; whether it is gone."""
        taken = one["taken"]
        if taken is None:
            return False
        age = now - datetime.fromisoformat(taken["at"])
        if age < timedelta(days=keep_days):
            return False
        pairs = [(file, self.to / file.name)]
        if os.path.lexists(beside(file)):
            pairs.append((beside(file), beside(self.to / file.name)))
        for _, copy in pairs:
            if not copy.exists():
                one["taken"] = None
                what = f"{copy}, which was taken {taken['at']}, is gone: it is taken again"
                raise FileNotTaken(what)
        digest, *_ = [self._digest_of_both(*pair) for pair in pairs]
        if digest.hex() != one.get("sha256"):
            raise _changed(one, f"{file} and {pairs[0][1]} are not what was verified any more")
        self._remove_second_copy(one)  # first: of a file that is gone nobody would try it again
        at = now.isoformat(timespec="seconds")
        self.note({"at": at, "what": "removed", **_named(one, digest)})
        try:
            beside(file).unlink(missing_ok=True)  # first: alone, nobody would take them away
            file.unlink()
            sync_directory(file.parent)
        except OSError as error:
            what = f"{file} cannot be removed: {cause_of(error, file.parent)}"
            raise FileNotTaken(what) from error
        return True

    def _copied(self, source: Path, copy: Path, one: Closed | None = None) -> bytes:
        known = bytes.fromhex(one["sha256"]) if one and "sha256" in one else None
        try:
            return copy_compared(source, copy, alike=True, known=known)
        except OtherContent as error:
            raise _changed(one, str(error)) from error
        except CannotArchive as error:
            raise FileNotTaken(str(error)) from error
        except OSError as error:
            raise FileNotTaken(
                f"{source} cannot be copied to {copy}: {cause_of(error, copy)}; the medium must be "
                "mounted for writing, and its directory belong to the controller's user"
            ) from error

    @staticmethod
    def _digest_of_both(file: Path, copy: Path) -> bytes:
        try:
            if copy.lstat().st_dev == file.lstat().st_dev:
                raise FileNotTaken(f"{copy} lies on the same disk as {file}, which stays")
            digest = digest_of(file)
            same = digest_of(copy) == digest
        except OSError as error:
            raise FileNotTaken(f"{file} and {copy} cannot be compared: {error}") from error
        if not same:
            raise FileNotTaken(
                f"{copy} is not what was taken any more, and {file} stays: look at the medium, "
                "move what is on it away and keep it"
            )
        return digest

    def _remove_second_copy(self, one: Closed) -> None:
        """The second copy keeps one of every closed journal, by its last entry; this one goes
        along, if it ends as what was taken does."""
        if self.copy is None:
            return
        name = f"journal-to-{one['last']}.sqlite3"
        try:
            if not (self.copy / name).exists():
                return
            with (
                JournalReader(self.copy, name) as second,
                JournalReader(self.to, one["name"]) as taken,
            ):
                is_it = (second.identity, second.head) == (taken.identity, taken.head)
            if is_it:
                (self.copy / name).unlink()
        except (JournalError, sqlite3.Error, OSError) as error:
            raise FileNotTaken(
                f"the second copy {self.copy / name} cannot be removed, so {one['name']} stays "
                f"here, too: {error}"
            ) from error


def _changed(one: Closed | None, what: str) -> FileNotTaken:
    """Having the next night verify it again."""
    if one is not None:
        one["well"] = False
    return FileNotTaken(f"{what}: it is verified again")


def _named(one: Closed, digest: bytes) -> JsonObject:
    return {"name": one["name"], "bytes": one["bytes"], "sha256": digest.hex()}
