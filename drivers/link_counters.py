"""What the counters of a link mean (:meth:`drivers.api.DeviceLink.statistics`), which of them tell
of trouble, and when a line is about to fail.

One that fails seldom fails at once: commands are sent again and messages come damaged before the
link drops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "events": "events taken from the device",
    "received": "messages received",
    "greeted": "times that the device was greeted: link up, or up again",
    "down": "times that the link was given up",
    "retries": "commands sent again: an answer did not come in time",
    "pings": "PINGs answered at once: how long they took is ping_us",
    "ping_us": "microseconds that those took together",
    "nak": "commands that the device refused",
    "event_again": "events that came again: an acknowledgement was late or lost",
    "event_gap": "events that came before one that was missing",
    "event_too_many": "events beyond the eight that may be under way: not by the protocol",
    "event_before_hello": "events before the device was greeted",
    "foreign_event": "events that this kind of device has not: is it the right one?",
    "bad_crc": "messages with a wrong checksum: noise on the line",
    "bad_size": "messages too short or too long: noise, or another protocol",
    "bad_version": "messages of another version of the protocol",
    "bad_length": "messages with the wrong length for their type",
    "bad_id": "messages with an id that they cannot have",
    "unknown_type": "messages of an unknown type",
    "stray_answer": "answers to nothing: late ones, or noise",
    "command_again": "commands that came again",
    "echoed_command": "own commands that came back: the line is looped, or echoes",
    "line_opened": "times that the port was opened",
    "line_open_failed": "times that the port could not be opened",
    "line_lost": "times that the port was lost: cable, adapter, unit",
    "line_overrun": "times that the device did not take what was sent",
    "line_noise": "bytes that were no frame",
    "line_bad_frames": "frames that could not be read: noise on the line",
    "line_bytes_in": "bytes received",
    "line_bytes_out": "bytes sent",
    "line_reads": "portions read",
    "line_reads_in_vain": "portions that were gone: another program reads the port",
    "line_stalls": "times that the USB endpoint stalled and was cleared",
    "line_empty": "empty USB packets",
    "line_over_long": "USB packets beyond 64 bytes",
    "line_packets_in": "USB packets received",
    "line_packets_out": "USB packets sent",
    "line_write_timeouts": "USB packets that were not taken in time",
}
"""By the counter's name; a driver of another maker may have more."""

TROUBLE: Final = frozenset(
    (
        *("down", "retries", "event_gap", "event_too_many", "foreign_event"),
        *("bad_crc", "bad_size", "bad_version", "bad_length", "bad_id", "unknown_type"),
        *("stray_answer", "echoed_command"),
        *("line_open_failed", "line_lost", "line_overrun", "line_noise", "line_bad_frames"),
        "line_reads_in_vain",
        *("line_stalls", "line_over_long", "line_write_timeouts"),
    )
)
"""Counters that a good link does not have."""


DAMAGED: Final = (
    *("line_bad_frames", "line_noise"),
    *("bad_crc", "bad_size", "bad_version", "bad_length", "bad_id"),
)
"""Counters of messages that came in and could not be read."""
READ_ELSEWHERE: Final = "line_reads_in_vain"
"""Counter of the times that a line was readable and another process had taken what was there."""
DEGRADING_FROM: Final = 3
"""Commands sent again and messages damaged within a minute; fewer are counted and not called so:
a table that has just been started, or a machine that is busy, may send one again."""


def damaged_of(minute: Mapping[str, int]) -> int:
    """Messages that came damaged."""
    return sum(minute.get(name, 0) for name in DAMAGED)


def degrades(minute: Mapping[str, int]) -> bool:
    """Whether a line that has counted so much within a minute is about to fail."""
    return minute.get("retries", 0) + damaged_of(minute) >= DEGRADING_FROM


def few(bad: Mapping[str, int]) -> bool:
    """Whether these counts of trouble within a minute are all of a kind that a good line may have a
    few of, and are a few. Of a command sent again the first answer may still come, as a stray."""
    strays = bad.get("stray_answer", 0)
    kinds = {"retries", "stray_answer", *DAMAGED}
    return kinds >= set(bad) and strays <= bad.get("retries", 0) and not degrades(bad)
