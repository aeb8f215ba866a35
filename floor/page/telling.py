"""Rows as JSON and as CSV; times are told in the house's time zone."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from floor.facts.printed import as_cell


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


def as_csv(rows: Iterable[Mapping[str, object]], columns: Sequence[str], zone: ZoneInfo) -> str:
    """The rows as CSV (RFC 4180), the first line the columns' names."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[name], zone) for name in columns])
    return text.getvalue()


def _cell(value: object, zone: ZoneInfo) -> object:
    return "" if value is None else as_cell(as_json(value, zone))
