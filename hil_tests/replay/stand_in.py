"""What a device would answer where a capture does not say it: as its head says it was, idle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.api import Value
from drivers.table_link.messages import ANSWER_BIT, SPECS, Message, encode
from drivers.vocabulary import KINDS
from hil_tests.replay.exchanges import HELLO

NUMBERS = {kind: number for number, kind in KINDS.items()}


def answer_of(name: str, head: Mapping[str, Any], asked: Message, last_event: int) -> bytes:
    """The payload that answers a command: HELLO with who the head says it is, any other with
    nothing but ``last_event``."""
    spec = SPECS[asked.type | ANSWER_BIT]
    fields = spec.layout.unpack(bytes(spec.layout.size))
    if asked.name == HELLO:
        fields |= _identity(name, head)
    if "last_event" in fields:
        fields["last_event"] = last_event
    return encode(spec.type, asked.id, fields)


def _identity(name: str, head: Mapping[str, Any]) -> dict[str, Value]:
    return {
        "kind": NUMBERS[str(head.get("kind", name))],
        "session_id": int(head.get("session", 1)),
        "capabilities": int(head.get("capabilities", 0)),
        "firmware": tuple(head.get("firmware", (0, 0, 0))),
        "serial": str(head.get("serial", "")),
        "digest": str(head.get("digest", "00" * 8)),
    }
