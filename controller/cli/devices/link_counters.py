"""Links' counters over the last minute, the last hour and since the start, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict

from controller.plain_text import columns
from drivers.link_counters import MEANINGS, TROUBLE

Counts = Mapping[str, int]


class CounterWindows(TypedDict):
    """A link's counters over three times, the first two in seconds as long as told."""

    minute: dict[str, int]
    minute_s: int
    hour: dict[str, int]
    hour_s: int
    start: dict[str, int]


class RecentCounts(TypedDict):
    """A window of the answer to ``links_lately``."""

    seconds: int
    links: dict[str, dict[str, int]]


def by_device(
    start: Mapping[str, dict[str, int]], lately: Mapping[str, RecentCounts]
) -> dict[str, CounterWindows]:
    """The answers to ``links`` and ``links_lately`` by device."""
    minute, hour = lately["minute"], lately["hour"]
    return {
        name: {
            "minute": minute["links"].get(name, {}),
            "minute_s": minute["seconds"],
            "hour": hour["links"].get(name, {}),
            "hour_s": hour["seconds"],
            "start": counts,
        }
        for name, counts in start.items()
    }


def tables(counts: Mapping[str, CounterWindows]) -> Iterator[str]:
    """The lines of a table for each device."""
    for name, windows in counts.items():
        yield ""
        yield f"{name}, {windows['minute_s']} s and {windows['hour_s']} s back:"
        yield from table(windows["minute"], windows["hour"], windows["start"]).splitlines()


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
    means = [_latency_ms(counts) for counts in (minute, hour, start)]
    if any(mean is not None for mean in means):
        told = ("-" if mean is None else f"{mean:.1f}" for mean in means)
        rows.append(("", *told, "ping_ms", "milliseconds to the answer of a PING, the mean"))
    return columns(rows, right=(1, 2, 3))


def _latency_ms(counts: Counts) -> float | None:
    pings = counts.get("pings", 0)
    return counts.get("ping_us", 0) / pings / 1000 if pings else None
