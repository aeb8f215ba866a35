"""What a part of the table is, and the smaller parts.

A part has the fields that a dealer's command may change. A command never changes a value in place
but replaces it (a round, a list), so it is enough to keep references to the values before it. Of
several commands, each keeps only what it changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, cast

from controller.game.commands.values import Stake
from controller.game.round.wagers import Replaced, Sheet
from controller.table.settings import Settings

Kept = dict[str, object]
"""Values of a part by the names of their fields."""


class Part:
    """A part of the table; ``TAKEN_BACK`` names the fields that ``undo`` restores, in the order of
    their declaration."""

    __slots__ = ()

    TAKEN_BACK: ClassVar[tuple[str, ...]] = ()

    KEPT_OTHERWISE: ClassVar[Mapping[str, object]] = {}
    """Names and types of what :meth:`only_changed` keeps and what is no field."""

    def keep_values(self) -> Kept:
        """The values that a command may change, before the command."""
        return {name: getattr(self, name) for name in self.TAKEN_BACK}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore the values that :meth:`keep_values` returned."""
        for name in self.TAKEN_BACK:
            setattr(self, name, kept[name])

    def only_changed(self, kept: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """Those of the values ``kept`` that are other ones in ``then``, kept later."""
        return {name: value for name, value in kept.items() if value != then[name]}

    def all_again(self, changed: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """What :meth:`only_changed` was given with the same ``then``."""
        return {**then, **changed}


Returned = tuple[int, str, str, Stake]
"""Box, bettor, kind and amount of a wager that was given back."""


@dataclass(slots=True)
class Betting(Part):
    """``sheet`` is changed in place while bets are open, so a copy of it is kept for ``undo``, or
    under ``replaced`` what a command changed of it.
    ``settled_below``: box and letter of those who had a wager below the minimum settled;
    ``returned``: what was given back when bets were closed
    (:mod:`~controller.table.below_minimum`)."""

    TAKEN_BACK: ClassVar = ("settled_below", "returned")
    KEPT_OTHERWISE: ClassVar = {"replaced": Replaced}

    sheet: Sheet = field(default_factory=Sheet)
    settled_below: frozenset[tuple[int, str]] = frozenset()
    returned: tuple[Returned, ...] = ()

    def keep_values(self) -> Kept:
        """A copy of the sheet, and the rest as it is."""
        return {"sheet": self.sheet.clone(), **Part.keep_values(self)}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore what was kept."""
        self.sheet = _sheet(kept)
        Part.bring_back(self, kept)

    def only_changed(self, kept: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """As for every part; of the sheet only the boxes whose wagers are others."""
        changed = Part.only_changed(self, kept, then)
        changed.pop("sheet", None)
        replaced = _sheet(kept).replaced_in(_sheet(then))
        return {**changed, "replaced": replaced} if replaced else changed

    def all_again(self, changed: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """As for every part."""
        whole = Part.all_again(self, changed, then)
        replaced = cast("Replaced", whole.pop("replaced", {}))
        return {**whole, "sheet": _sheet(then).with_replaced(replaced)}


def _sheet(kept: Mapping[str, object]) -> Sheet:
    sheet = kept["sheet"]
    assert isinstance(sheet, Sheet)
    return sheet


class Phase(StrEnum):
    """The states of a table's sequence, as journals, snapshots and the status write them. From
    closed bets until the round is cleared, the state that is shown is the round's own."""

    CLOSED = "closed"
    IDLE = "idle"
    BETTING = "betting"
    PLAYING = "playing"
    ENDED = "ended"
    SERVICE = "service"


@dataclass(slots=True)
class Course(Part):
    """``round_number`` counts up when bets are opened; ``checked``: who has checked the cards of a
    closed table (``dealer``, ``supervisor``)."""

    TAKEN_BACK: ClassVar = ("phase", "round_number")

    phase: Phase = Phase.IDLE
    round_number: int = 0
    checked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """The button offered to a box: ``press`` is the session and number of the event by which it
    was pressed, None for one read from the unit; ``shown`` once the meter has reported the
    multiplier."""

    number: int
    box: int
    press: tuple[int, int] | None = None
    multiplier: int | None = None
    shown: bool = False


@dataclass(slots=True)
class Jackpot(Part):
    """``next_offer`` is the number of the next one: no number is used twice at a table;
    ``last_draw`` is the last offer for which a multiplier was drawn; ``draws`` are those of the
    round, as in its result."""

    TAKEN_BACK: ClassVar = ("offer", "draws")

    offer: Offer | None = None
    next_offer: int = 1
    last_draw: int = 0
    draws: list[dict[str, int]] = field(default_factory=list)

    def number_from(self, first: int) -> None:
        """Number the offers of a new journal from ``first`` on."""
        self.next_offer = first

    def use_number(self, number: int) -> None:
        """Record that the number of an offer was used, in service."""
        self.next_offer = max(self.next_offer, number + 1)

    def begin_round(self) -> None:
        """Begin a round without offer and draws."""
        self.offer, self.draws = None, []

    def withdraw(self) -> None:
        """End the offer."""
        self.offer = None

    def offer_to(self, box: int | None) -> None:
        """Offer the button to the box, by the next number; None: it is offered to nobody."""
        self.offer = None if box is None else Offer(self.next_offer, box)
        self.next_offer += box is not None


@dataclass(slots=True)
class Readiness(Part):
    """``at`` is when it was made (wall clock, ISO 8601; empty: none was), ``counted`` what the
    counters said since commissioning, so that the next one says what has come since."""

    at: str = ""
    counted: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Service(Part):
    """``came_from`` is the phase in which service began, ``offers_from`` the first number of an
    offer that was made in it; ``ran_out``: the shoe had run out before. Since then: ``drawn`` cards
    have left the shoe, its cards were taken out (``exchanged``), some of them drawn before that
    (``touched``), and ``shoe`` is the state and the number of cards that it reported last, None
    where a card has left it behind that report."""

    came_from: Phase = Phase.IDLE
    offers_from: int = 0
    ran_out: bool = False
    drawn: int = 0
    exchanged: bool = False
    touched: bool = False
    shoe: tuple[int, int] | None = None


@dataclass(slots=True)
class Setup(Part):
    """``adopted`` are the settings of the present round, ``next_settings`` those from the next one
    on; ``boot_id`` is the boot of the last start record, ``digests`` those of the program, its
    libraries and its configuration in it, ``values`` the configuration's values by key;
    ``stopped``: a clean stop followed it. Times of entries up to the one of number ``clock_since``
    say nothing of the clock: a supervisor has accepted it then."""

    TAKEN_BACK: ClassVar = ("adopted", "next_settings")

    adopted: Settings | None = None
    next_settings: Settings | None = None
    boot_id: str = ""
    digests: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    values: dict[str, str] = field(default_factory=dict)
    clock_since: int = 0

    def stop(self) -> None:
        """Record a clean stop."""
        self.stopped = True

    def accept_clock(self, seq: int) -> None:
        """Count no time of an entry up to that one."""
        self.clock_since = seq

    def adopt(self, settings: Settings) -> None:
        """Play under these settings from now on."""
        self.adopted, self.next_settings = settings, None
