"""Events of a device's link: what the daemon has learnt of the device, or by asking it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.table.events.event import OfDevice


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
