"""The last report before opening."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.table.state.part import Part


@dataclass(slots=True)
class Readiness(Part):
    """``at`` is when it was made (wall clock, ISO 8601; empty: none was), ``counted`` what the
    counters said since commissioning, so that the next one says what has come since."""

    at: str = ""
    counted: dict[str, int] = field(default_factory=dict)
