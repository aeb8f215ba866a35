"""What commands leave in the state directory for the next start: that a stopped table's journal was
recovered, or that it is to be closed.

- What was recovered from a copy may lack the last entries that were acknowledged: the copy is a
  little behind by its nature. So the recovery is an event of the table, and people look before play
  goes on. No entry is written by the recovery itself: the table alone writes its chain.
- The mark of it is durable before the recovered journal takes its place, and goes once the entry
  that tells of it is durable. After a power cut in between it is reported twice, but never omitted.
- A journal that was taken from the floor has no signed row. The checkpoint that vouches for it is
  left beside the mark, and is as durable; the start believes nothing of it but its signature.
- A journal is closed by its controller alone, whose key signs what goes on from it. ``tablectl
  journal archive``, given on a stopped table, verifies the journal and leaves a request, which
  names it, so that it is fulfilled once. Given again, running or stopped, it copies the closed file
  and its heads to the archive, and takes the request away; that can be repeated after any
  interruption.
- Whatever keeps somebody from a deed at the journal, this one or another, is told him in words
  (:func:`stopped`).

What reads or writes such a file raises OSError.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.heads import beside
from controller.evidence.tree.checkpoint import MOST_BYTES
from controller.evidence.trust import Trust
from controller.evidence.verification import Sealed, Watch, unwatched, verified
from controller.evidence.verify import ReplayCheck
from controller.journal.canonical import IDENTITY_BYTES, is_hex
from controller.journal.errors import (
    CannotArchive,
    JournalError,
    NoJournal,
    NothingToRecover,
    OtherFormat,
    StateInUse,
)
from controller.journal.lock import StateLock
from controller.journal.log_check import check_log
from controller.journal.reader import JournalReader, closed_files
from controller.journal.schema import FILE_NAME
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import read_regular, sync_directory, write_over
from controller.replay.recovery import recover
from controller.table.sequence import BETTING
from controller.upkeep.closure import copy_compared
from drivers.printable import printable

RECOVERED: Final = "journal-recovered"  # the fault of the catalogue that the mark stands for
_MARK: Final = f"{FILE_NAME}.recovered"
_CHECKPOINT: Final = f"{FILE_NAME}.checkpoint"
REQUEST: Final = "archive.request"
_MOST_BYTES: Final = 500


def mark(directory: Path, what: str) -> None:
    """Leave the mark of a recovery, durably, with the particulars in plain words."""
    # Written often by root, read by the table's user.
    write_over(directory / _MARK, what.encode("utf-8"), exactly=True)


def marked(directory: Path) -> str | None:
    """The particulars of a recovery that no start has reported yet, as far as they may stand in a
    hold's reason: printable, and not for ever."""
    found = _read_file(directory / _MARK)
    return None if found is None else printable(found.decode("utf-8", "replace"))


def leave_checkpoint(directory: Path, text: str) -> None:
    """Leave the checkpoint, durably, that vouches for a journal without a row."""
    write_over(directory / _CHECKPOINT, text.encode(), exactly=True)


def left_checkpoint(directory: Path) -> str | None:
    """What was left as such, whatever it is worth."""
    found = _read_file(directory / _CHECKPOINT, MOST_BYTES)
    return None if found is None else found.decode("utf-8", "replace")


def forget(directory: Path) -> None:
    """Take mark and checkpoint away: the table's entry of it is durable."""
    _take_away(directory / _MARK)
    _take_away(directory / _CHECKPOINT)


def request_closing(directory: Path, identity: bytes) -> None:
    """Ask that the journal of that name be closed."""
    text = identity.hex().encode("ascii") + b"\n"
    # Root asks, the table's own user is to read it.
    write_over(directory / REQUEST, text, 0o640, exactly=True, like=directory.stat())


def requested_journal(directory: Path) -> bytes | None:
    """The name of the journal that is to be closed; None where nobody asks."""
    text = (_read_file(directory / REQUEST) or b"").decode("ascii", "replace").strip()
    return bytes.fromhex(text) if is_hex(text, IDENTITY_BYTES) else None


def remove_request(directory: Path) -> None:
    """Take the request away."""
    _take_away(directory / REQUEST)


def _read_file(path: Path, most: int = _MOST_BYTES) -> bytes | None:
    try:
        with read_regular(path) as file:
            return file.read(most)
    except FileNotFoundError:
        return None


def _take_away(path: Path) -> None:
    path.unlink(missing_ok=True)
    sync_directory(path.parent)


@contextmanager
def stopped(deed: str, more: str = "") -> Iterator[None]:
    """In here the journal is ``deed`` ("archived"); ``more`` is told where it has failed. Raises
    NotDone: 1 it cannot be read or written, 2 there is none, or of another format, 3 not now."""
    try:
        yield
    except StateInUse as error:
        said = f"{error}\nonly a stopped table's journal is {deed}"
        raise NotDone(NOT_PERMITTED, said) from error
    except (CannotArchive, NothingToRecover) as error:
        raise NotDone(NOT_PERMITTED, str(error)) from error
    except (NoJournal, OtherFormat) as error:
        raise NotDone(WRONG_USE, str(error)) from error
    except (JournalError, sqlite3.Error, OSError) as error:
        raise NotDone(NOT_WELL, f"{error}{more}") from error


AGAIN: Final = "start the controller, then give it again"


@dataclass(frozen=True, slots=True)
class Archiving:
    """The journal of the state ``directory``, to be closed and copied into the archive ``to``.
    ``signed`` says by which keys it is signed, and which heads it has; ``replay``: it is played
    again, too, before the request; ``watch`` sees how far that is, ``tell`` hears remarks."""

    directory: Path
    to: Path
    signed: Callable[[JournalReader], tuple[Trust, Sealed | None]]
    replay: bool
    tell: Callable[[str], None]
    watch: Watch = unwatched

    def archive(self) -> Path | None:
        """The copy of what was closed on request; None where the request has been left. Raises
        NotDone: it cannot be done, or not now."""
        if not self.to.is_dir():
            raise NotDone(WRONG_USE, f"{self.to} is no directory: name the archive's, and make it")
        with stopped("archived", "\nnothing is lost; the command can be given again"):
            wanted = requested_journal(self.directory)
            if wanted is not None:
                if closed := closed_files(self.directory, wanted):
                    return self._copied(closed[-1])
                with JournalReader(self.directory) as reader:
                    if reader.identity == wanted:
                        raise NotDone(
                            NOT_PERMITTED,
                            f"the journal is not closed yet: {AGAIN}; its log says what is in the "
                            "way",
                        )
            lock = StateLock(self.directory)
            try:
                if wanted is not None:
                    self.tell(
                        f"an earlier request was for the journal {wanted.hex()}, which is not here "
                        "any more: it is taken away"
                    )
                request_closing(self.directory, self._verified())
            finally:
                lock.release()
        return None

    def _verified(self) -> bytes:
        with JournalReader(self.directory) as reader:
            check_log(reader.path)  # whose lock is ours: the reader takes it for a controller's
            by, sealed = self.signed(reader)
            again = ReplayCheck().check_entry if self.replay else None
            report = verified(reader, sealed, by.keys, again, watch=self.watch)
            if named := [one for one in report.findings if one not in report.doubts]:
                raise NotDone(
                    NOT_WELL,
                    f"{reader.path} is not well, and stays where it is: {named[0]}\n"
                    "'tablectl journal verify' says all of it",
                )
            if reader.head.seq <= reader.begins + 1:
                raise CannotArchive(
                    f"{reader.path} holds nothing to archive: entry {reader.head.seq} is its last"
                )
            play = recover(reader, reader.iterate).counted
            identity = reader.identity
        if not play.quiet or play.table.phase == BETTING:
            raise NotDone(
                NOT_PERMITTED,
                f"the table is not between rounds ({play.table.state}), or something waits at it: "
                "finish the round, clear it (next), stop the controller and try again",
            )
        return identity

    def _copied(self, closed: Path) -> Path:
        archived = self.to / closed.name
        copy_compared(closed, archived)
        copy_compared(beside(closed), beside(archived))
        remove_request(self.directory)
        return archived
