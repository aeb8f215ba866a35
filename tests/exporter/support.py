"""An exporter in this process, at a controller of the test's; what it tells, by name and labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from exporter.collector import Collector
from exporter.talk import Talk

Told: TypeAlias = dict[str, float]
"""By ``name`` or ``name{label=value,…}``, the labels in order, without the prefix."""

PREFIX = "table_controller_"
NIGHT: dict[str, Any] = {
    "format": 1,
    "began": "2026-11-25T03:00:00Z",
    "ended": "2026-11-25T03:01:30.5Z",
    "took_s": 90.5,
    "well": True,
    "journal": {
        "journal": "00ff",
        "bytes": 123456,
        "first": 1,
        "from": 1000,
        "to": 2000,
        "whole": False,
        "whole_at": None,
        "findings": [],
    },
    "closed": [],
    "removed": [],
    "problems": [],
    "well_at": "2026-11-25T03:01:30.5Z",
}


def told(text: str) -> Told:
    found: Told = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            name = sample.name.removeprefix(PREFIX)
            found[f"{name}{{{labels}}}" if labels else name] = sample.value
    return found


@dataclass
class Clock:
    """Monotonic seconds, which the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


class Exporter:
    """A collector behind a registry, as the program has it."""

    def __init__(self, collector: Collector, clock: Clock) -> None:
        self.collector = collector
        self.clock = clock
        self.registry = CollectorRegistry(auto_describe=False)
        self.registry.register(collector)

    def scrape(self) -> Told:
        return told(generate_latest(self.registry).decode())

    def later(self) -> Told:
        self.clock.now += 60
        return self.scrape()

    def until(self, name: str, value: float) -> Told:
        """Scrape until it tells this; each time waits for the controller's answer."""
        for _ in range(500):
            if (now := self.scrape()).get(name) == value:
                return now
        raise AssertionError(now)


@contextmanager
def exporter(
    socket: Path, nightly: Path = Path("/none"), *, wait_s: float = 20.0
) -> Iterator[Exporter]:
    clock = Clock()
    talk = Talk(socket, now=clock)
    collector = Collector(talk, nightly, wait_s=wait_s, wall=lambda: 5.0, now=clock)
    try:
        yield Exporter(collector, clock)
    finally:
        collector.close(within_s=20.0)


def night(folder: Path, **changed: object) -> Path:
    path = folder / "report.json"
    path.write_text(json.dumps({**NIGHT, **changed}), encoding="utf-8")
    return path


def without(values: Mapping[str, float], *begins: str) -> Told:
    return {name: value for name, value in values.items() if not name.startswith(begins)}
