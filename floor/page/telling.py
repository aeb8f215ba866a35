"""Rows as JSON has them; times are told in the house's time zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo


def as_json(value: object, zone: ZoneInfo) -> object:
    """The value as JSON has it."""
    match value:
        case datetime():
            return value.astimezone(zone).isoformat(timespec="milliseconds")
        case date():
            return value.isoformat()
        case Decimal():
            return float(value)
        case Mapping():
            return {str(key): as_json(one, zone) for key, one in value.items()}
        case str():
            return value
        case Sequence():
            return [as_json(one, zone) for one in value]
    return value
