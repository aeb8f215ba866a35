"""A technician's devices without devices: their answers and traffic are what the test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.control.answers import Portion, SelfTestOutcome
from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.forms.json_values import JsonObject

BEGAN = "2026-11-20T12:00:00+00:00"
WELL: SelfTestOutcome = {
    "device": "shoe",
    "well": True,
    "failed": [],
    "duration_ms": 1500,
    "trouble": "",
}


READY: JsonObject = {"ready": True, "checks": []}

HEAD = {
    "capture": 2,
    "end": "controller",
    "boot_id": "boot-1",
    "began": BEGAN,
    "began_ns": 1_000_000_000,
    "table": {"id": "T1", "rules": "division-15-pontoon"},
    "program": {"name": "table-controller"},
    "devices": {"shoe": {"carrier": "serial"}},
}


def line(number: int, message: str = "PING", **fields: Any) -> dict[str, Any]:
    return {
        "at_ns": 1_000_000_000 + number * 1_500_000,
        "device": "shoe",
        "dir": "in" if message == "CARD" else "out",
        "raw": "0102",
        "message": message,
        "id": number,
        "fields": fields,
    }


@dataclass
class Bench:
    """Answers self-tests with ``answer``, captures with ``portions``, one after the other and then
    empty ones. A ``refusal`` is given instead. ``minute`` is what the shoe's line has counted
    lately."""

    answer: SelfTestOutcome = field(default_factory=lambda: WELL)
    portions: list[Portion] = field(default_factory=list)
    refusal: str = ""
    minute: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    closed: int = 0
    taken: int = 0

    async def links(self) -> Mapping[str, Mapping[str, int]]:
        return {"shoe": {"retries": 3}}

    async def links_lately(self) -> JsonObject:
        hour = {"seconds": 3605, "links": {"shoe": {"retries": 2, "events": 40}}}
        return {"minute": {"seconds": 64, "links": {"shoe": self.minute}}, "hour": hour}

    async def ready(self, who: Peer) -> JsonObject:
        return READY

    async def self_test(self, device: str, who: Peer) -> SelfTestOutcome:
        self._check(device)
        return self.answer

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> Bench:
        self._check(device)
        return self

    def trial(self, device: str, who: Peer, changed: Callable[[], None]) -> Bench:
        return self.capture(device, who, changed)

    async def device_command(self, device: str, command: str, who: Peer) -> JsonObject:
        self._check(device)
        self.asked.append(command)
        return {"fields": {}}

    async def device_tested(
        self, device: str, test: str, verdict: str, what: str, who: Peer
    ) -> JsonObject:
        self._check(device)
        self.asked.append(f"{test}: {verdict}, {what}")
        return {}

    def take_portion(self) -> Portion:
        portion: Portion = self.portions.pop(0) if self.portions else {}
        empty: Portion = {"lines": [], "dropped": 0, "more": bool(self.portions)}
        if not self.taken:
            empty["head"] = HEAD
        self.taken += 1
        return {**empty, **portion}

    def close(self) -> None:
        self.closed += 1

    def _check(self, device: str) -> None:
        self.asked.append(device)
        if device not in ("shoe", "all"):
            raise BadCommand(f"this table has no device {device!r}: expected one of shoe")
        if self.refusal:
            raise RequestRefused(self.refusal)
