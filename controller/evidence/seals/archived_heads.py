"""Signed heads when their journal is closed: they go with it, and the last one stays.

The rules:

- The whole file of heads is copied beside the journal's closed file and under its name, byte for
  byte. Invalid lines are copied too: someone may ask for them later.
- The file itself then begins again with the head of the journal's end. It proves to the next start,
  and to a verifier, that the new journal continues what was signed. So it is as long as one
  journal's play, and no longer.
- It is shortened last of all, when the new journal is in force. Cut off before, it is merely
  longer: the next closing takes all of it along.
- Every closed entry is proven without its heads too: the new journal names the last one's digest,
  and its commits and heads are signed over that.
"""

from __future__ import annotations

from pathlib import Path

from controller.evidence.seals.heads import SignedHead
from controller.regular_files import write_over


def beside(archived: Path) -> Path:
    """The file of heads that belongs to a journal's file in the archive."""
    return archived.with_suffix(".heads.jsonl")


def shorten(path: Path, head: SignedHead) -> None:
    """Have the file begin again with that head, in one step; whose it is stays. Raises OSError."""
    there = path.stat()
    content = head.line.encode("ascii") + b"\n"
    write_over(path, content, there.st_mode & 0o777, exactly=True, like=there)
