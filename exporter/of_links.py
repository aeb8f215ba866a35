"""The counters of links since the controller's start, as metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exporter import catalogue as names
from exporter.metrics import Metric, Readings, Summed

PLAIN: Final[Mapping[str, Metric]] = {
    "received": names.LINK_RECEIVED,
    "events": names.LINK_EVENTS,
    "greeted": names.LINK_GREETINGS,
    "line_bytes_in": names.LINK_IN,
    "line_bytes_out": names.LINK_OUT,
}
"""By the counter's name."""

TROUBLE: Final = (
    *("down", "retries", "event_gap", "event_too_many", "foreign_event"),
    *("bad_crc", "bad_size", "bad_version", "bad_length", "bad_id", "unknown_type"),
    *("stray_answer", "echoed_command"),
    *("line_open_failed", "line_lost", "line_overrun", "line_noise", "line_bad_frames"),
    *("line_stalls", "line_over_long", "line_write_timeouts", "line_reads_in_vain"),
)
"""Those of the CLI's (``link_counters.TROUBLE``), which a test compares: the exporter does without
the CLI."""

Links = Mapping[str, Mapping[str, int]]
"""Counters by device and name."""


def read_links(links: Links, kinds: Mapping[str, str], readings: Readings) -> None:
    """Add them; ``kinds`` are the devices' by their names."""
    for device, counts in links.items():
        labels = device, kinds.get(device, "")
        for name, metric in PLAIN.items():
            readings.add(metric, counts.get(name, 0), *labels)
        for name in TROUBLE:
            readings.add(names.LINK_TROUBLE, counts.get(name, 0), *labels, name)
        pings, took_us = counts.get("pings", 0), counts.get("ping_us", 0)
        if min(pings, took_us) >= 0 and max(pings, took_us) < 1 << 62:
            readings.add(names.LINK_PING, Summed(pings, took_us / 1_000_000), *labels)
