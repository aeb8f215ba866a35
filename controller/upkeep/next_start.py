"""What a command leaves in the state directory for the next start: that the journal was recovered,
or that it is to be closed.

- What was recovered from a copy may lack the last entries that were acknowledged: the copy is a
  little behind by its nature. So the recovery is an event of the table, and people look before play
  goes on. No entry is written by the recovery itself: the table alone writes its chain.
- The mark of it is durable before the recovered journal takes its place, and goes once the entry
  that tells of it is durable. After a power cut in between it is reported twice, but never omitted.
- A journal that was taken from the floor has no signed row. The checkpoint that vouches for it is
  left beside the mark, and is as durable; the start believes nothing of it but its signature.
- The request names the journal, so it is fulfilled once; ``tablectl journal archive``
  (:mod:`~.by_hand`) takes it away when it has copied the closed file.

All raise OSError.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import MOST_BYTES
from controller.journal.canonical import IDENTITY_BYTES, is_hex
from controller.journal.schema import FILE_NAME
from controller.regular_files import read_regular, sync_directory, write_over
from drivers.printable import printable

RECOVERED: Final = "journal-recovered"
"""The fault of the catalogue that the mark stands for."""

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
