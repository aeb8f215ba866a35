"""A device's link in one line: how it answers, what went wrong lately, and whether it degrades.

A line that fails seldom fails at once: commands are sent again, frames come damaged, answers take
longer. The figures tell each from the first; words do where it is too much, before the link drops:
a table that has just been started sends a command again without anything being amiss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.cli.devices.link_counters import latency_ms
from controller.cli.live.known_table import SeenTable
from controller.cli.live.spans import Line, Look, clipped, span, width_of
from controller.forms.json_values import JsonObject
from controller.plain_text import ago
from drivers.link_counters import DEGRADING_FROM, damaged_of

SLOW_MS: Final = 75.0
"""Half the time after which a command is sent again."""
SILENT_S: Final = 3.0
"""A device is asked twice a second, and given up after about one."""


CALLED: Final = ("DEGRADING", "SLOW", "SILENT")
"""What a line is called that is about to fail."""


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """A link: counts of the last minute (None: not told), ``ms`` the mean time to an answer then,
    ``word`` what is to be said of it, ``bad`` whether that is trouble."""

    name: str
    up: bool
    since: str
    ms: float | None
    again: int | None
    damaged: int | None
    heard_s: float | None
    word: str
    bad: bool

    @property
    def worse(self) -> int:
        """0 well, 1 something is to be said of it, 2 it degrades, is slow, is silent."""
        return self.bad + any(called in self.word for called in CALLED)


def links(seen: SeenTable) -> list[LinkSeen]:
    """Every device's link."""
    devices = seen.state.get("devices", {})
    return [_link(name, device, seen) for name, device in devices.items()]


def _link(name: str, device: JsonObject, seen: SeenTable) -> LinkSeen:
    counted = seen.counted
    minute = counted.minute.get(name)
    up = device.get("link") == "up"
    ms = latency_ms(minute or {})
    again = damaged = None
    if minute is not None:
        again = minute.get("retries", 0)
        damaged = damaged_of(minute)
    heard = counted.heard_s.get(name)
    silent_s = 0.0 if heard is None or seen.frozen else heard
    said = list(_words(device, up, ms, again or 0, damaged or 0, silent_s))
    kind = device.get("kind")
    return LinkSeen(
        name if kind in (None, name) else f"{name} ({kind})",
        up,
        ago(device.get("since") or "-", seen.now).removesuffix(" ago"),
        ms,
        again,
        damaged,
        heard,
        "; ".join(said),
        bool(said),
    )


def _words(
    device: JsonObject, up: bool, ms: float | None, again: int, damaged: int, silent_s: float
) -> Iterator[str]:
    if not up:
        yield str(device.get("reason") or "no link")
    if again + damaged >= DEGRADING_FROM:
        counts = ((again, "sent again"), (damaged, "damaged"))
        told = ", ".join(f"{count} {what}" for count, what in counts if count)
        yield f"{'DEGRADING: ' if up else ''}{told} in the last minute"
    if up and ms is not None and ms >= SLOW_MS:
        yield f"SLOW: answers take {ms:.0f} ms"
    if up and silent_s >= SILENT_S:
        yield f"SILENT for {silent_s:.0f} s"
    for remark in (device.get("faults"), device.get("refused")):
        if remark:
            yield str(remark)


def link_lines(seen: SeenTable, width: int) -> list[Line]:
    """A line for each device; a further one for words that find no room behind the figures."""
    rows = links(seen)
    names = min(18, max((len(row.name) for row in rows), default=0))
    return [one for row in rows for one in _row(row, names, seen, width)]


def _row(row: LinkSeen, names: int, seen: SeenTable, width: int) -> Iterator[Line]:
    counted, frozen = seen.counted, seen.frozen
    look: Look = "alarm" if not row.up else "warning" if row.bad or frozen else "good"
    state = "DOWN" if not row.up else "up?" if frozen else "up"
    figures = ""
    if not counted.withheld:
        ms = f"{row.ms:.1f}" if row.ms is not None else "-"
        figures = f"{ms:>7} ms {_number(row.again):>4} again {_number(row.damaged):>4} bad"
        figures += f"  {_heard(row.heard_s)}"
    facts: Line = (
        span(f"{'!' if row.bad else ' '}{row.name[:names].ljust(names)} ", look if row.bad else ""),
        span(f"{state:<4}", look),
        span(f" {row.since:>7}{figures}"),
    )
    said = span(row.word, look)
    if not row.word or width_of(facts) + 2 + len(said.text) <= width:
        yield clipped((*facts, span("  "), said), width)
    else:
        yield clipped(facts, width)
        yield clipped((span(" " * (names + 2)), said), width)


def _number(count: int | None) -> str:
    return "-" if count is None else str(count)


def _heard(seconds: float | None) -> str:
    """The last word; below two seconds it is said as now, so that the figure does not flicker."""
    if seconds is None:
        return " " * 10
    return "heard  now" if seconds < 2 else f"heard {_short(seconds)}"


def _short(seconds: float) -> str:
    for below, unit, name in ((100, 1, " s"), (6000, 60, "mn")):
        if seconds < below:
            return f"{int(seconds // unit):>2}{name}"
    return f"{min(99, int(seconds // 3600)):>2} h"
