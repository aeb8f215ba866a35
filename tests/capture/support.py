"""Captures made by a test: what is seen of a line, as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.api import Identity, Seen
from drivers.capture import format as capturing
from drivers.capture.reader import Capture, capture_of
from drivers.table_link.messages import COMMANDS, EVENTS, encode, read_traffic


def read_capture(path: Path) -> Capture:
    return capture_of(path, path.read_bytes())


ROOT = Path(__file__).parents[2]
BEGAN_NS = 7_000_000_000
IDENTITY = Identity("shoe", "SHOE-0001", (1, 4, 2), "00112233aabbccdd", 1)
CARD = {"event_no": 9, "t_ms": 5, "rank": 13, "suit": 3, "flags": 0, "card_uid": 0, "remaining": 7}


def head(**more: Any) -> dict[str, Any]:
    told: Mapping[str, Any] = {
        "end": capturing.CONTROLLER,
        "boot_id": "boot-1",
        "began": "2026-11-20T12:00:00+00:00",
        "began_ns": BEGAN_NS,
        "table": {"id": "P12", "rules": "mbs-pontoon-pandemonium-v5"},
        "program": {"name": "table-controller", "version": "0.1.0"},
        "devices": {
            "shoe": capturing.device(capturing.SERIAL, IDENTITY, 77),
            "jackpot": capturing.device(capturing.USB),
        },
    }
    return capturing.head(**{**told, **more})


def command(name: str, number: int = 5, **fields: int | str) -> Seen:
    return read_traffic(encode(COMMANDS[name].type, number, fields), outward=True)


def event(name: str, **fields: int | str) -> Seen:
    return read_traffic(encode(EVENTS[name].type, 0, fields), outward=False)


def write(path: Path, *lines: Mapping[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="ascii")
    return path


def line(name: str, after_ms: int, seen: Seen) -> dict[str, Any]:
    return capturing.line(name, BEGAN_NS + after_ms * 1_000_000, seen)
