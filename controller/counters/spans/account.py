"""What is known of one span of time: a shift, or a gaming day.

What the counters count is in :class:`~controller.counters.figures.Figures`; here is what a report
on a shift tells besides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.counters.figures import Figures


@dataclass(slots=True)
class HeldTime:
    """How often a fault began to hold play, and for how long it did while the controller ran."""

    count: int = 0
    ns: int = 0


@dataclass(slots=True)
class SpanAccount:
    """Of a span: ``since`` and ``until`` by the wall clock, as the journal has them (None: it goes
    on), ``by`` whom it was begun; ``ran_ns`` is for how long the controller ran in it.

    ``second_person``: what a second person has agreed to, by who that was; ``holds`` by fault;
    ``shoes`` of which the first card was drawn.
    """

    since: str = ""
    until: str | None = None
    by: str = ""
    figures: Figures = field(default_factory=Figures)
    ran_ns: int = 0
    second_person: dict[str, int] = field(default_factory=dict)
    holds: dict[str, HeldTime] = field(default_factory=dict)
    shoes: int = 0
