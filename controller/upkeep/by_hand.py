"""A stopped table's journal in somebody's hands: closed on request, and what keeps him from a deed.

The rules:

- A journal is closed by its controller alone, whose key signs what goes on from it. ``tablectl
  journal archive``, given on a stopped table, verifies the journal and leaves a request: the next
  start (:mod:`~.next_start`) closes it. Nothing else is changed.
- Given again, running or stopped, it copies the closed file and its heads to the archive, and takes
  the request away; that can be repeated after any interruption.
- Whatever keeps somebody from a deed at the journal, this one or another, is told him in words
  (:func:`stopped`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.evidence.heads import beside
from controller.evidence.recorded import doubts_of
from controller.evidence.trust import Trust
from controller.evidence.verification import Sealed, Watch, unwatched, verified
from controller.evidence.verify import ReplayCheck
from controller.journal.errors import (
    CannotArchive,
    JournalError,
    NoJournal,
    OtherFormat,
    StateInUse,
)
from controller.journal.line import closed_files
from controller.journal.lock import StateLock
from controller.journal.log_check import check_log
from controller.journal.reader import JournalReader
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.replay.recovery import recover
from controller.table.sequence import BETTING
from controller.upkeep.next_start import remove_request, request_closing, requested_journal
from controller.upkeep.recover import NothingToRecover
from controller.upkeep.whole_copies import copy_compared


@contextmanager
def stopped(deed: str, more: str = "") -> Iterator[None]:
    """In here the journal is ``deed`` ("archived"); ``more`` is told where it has failed.

    Raises:
        NotDone: 1 it cannot be read or written, 2 there is none, or of another format, 3 not now.
    """
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
    again, too, before the request; ``watch`` sees how far that is, ``tell`` hears remarks.
    """

    directory: Path
    to: Path
    signed: Callable[[JournalReader], tuple[Trust, Sealed | None]]
    replay: bool
    tell: Callable[[str], None]
    watch: Watch = unwatched

    def archive(self) -> Path | None:
        """The copy of what was closed on request; None where the request has been left.

        Raises:
            NotDone: it cannot be done, or not now.
        """
        if not self.to.is_dir():
            raise NotDone(WRONG_USE, f"{self.to} is no directory: name the archive's, and make it")
        with stopped("archived", "\nnothing is lost; the command can be given again"):
            wanted = requested_journal(self.directory)
            if wanted is not None and (self._closed(wanted) or self._in_place(wanted)):
                return self._copied(wanted)
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
        """The name of the journal, which is well and may be closed."""
        with JournalReader(self.directory) as reader:
            check_log(reader.path)  # whose lock is ours: the reader takes it for a controller's
            by, sealed = self.signed(reader)
            again = ReplayCheck().check_entry if self.replay else None
            report = verified(reader, sealed, by.keys, again, watch=self.watch)
            doubts = doubts_of(reader, by.keys).findings
            if named := [one for one in report.findings if one not in doubts]:
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

    def _copied(self, wanted: bytes) -> Path:
        if not (closed := self._closed(wanted)):
            raise NotDone(
                NOT_PERMITTED,
                f"the journal is not closed yet: {AGAIN}; its log says what is in the way",
            )
        archived = self.to / closed[-1].name
        copy_compared(closed[-1], archived)
        copy_compared(beside(closed[-1]), beside(archived))
        remove_request(self.directory)
        return archived

    def _closed(self, wanted: bytes) -> list[Path]:
        """The closed files of the journal of that name."""
        name = f"journal-{wanted.hex()}-"
        return [file for file in closed_files(self.directory) if file.name.startswith(name)]

    def _in_place(self, wanted: bytes) -> bool:
        """Whether the journal of that name is the one that is played."""
        with JournalReader(self.directory) as reader:
            return reader.identity == wanted
