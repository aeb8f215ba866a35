"""Adds entries of a damaged journal to those of its second copy, as far as they are signed.

The rules:

- An entry behind the copy's last is added if its digest follows from the one before it, up to the
  entry that the damaged journal's own signed row is for. The first that does not follow ends the
  adding.
- What was added counts only where the last of them is the entry that the row was signed for: an
  entry that no signature covers is not taken over. So the row has to be readable and good.
- The rest stays in the damaged file, and is reported.
- A copy may be months behind, so a page of entries is made durable together.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.journal import rows
from controller.journal.chain import Chain
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.opening import open_for_writing
from controller.journal.reader import JournalReader
from controller.journal.sealing.commits import SignedCommit, read_row
from controller.journal.sealing.keys import PublicKey


def add_what_follows(
    directory: Path, made: Path, signed_to: int, keys: Collection[PublicKey]
) -> tuple[SignedCommit | None, str]:
    """Add the damaged journal's entries as far as they follow from the last of ``made``, which is
    ``signed_to`` an entry, and its row reaches: the row, where it reaches further and the last one
    is what was signed; and what of the rest was seen."""
    with closing(open_for_writing(made)) as target:
        walk = Chain.behind(target, rows.head(target)[0])
        copied = walk.seq
        try:
            with JournalReader(directory) as journal:
                source = journal.connection
                signed, wrong = read_row(source)
                last = rows.head(source)[0]
                if signed is None or not signed.is_of(rows.identity(target), keys):
                    wrong = wrong or "its row is not signed with a key that is known here"
                    seen = f"entries up to {last} of the damaged journal: {wrong}"
                    return None, seen if last > signed_to else ""
                if signed.seq <= signed_to:
                    return None, ""
                known = rows.boots_by_number(source)
                for page in rows.pages(source, walk.seq, signed.seq):
                    with _together(target):
                        for row in page:
                            boot = walk.boot
                            if walk.broken_by(row, known):
                                seen = f"entries {row[0]} to {last} do not follow"
                                return None, f"{seen}, and none is taken over"
                            new = (one for one in known.values() if boot < one.boot <= row[1])
                            rows.add_boots(target, new)
                            target.execute(rows.INSERT, row)
        except (sqlite3.Error, JournalError, TypeError, ValueError) as error:
            what = error.what if isinstance(error, DamagedJournal) else error
            return None, f"beyond entry {max(copied, walk.seq)} it cannot be read ({what})"
        reached = rows.row_at(target, signed.seq)
        if reached is None or reached[12] != signed.digest:
            return None, f"entry {signed.seq}, which its row was signed for, is not there"
        return signed, ""


@contextmanager
def _together(target: sqlite3.Connection) -> Iterator[None]:
    """What is added is committed together, as far as it came."""
    target.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        target.execute("COMMIT")
