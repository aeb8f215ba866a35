"""Adds entries of a damaged journal to those of its second copy, as far as they can be proven.

The rules:

- An entry behind the copy's last is added if its digest follows from the one before it: that proves
  it as well as the copy proves its own. The first that does not follow ends the adding.
- The rest stays in the damaged file, and is reported.
- A copy may be months behind, so a page of entries is made durable together. What was added before
  something failed stays added.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.journal import rows
from controller.journal.chain import Chain
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.opening import open_for_writing
from controller.journal.reader import JournalReader


def add_what_follows(directory: Path, made: Path) -> tuple[int, str]:
    """Add the damaged journal's entries as far as they follow from the copy's last; how many, and
    what of the rest was seen."""
    added, seen = 0, ""
    with closing(open_for_writing(made)) as target:
        copied = rows.head(target)[0]
        walk = Chain.behind(target, copied)
        try:
            with JournalReader(directory) as journal:
                source = journal.connection
                known = rows.boots_by_number(source)
                for page in rows.pages(source, walk.seq):
                    with _together(target):
                        for row in page:
                            boot = walk.boot
                            if walk.broken_by(row, known):
                                last = rows.head(source)[0]
                                seen = f"entries {row[0]} to {last} do not follow and are left"
                                return added, f"{seen} there"
                            new = (one for one in known.values() if boot < one.boot <= row[1])
                            rows.add_boots(target, new)
                            target.execute(rows.INSERT, row)
                            added += 1
        except (sqlite3.Error, JournalError, TypeError, ValueError) as error:
            what = error.what if isinstance(error, DamagedJournal) else error
            seen = f"beyond entry {copied + added} it cannot be read ({what})"
    return added, seen


@contextmanager
def _together(target: sqlite3.Connection) -> Iterator[None]:
    """What is added is committed together, as far as it came."""
    target.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        target.execute("COMMIT")
