"""The mark that a recovery leaves beside the journal, for the next start to tell the table.

The rules:

- What was recovered from a copy may lack the last entries that were acknowledged: the copy is a
  little behind by its nature. So the recovery is an event of the table, and people look before play
  goes on. No entry is written by the recovery itself: the table alone writes its chain.
- The mark is durable before the recovered journal takes its place, and goes once the entry that
  tells of it is durable. After a power cut in between it is reported twice, but never omitted.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from controller.journal.disk import sync_directory, sync_file
from controller.journal.schema import FILE_NAME
from controller.regular_files import new_regular, read_regular
from drivers.printable import printable

RECOVERED: Final = "journal-recovered"
"""The fault of the catalogue that the mark stands for."""

_MARK: Final = f"{FILE_NAME}.recovered"
_MOST_BYTES: Final = 500


def mark(directory: Path, what: str) -> None:
    """Leave the mark, durably, with the particulars in plain words. Raises OSError."""
    path = directory / _MARK
    made = path.with_name(f"{_MARK}.new")
    made.unlink(missing_ok=True)
    with new_regular(made) as file:
        file.write(what.encode("utf-8"))
        os.fchmod(file.fileno(), 0o644)  # written often by root, read by the table's user
    sync_file(made)
    made.rename(path)
    sync_directory(directory)


def marked(directory: Path) -> str | None:
    """The particulars of a recovery that no start has reported yet, as far as they may stand in a
    hold's reason: printable, and not for ever. Raises OSError."""
    try:
        with read_regular(directory / _MARK) as file:
            return printable(file.read(_MOST_BYTES).decode("utf-8", "replace"))
    except FileNotFoundError:
        return None


def forget(directory: Path) -> None:
    """Take the mark away: the table's entry of it is durable. Raises OSError."""
    (directory / _MARK).unlink(missing_ok=True)
    sync_directory(directory)
