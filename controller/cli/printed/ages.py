"""Times for people: how long ago something was."""

from __future__ import annotations

from datetime import UTC, datetime

_STEPS = ((120, 1, "s"), (2 * 3600, 60, "min"), (48 * 3600, 3600, "h"))


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
