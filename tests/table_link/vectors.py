"""The encoded examples that come with the protocol; whoever disagrees with them is wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from drivers.api import Value

_FILE = Path(__file__).parents[1] / "data" / "table-link-vectors.json"


@dataclass(frozen=True)
class Vector:
    """One message, its payload and its frame on a serial line."""

    name: str
    type: int
    id: int
    fields: dict[str, Value]
    payload: bytes
    serial: bytes

    def __str__(self) -> str:
        return self.name


def _vector(entry: dict[str, object]) -> Vector:
    fields = entry["fields"]
    assert isinstance(fields, dict)
    return Vector(
        name=str(entry["name"]),
        type=int(str(entry["type"])),
        id=int(str(entry["id"])),
        fields={k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()},
        payload=bytes.fromhex(str(entry["payload"])),
        serial=bytes.fromhex(str(entry["serial"])),
    )


_content = json.loads(_FILE.read_text(encoding="utf-8"))
GOOD = [_vector(entry) for entry in _content["good"]]
DROPPED = {str(entry["name"]): bytes.fromhex(entry["payload"]) for entry in _content["dropped"]}
