"""What is counted; every figure begins at 0 and can be added to another of its kind.

Money is in whole cents. A wager that plays without an amount is counted and has no sum, so sums
are those of the wagers whose amounts were entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from controller.game.round.model import Settlement

SUMS: Final = frozenset({"super_bonus", "super_bonus_share"})
"""Kinds of settlements that pay a sum on the strength of a wager which is settled by itself."""


@dataclass(slots=True)
class Money:
    """What became of the wagers of one kind (:class:`~controller.counters.report.MoneyReport`)."""

    wagers: int = 0
    untold: int = 0
    wagered: int = 0
    paid: int = 0
    returned: int = 0
    given_back: int = 0

    @property
    def house_win(self) -> int:
        """What the house kept; below 0 when it paid more than was wagered."""
        return self.wagered - self.paid

    def add(self, other: Money) -> None:
        """Count what another one counts."""
        _add(self, other)

    def settle(self, settlement: Settlement) -> None:
        """Count one settlement."""
        stake, net = settlement.stake, settlement.net
        if settlement.kind in SUMS:
            self.paid += net or 0
            self.untold += net is None
        elif settlement.outcome == "returned":
            self.returned += 1
            self.given_back += stake or 0
        else:
            self.wagers += 1
            if stake is None or net is None:
                self.untold += 1
            else:
                self.wagered += stake
                self.paid += stake + net


@dataclass(slots=True)
class Figures:
    """What happened in a span of time.

    ``rounds`` that were settled, ``void`` ones; ``money`` by kind of wager; ``draws`` by the
    weights in force and multiplier; ``presses`` that counted and ``presses_ignored``, for no offer
    that stood; ``cards`` that left the shoe, ``unread`` of them; ``shuffles`` that ended,
    ``incomplete`` of them, ``jams``; ``refused``: the dealer's commands that were refused after
    they had waited for the gate, ``refusals`` of devices; ``voids`` by whom, and
    ``voids_after_draw``, those of rounds in which a multiplier was drawn, by who confirmed them;
    ``corrections`` that were judged, by who gave the last ``correct`` or ``lies``; ``orders`` of
    supervisors by verb and whom.
    """

    rounds: int = 0
    void: int = 0
    money: dict[str, Money] = field(default_factory=dict)
    draws: dict[str, dict[int, int]] = field(default_factory=dict)
    presses: int = 0
    presses_ignored: int = 0
    cards: int = 0
    unread: int = 0
    shuffles: int = 0
    incomplete: int = 0
    jams: int = 0
    refused: int = 0
    refusals: int = 0
    voids: dict[str, int] = field(default_factory=dict)
    voids_after_draw: dict[str, int] = field(default_factory=dict)
    corrections: dict[str, int] = field(default_factory=dict)
    orders: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, other: Figures) -> None:
        """Count what another one counts."""
        _add(self, other)

    def settle(self, settlements: Iterable[Settlement]) -> None:
        """Count a round's settlements."""
        for settlement in settlements:
            self.money.setdefault(settlement.kind, Money()).settle(settlement)


def weights_text(weights: Iterable[tuple[int, int]]) -> str:
    """Weights as draws are counted by them: ``100=4 50=8``, in the order of the settings."""
    return " ".join(f"{multiplier}={weight}" for multiplier, weight in weights)


def _add(to: Money | Figures, other: Money | Figures) -> None:
    """Add every field of a record to another's; a field of another type would fail here."""
    for each in fields(to):
        mine, its = getattr(to, each.name), getattr(other, each.name)
        if isinstance(mine, dict):
            _merge(mine, its)
        else:
            setattr(to, each.name, mine + its)


def _merge(mine: dict[object, object], its: Mapping[object, object]) -> None:
    for key, value in its.items():
        held = mine.setdefault(key, type(value)())
        if isinstance(held, int) and isinstance(value, int):
            mine[key] = held + value
        elif isinstance(held, Money) and isinstance(value, Money):
            held.add(value)
        elif isinstance(held, dict) and isinstance(value, dict):
            _merge(held, value)
