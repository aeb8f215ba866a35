"""Events of the controller itself: that it runs, and what it has noticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from controller.json_values import JsonObject
from controller.table.events.event import Event, OfPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerStarted(Event):
    """The controller started. ``differences`` it found when it replayed its journal; ``digests``
    are those of program, libraries, configuration, rules and weights, ``configuration`` the
    configuration's values by key, ``program`` the program in full; a new journal numbers its offers
    from ``first_offer``. ``sealing`` is the key that signs the journal, ``found`` what is wrong
    with its signature."""

    TYPE: ClassVar = "start"
    boot_id: str
    settings: JsonObject
    versions: JsonObject | None = None
    program: JsonObject | None = None
    digests: Mapping[str, str] | None = None
    configuration: Mapping[str, str] | None = None
    sealing: JsonObject | None = None
    found: JsonObject | None = None
    first_offer: int | None = None
    differences: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerStopped(Event):
    """It stopped in good order."""

    TYPE: ClassVar = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionChanged(Event):
    """A condition of the controller itself has begun (``present``) or ended: ``fault`` is its code,
    ``detail`` the particulars in plain words. ``clock_since``: the clock was accepted, and times of
    entries up to that number count no more."""

    TYPE: ClassVar = "condition"
    fault: str
    present: bool
    detail: str
    clock_since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadinessReported(OfPerson):
    """The report before opening was made: ``checks`` have ``name``, ``ok``, ``mark``, ``what`` and
    ``next_step``; ``counted`` are the counters since commissioning, ``at`` is the clock on the
    wall, ISO 8601."""

    TYPE: ClassVar = "readiness"
    ready: bool
    checks: tuple[JsonObject, ...]
    counted: Mapping[str, int]
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiplierDrawn(Event):
    """A multiplier was drawn for ``offer``, of ``box``. The evidence: ``press`` is the device's
    session and event, or how the press was read; ``ticket`` was taken below ``total`` behind the
    ``rejected`` ones, of so many ``bits``; ``weights`` are those weights by their identity,
    ``mapping`` is how a ticket becomes a multiplier."""

    TYPE: ClassVar = "draw"
    COLUMNS: ClassVar[tuple[str, ...]] = ("offer",)
    offer: int
    multiplier: int
    box: int | None = None
    press: Mapping[str, int] | str | None = None
    ticket: int | None = None
    rejected: tuple[int, ...] | None = None
    bits: int | None = None
    total: int | None = None
    weights: str | None = None
    mapping: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterOverdue(Event):
    """The meter has not reported what it was told to show for that ``offer``."""

    TYPE: ClassVar = "overdue"
    offer: int
