"""Text for people, before it is printed: tables in columns, and times as ages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

_STEPS = ((120, 1, "s"), (2 * 3600, 60, "min"), (48 * 3600, 3600, "h"))


def columns(rows: Iterable[Sequence[object]], indent: str = "  ", right: Iterable[int] = ()) -> str:
    """Rows as aligned text; ``right`` are the columns that stand to the right. Every row has as
    many cells as the first."""
    columns_of = [list(map(str, column)) for column in zip(*rows, strict=True)]
    to_right = set(right)
    for i, column in enumerate(columns_of):
        width = max(map(len, column))
        adjust = str.rjust if i in to_right else str.ljust
        columns_of[i] = [adjust(cell, width) for cell in column]
    lines = zip(*columns_of, strict=True)
    return "\n".join((indent + "  ".join(cells)).rstrip() for cells in lines)


def ago(written: object, now: datetime | None = None) -> str:
    """``8 s ago`` for a time as the controller writes it; the text itself where it is none. A time
    that has not come yet (the clock was set back) is told as it is."""
    try:
        then = datetime.fromisoformat(str(written))
        seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    except (ValueError, TypeError):
        return str(written)
    return str(written) if seconds < 0 else f"{spell(seconds)} ago"


def spell(seconds: float) -> str:
    """A span of time as people say it, the same for a second or more."""
    for below, unit, name in _STEPS:
        if seconds < below:
            return f"{int(seconds // unit)} {name}"
    return f"{int(seconds // 86400)} days"
