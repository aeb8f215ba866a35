"""When a line is about to fail, by what its link has counted within a minute.

A line that fails seldom fails at once: commands are sent again and messages come damaged before the
link drops. The counters are those of :meth:`drivers.api.DeviceLink.statistics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DAMAGED: Final = (
    *("line_bad_frames", "line_noise"),
    *("bad_crc", "bad_size", "bad_version", "bad_length", "bad_id"),
)
"""Counters of messages that came in and could not be read."""
READ_ELSEWHERE: Final = "line_reads_in_vain"
"""Counter of the times that a line was readable and another process had taken what was there."""
DEGRADING_FROM: Final = 3
"""Commands sent again and messages damaged within a minute; fewer are counted and not called so:
a table that has just been started may send one again."""


def damaged_of(minute: Mapping[str, int]) -> int:
    """Messages that came damaged."""
    return sum(minute.get(name, 0) for name in DAMAGED)


def degrades(minute: Mapping[str, int]) -> bool:
    """Whether a line that has counted so much within a minute is about to fail."""
    return minute.get("retries", 0) + damaged_of(minute) >= DEGRADING_FROM
