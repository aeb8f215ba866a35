"""Links' counters over the last minute, the last hour and since the start, as tables; and the tests
of a device of a running table, the last of which is of what its line has counted.

A test is ``name``, ``ok``, and ``what`` in plain words, which say what to do where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict

from controller.commissioning.machine_tests import SUPPORT, TestOutcome, own_test
from controller.control.answers import SelfTestOutcome
from controller.forms.json_values import JsonObject
from controller.plain_text import columns
from drivers.link_counters import DEGRADING_FROM, MEANINGS, TROUBLE, few

OF_PORT = frozenset(("down", "line_open_failed", "line_lost"))
"""Counters of a link that was interrupted: that it is up again is another test."""
LOOK = "look at its plug, supply and port"
CABLE = "exchange the cable, then the adapter"

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
    """A row for each counter that is not 0, those of trouble first; last the time to an answer."""
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


def tests_of(
    device: JsonObject, since: str, minute: Mapping[str, int], result: SelfTestOutcome
) -> Iterator[TestOutcome]:
    """All tests of a device of a running table, without a person: its link, identity, own
    self-test and faults, whether it works and takes its commands, its line. ``device`` is as its
    status has it, ``since`` how long ago its link changed, in words, ``minute`` what its line has
    counted within that time."""
    up = device.get("link") == "up"
    reason = f" ({device['reason']})" if device.get("reason") else ""
    look = "" if up else f"{reason}: {device.get('next_step') or LOOK}"
    yield {"name": "link", "ok": up, "what": f"{device.get('link')} since {since}{look}"}
    who = f"{device.get('kind')} {device.get('serial')}, firmware {device.get('firmware')}"
    yield {"name": "identity", "ok": bool(device.get("serial")), "what": who}
    yield own_test(result)
    stopped = str(device.get("stopped") or "")
    state = f"it {stopped}: put that right" if stopped else "nothing keeps it from working"
    yield {"name": "state", "ok": not stopped, "what": state}
    faults = str(device.get("faults") or "")
    told = f"it reports {faults}: put that right, or {SUPPORT}" if faults else "it reports none"
    yield {"name": "faults", "ok": not faults, "what": told}
    refused = device.get("refused")
    because = f"{refused}: put its state right" if stopped else f"{refused}: switch it off and on"
    said = because if refused else "it has taken its last one"
    yield {"name": "commands", "ok": not refused, "what": said}
    bad = {name: count for name, count in minute.items() if name in TROUBLE - OF_PORT and count}
    counted = "; ".join(f"{count} {MEANINGS[name]}" for name, count in bad.items())
    good = few(bad)
    advice = (
        f"fewer than {DEGRADING_FROM} are no fault" if good else device.get("next_step") or CABLE
    )
    clean = "nothing sent again, nothing damaged within the last minute"
    said = f"within the last minute {counted}: {advice}" if bad else clean
    yield {"name": "line", "ok": good, "what": said}
