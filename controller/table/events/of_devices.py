"""What devices report themselves, under their names and fields in the link protocol (Table Link,
section 5). What play does not need may be missing, or of whatever form (``object``): another
protocol's driver need not know it, or has a card's number as text. It is stored as it came.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.table.events.event import Reported

# ---- card shoe --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCame(Reported):
    """A card has left the shoe."""

    TYPE: ClassVar = "CARD"
    rank: int
    suit: int
    flags: int
    card_uid: object = None
    remaining: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CuttingCardCame(Reported):
    """The cutting card has come."""

    TYPE: ClassVar = "CUTTING_CARD"
    remaining: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeReported(Reported):
    """The shoe's state, and how many cards are in it."""

    TYPE: ClassVar = "SHOE_STATE"
    state: int
    remaining: int


# ---- shuffler ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerReported(Reported):
    """The shuffler's state, of that set."""

    TYPE: ClassVar = "SHUFFLER_STATE"
    state: int
    set: int
    count: object = None
    progress: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleDone(Reported):
    """A set came out of the shuffler."""

    TYPE: ClassVar = "SHUFFLE_DONE"
    set: int
    count: object = None
    result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDiffer(Reported):
    """The shuffler has counted too many (above 0) or too few of a card."""

    TYPE: ClassVar = "CARD_DISCREPANCY"
    rank: int
    suit: int
    difference: int


# ---- jackpot unit -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed(Reported):
    """The button was pressed."""

    TYPE: ClassVar = "PRESS"
    offer_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureShown(Reported):
    """A meter shows a multiplier; 0: it cannot be read."""

    TYPE: ClassVar = "SHOWN"
    offer_id: int
    multiplier: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverMoved(Reported):
    """The cover was opened (1) or closed (0)."""

    TYPE: ClassVar = "COVER"
    open: int | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonStuck(Reported):
    """The button has been down for too long."""

    TYPE: ClassVar = "STUCK"
    held_ms: object = None


# ---- keypad, and every device -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPressed(Reported):
    """A key was pressed; ``supervisor``: the key switch was turned."""

    TYPE: ClassVar = "KEY"
    key: str
    supervisor: int | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsChanged(Reported):
    """The bits of a device's faults have changed."""

    TYPE: ClassVar = "FAULT"
    faults: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReported(Reported):
    """What no table knows, of a later protocol or a driver's own: stored, and nothing of play."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("device", "session", "event_no", "called")
    called: str

    @property
    def type(self) -> str:
        """Its type in the journal."""
        return self.called
