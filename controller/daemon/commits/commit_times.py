"""How long commits take: the one that is waited for, the longest of late, and whether the kernel
says that it is the disk which is waited for.
"""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

from controller.regular_files import read_whole


class CommitTimes:
    """Of drafts, in the order in which they were submitted."""

    def __init__(self) -> None:
        self._submitted_ns: deque[int] = deque()
        self._longest_ns = 0

    def submitted(self) -> None:
        """Another draft waits from now on."""
        self._submitted_ns.append(time.monotonic_ns())

    def durable(self) -> None:
        """The oldest draft waits no more."""
        self._submitted_ns.popleft()

    def took(self, since_ns: int) -> None:
        """A commit that was begun then, in nanoseconds of the monotonic clock, is over."""
        self._longest_ns = max(self._longest_ns, time.monotonic_ns() - since_ns)

    @property
    def any_waits(self) -> bool:
        """Whether a draft waits to become durable."""
        return bool(self._submitted_ns)

    def age_s(self) -> float:
        """For how long the oldest draft has waited, in seconds."""
        if not self._submitted_ns:
            return 0.0
        return (time.monotonic_ns() - self._submitted_ns[0]) / 1e9

    def longest_s(self) -> float:
        """How long the longest commit has taken since this was last asked, in seconds."""
        longest_ns, self._longest_ns = self._longest_ns, 0
        return longest_ns / 1e9


def waits_for_a_disk(thread: int) -> bool:
    """Whether a thread of this process is in uninterruptible sleep (proc(5)): it waits for a disk,
    and so would another process."""
    try:
        told = read_whole(Path(f"/proc/self/task/{thread}/stat")).decode("ascii", "replace")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] == "D"
