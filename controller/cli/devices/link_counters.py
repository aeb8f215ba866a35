"""The table of a link's counters that ``devices list --stats`` prints."""

from __future__ import annotations

from collections.abc import Mapping

from controller.plain_text import columns
from drivers.link_counters import MEANINGS, TROUBLE

Counts = Mapping[str, int]


def table(minute: Counts, hour: Counts, start: Counts) -> str:
    """A row for each counter that is not 0, those of trouble first and marked; last the time
    to an answer."""
    names = [name for name in {**start, **hour} if start.get(name) or hour.get(name)]
    names = [name for name in names if name not in ("pings", "ping_us")]
    names.sort(key=lambda name: (name not in TROUBLE, name.startswith("line_"), name))
    rows: list[tuple[str, ...]] = [("", "minute", "hour", "since start", "counter", "")]
    rows += [
        (
            "!" if name in TROUBLE and hour.get(name) else "",
            *(str(counts.get(name, 0)) for counts in (minute, hour, start)),
            name,
            MEANINGS.get(name, ""),
        )
        for name in names
    ]
    means = [latency_ms(counts) for counts in (minute, hour, start)]
    if any(mean is not None for mean in means):
        told = ("-" if mean is None else f"{mean:.1f}" for mean in means)
        rows.append(("", *told, "ping_ms", "milliseconds to the answer of a PING, the mean"))
    return columns(rows, right=(1, 2, 3))


def latency_ms(counts: Counts) -> float | None:
    """The mean time from a PING to its answer, in milliseconds; None where none was answered."""
    pings = counts.get("pings", 0)
    return counts.get("ping_us", 0) / pings / 1000 if pings else None
