"""Payloads as a technician reads them: named and taken apart, or why they are dropped."""

from __future__ import annotations

from drivers.api import Traffic
from drivers.table_link.messages import NAK, SPECS, DroppedError, Role, decode


def read_traffic(payload: bytes, *, outward: bool) -> Traffic:
    """What a payload says; one that is no message is called ``dropped`` with the reason."""
    try:
        message = decode(payload)
    except DroppedError as dropped:
        return Traffic(outward, payload, f"dropped: {dropped.reason.value}", None, {})
    answers = SPECS[message.type].role is Role.ANSWER and message.type != NAK
    name = f"{message.name} answer" if answers else message.name
    return Traffic(outward, payload, name, message.id, message.fields)
