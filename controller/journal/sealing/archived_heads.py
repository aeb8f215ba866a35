"""Signed heads when their journal is archived: they go with it, and the last one stays.

The rules:

- A journal is archived only while a head of it stands: the last head of the file is of this
  journal, and the journal has the entry that was signed. Without one the next start would find
  the last head to be of a journal that the new one does not go on from.
- The whole file of heads is copied into the archive, byte for byte, beside the journal's file and
  under its name. Invalid lines are copied too: someone may ask for them later.
- The file itself then begins again with that last head. It proves to the next start, and to a
  verifier, that the new journal continues what was signed. So it is as long as one journal's play,
  and no longer.
- It is shortened last of all, when the new journal is in force. Cut off before, it is merely
  longer: the next archiving takes all of it along.
- Every archived entry is proven without the archive's heads too: the new journal names the last
  one's digest, and heads of the new one are signed over that.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from controller.journal.disk import sync_directory
from controller.journal.errors import CannotArchive
from controller.journal.reader import JournalReader
from controller.journal.sealing.heads import SignedHead, last_head
from controller.journal.sealing.keys import PublicKey
from controller.regular_files import give, new_regular

NEXT = ".next"


def beside(archived: Path) -> Path:
    """The file of heads that belongs to a journal's file in the archive."""
    return archived.with_suffix(".heads.jsonl")


def standing_head(reader: JournalReader, path: Path, keys: Collection[PublicKey]) -> SignedHead:
    """The last head in the file at ``path`` that one of ``keys`` has signed.

    Raises :class:`CannotArchive` when it is not a head of this journal, or does not fit it.
    """
    try:
        head = last_head(path, keys)
    except OSError as error:
        raise _none_stands(path, f"it cannot be read ({error.strerror or error})") from error
    if head is None:
        raise _none_stands(path, "it has none that the controller's key has signed")
    if head.journal != reader.identity.hex():
        raise _none_stands(
            path, f"its last one is for entry {head.seq} of another journal, {head.journal}"
        )
    before = reader.predecessor
    if head.seq <= (before.seq if before else 0):
        return head  # signed before the first entry
    found = next(reader.iterate(head.seq - 1, head.seq), None)
    if found is None or found.digest.hex() != head.digest:
        raise CannotArchive(
            f"entry {head.seq}, signed {head.wall} by the last head in {path}, is missing in "
            f"{reader.path} or is another one. Start the controller: it holds the table until a "
            "supervisor has said what is to be done; archive after that"
        )
    return head


def _none_stands(path: Path, why: str) -> CannotArchive:
    return CannotArchive(
        f"no signed head of this journal stands in {path}: {why}. Archived so, the journal after "
        "it would look like another table's. See that the medium of the heads is there and can be "
        "written ('heads-failing' must not stand), start the controller and stop it, which signs "
        "one, then archive; name heads that are kept elsewhere with --heads FILE"
    )


def shorten(path: Path, head: SignedHead) -> None:
    """Have the file begin again with that head, in one step; whose it is stays. Raises OSError."""
    new = path.with_name(path.name + NEXT)
    new.unlink(missing_ok=True)
    there = path.stat()
    with new_regular(new, 0o600) as file:
        file.write(head.line.encode("ascii") + b"\n")
        file.flush()
        give(file.fileno(), there)
        os.fchmod(file.fileno(), there.st_mode & 0o777)
        os.fsync(file.fileno())
    new.replace(path)
    sync_directory(path.parent)
