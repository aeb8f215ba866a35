"""Events of the controller itself: that it runs, what it has noticed, and what it has learnt of a
device by its link, or by asking it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from controller.forms.json_values import JsonObject
from controller.table.events.event import Event, OfDevice
from controller.table.events.of_people import OfPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCame(OfDevice):
    """A device has answered HELLO and may be commanded; who it is. ``down_since`` when it was gone;
    ``lost``: the first and last of its events that were acknowledged and are not in the journal,
    ``greeted``: by this process. ``unheard``: it is not heard before it is accepted;
    ``exchange_stands`` says nothing to the table."""

    TYPE: ClassVar = "link"
    COLUMNS: ClassVar[tuple[str, ...]] = ("device", "session")
    session: int | None = None
    up: bool = True
    kind: str | None = None
    serial: str
    firmware: tuple[int, ...] | None = None
    digest: str | None = None
    capabilities: int | None = None
    new_session: bool
    last_event: int | None = None
    taken: int
    down_since: str | None
    exchange_stands: bool | None = None
    unheard: bool | None = None
    lost: tuple[int, ...] | None = None
    greeted: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWent(OfDevice):
    """A device does not answer any more, or its port is gone: the ``reason`` in plain words."""

    TYPE: ClassVar = "link"
    up: bool = False
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLocked(OfDevice):
    """The shoe has locked its gate: for which ``entry`` (below 0: after which void round), behind
    its event ``last_event``."""

    TYPE: ClassVar = "gate"
    entry: int | None = None
    last_event: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRefused(OfDevice):
    """A device refuses a command (``code``: protocol section 3)."""

    TYPE: ClassVar = "refused"
    command: str
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRead(OfDevice):
    """The jackpot unit was queried and reports that it was pressed."""

    TYPE: ClassVar = "pressed"
    offer_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRead(OfDevice):
    """The jackpot unit was queried and shows what was drawn."""

    TYPE: ClassVar = "shown"
    offer_id: int
    multiplier: int


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
