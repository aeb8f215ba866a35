"""Whether an upload may begin, and how it ends (C2SP tlog-mirror, ``add-entries``).

The checks before it begins, in this order:

1. The log is known: 404. A checkpoint of it was taken: 422.
2. Nothing is left of it to upload: it is done, whatever else is asked.
3. Its end is a checkpoint that is known, and not before the mirrored one; it begins where something
   is missing, or at most :data:`MOST_AGAIN` entries before: else 409, which tells where to begin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from floor.protocol.answers import BAD_REQUEST, CONFLICT, MIRROR_INFO, NOT_FOUND, UNPROVEN, Refusal
from floor.protocol.packages import BLOCK
from floor.protocol.uploads import UploadHead

MOST_AGAIN: Final = BLOCK
"""Entries that may come a second time: who sends more has another place to begin at."""


@dataclass(frozen=True, slots=True)
class MirrorProgress:
    """How far a mirror has come with a log: the size of its newest checkpoint, the first entry that
    is not stored, and the size of the checkpoint that it has cosigned."""

    pending: int
    next_entry: int
    mirrored: int

    def as_body(self, size: int) -> str:
        """The body that tells a client where to go on, for a checkpoint of that size."""
        return f"{size}\n{self.next_entry}\n\n"


def unknown(origin: str) -> Refusal:
    """The answer where nobody knows the log."""
    return Refusal(NOT_FOUND, f"the log {origin[:80]!a} is not known here")


def never_pending(origin: str) -> Refusal:
    """The answer where no checkpoint of the log was taken."""
    return Refusal(UNPROVEN, f"no checkpoint of {origin} was taken: add-checkpoint comes first")


def judge(head: UploadHead, progress: MirrorProgress, *, known: bool) -> bool:
    """Whether nothing is left to upload; where something is, it may begin. ``known``: the upload's
    end is the size of a checkpoint that is remembered.

    Raises:
        Refusal: 409, it may not.
    """
    if known and progress.mirrored <= head.end <= progress.next_entry:
        return True
    if not known or head.end < progress.mirrored:
        what = "mirrored already" if head.end < progress.mirrored else "not known"
        raise elsewhere(progress, progress.pending, f"the checkpoint for {head.end} is {what}")
    if head.start > progress.next_entry:
        raise elsewhere(progress, head.end, f"entries from {progress.next_entry} on are missing")
    if min(head.end, progress.next_entry) - head.start > MOST_AGAIN:
        raise elsewhere(progress, head.end, f"entries up to {progress.next_entry} are stored")
    return False


def elsewhere(progress: MirrorProgress, size: int, words: str) -> Refusal:
    """The answer that tells where to go on."""
    return Refusal(CONFLICT, words, progress.as_body(size), MIRROR_INFO)


def nothing_came(wrong: str) -> Refusal:
    """The answer where no package was proven before the body ended."""
    return Refusal(BAD_REQUEST, wrong or "the body ended before a package was whole")
