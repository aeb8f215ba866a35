"""A technician's devices without devices: their answers and traffic are what the test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.control.peers import Peer
from controller.control.server import BadCommand, Refusal

BEGAN = "2026-11-20T12:00:00+00:00"
WELL = {"device": "shoe", "well": True, "failed": [], "duration_ms": 1500, "trouble": ""}


def frame(number: int, message: str = "PING", **fields: Any) -> dict[str, Any]:
    return {
        "t_ms": number * 1.5,
        "dir": "in" if message == "CARD" else "out",
        "raw": "0102",
        "message": message,
        "id": number,
        "fields": fields,
    }


@dataclass
class Bench:
    """Answers self-tests with ``answer``, captures with ``portions``, one after the other and then
    empty ones. A ``refusal`` is given instead."""

    answer: Mapping[str, Any] = field(default_factory=lambda: WELL)
    portions: list[dict[str, Any]] = field(default_factory=list)
    refusal: str = ""
    asked: list[str] = field(default_factory=list)
    closed: int = 0

    def links(self) -> Mapping[str, Mapping[str, int]]:
        return {"shoe": {"retries": 3}}

    async def self_test(self, device: str, who: Peer) -> Mapping[str, Any]:
        self._check(device)
        return self.answer

    def capture(self, device: str, who: Peer, changed: Callable[[], None]) -> Bench:
        self._check(device)
        return self

    def take(self) -> Mapping[str, Any]:
        portion = self.portions.pop(0) if self.portions else {}
        more = bool(self.portions)
        empty = {"device": "shoe", "began": BEGAN, "frames": [], "dropped": 0, "more": more}
        return empty | portion

    def close(self) -> None:
        self.closed += 1

    def _check(self, device: str) -> None:
        self.asked.append(device)
        if device != "shoe":
            raise BadCommand(f"this table has no device {device!r}: expected one of shoe")
        if self.refusal:
            raise Refusal(self.refusal)
