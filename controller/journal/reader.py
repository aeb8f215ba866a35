"""The journal of a table, live or stopped, open for reading only.

The rules:

- A reader changes nothing and blocks nothing: it reads in short transactions, so the table's
  checkpoints pass between two of its looks.
- With a ``-wal`` file beside it the journal is opened ``mode=ro`` and read together with it. A
  table that was stopped in order has none; its file is then read as it is (``immutable``), which
  needs no right to write the directory and leaves no helper files in it that the table's own user
  could not open afterwards.
- ``immutable`` is only safe while nobody writes: :attr:`JournalReader.stale` tells whether a
  controller was started meanwhile, in which case what was read is read again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.journal import rows, schema
from controller.journal.disk import naming_damage
from controller.journal.errors import NoJournal, NotAJournal
from controller.journal.intact import check_format
from controller.journal.log.own_files import check_before_reading
from controller.journal.model import Boot, Entry, Head
from controller.journal.open_journal import OpenJournal


class JournalReader(OpenJournal):
    """The journal in a state directory, for reading; a context manager. An archived one has a
    ``name`` of its own.

    Raises :class:`NoJournal` (no directory, no file, no right), :class:`NotAJournal` or
    :class:`~controller.journal.errors.OtherFormat`, each in words for the technician. Reading a
    damaged file may raise :class:`NotAJournal` later as well.
    """

    def __init__(self, directory: Path, name: str = schema.FILE_NAME) -> None:
        self.directory = directory
        self.path = directory / name
        self._wal = self.path.with_name(self.path.name + "-wal")
        _require_journal(directory, self.path)
        check_before_reading(self.path)
        self._immutable = not self._wal.exists()
        self.connection = self._open()

    def _open(self) -> sqlite3.Connection:
        """Open the file and see that it is a journal of ours."""
        option = "immutable=1" if self._immutable else "mode=ro"
        connection = sqlite3.connect(
            f"file:{quote(str(self.path.absolute()))}?{option}",
            uri=True,
            isolation_level=None,
            timeout=2.0,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            schema.check(connection, self.path)
            check_format(connection, self.path)
        except sqlite3.OperationalError as error:
            connection.close()
            reason = (
                str(cause_of(error, self.path, wants=READ))
                if self._immutable
                else f"the table runs, or was not stopped in order, and part of its journal is in "
                f"{self._wal.name}: read it as root or as the table's user, or copy the whole "
                "directory and read the copy"
            )
            raise NoJournal(f"{self.path} cannot be read ({error}); {reason}") from error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise NotAJournal(
                f"{self.path} is no journal of a table, or is damaged ({error}); name the state "
                "directory of a table"
            ) from error
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def stale(self) -> bool:
        """Whether a controller was started on a journal that was read as a stopped one's."""
        return self._immutable and self._wal.exists()

    @property
    def head(self) -> Head:
        """Number and digest of the last entry."""
        return rows.head(self.connection)

    @property
    def boots(self) -> Sequence[Boot]:
        """The boots of the controller that the journal has counted."""
        return rows.boots(self.connection)

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all there are), in order.

        Raises :class:`NotAJournal` naming the file when an entry cannot be read.
        """
        return rows.entries(self.connection, self.path, after, upto)

    def snapshots(self) -> Iterator[int]:
        """Yield the numbers of the entries of type ``snapshot``, the last one first."""
        return rows.seqs_of_type(self.connection, "snapshot")

    def between(self, after: int, upto: int, since: str, until: str) -> tuple[int, int] | None:
        """Return the first and the last number with ``after`` < seq <= ``upto`` whose wall clock
        shows ``since`` <= time < ``until``, texts of ISO 8601 in UTC; None for none."""
        with naming_damage(self.path, "its times cannot be read"):
            return rows.between(self.connection, after, upto, since, until)

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        self.connection.close()

    def __enter__(self) -> JournalReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_journal(directory: Path, path: Path) -> None:
    """Raise :class:`NoJournal` with the plain reason why there is nothing to read."""
    try:
        if not directory.is_dir():
            what = "is no directory" if directory.exists() else "does not exist"
            raise NoJournal(
                f"{directory} {what}; name the directory that [state] directory of the table's "
                "configuration names"
            )
        if not path.exists():
            if any(directory.glob("journal-*.sqlite3")):
                raise NoJournal(
                    f"{directory} holds closed journals and no {path.name}: copy the one that is "
                    f"wanted as {path.name} into an empty directory, and name that"
                )
            raise NoJournal(
                f"{directory} holds no {path.name}: no table was ever run with it; name the "
                "directory that [state] directory of the table's configuration names"
            )
        # Not by opening it: to close any descriptor of a file lets go of all locks that this
        # process has on it; SQLite's keep others from taking the log away under a running table.
        if not os.access(path, os.R_OK, effective_ids=True):
            raise PermissionError
    except PermissionError as error:
        raise NoJournal(
            f"{path} may not be read by this user; be root, the table's user or of its group"
        ) from error
