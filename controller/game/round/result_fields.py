"""The result object of a round: its fields and their types."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class HandResult(TypedDict):
    """A hand: its cards, and what they come to."""

    cards: str
    total: int


class SettlementResult(TypedDict):
    """A settlement in a round's result; amounts in dollars, None where they are not entered."""

    box: int
    bettor: str
    hand: int
    kind: str
    stake: str | None
    outcome: str
    odds: str | None
    net: str | None
    clause: str


class BettorsAccount(TypedDict):
    """Of one bettor: ``at_stake`` lies and is not settled; ``now`` is what is due at this moment,
    and ``net`` all that was told in the round, as seen by the bettor. Dollars; None: not known."""

    box: int
    bettor: str
    at_stake: str | None
    now: str | None
    net: str | None


class RoundResult(TypedDict):
    """The result of a round. One from a journal has its number besides, the ``shoe`` as drawn, with
    marks, and the draws."""

    title: str
    rules: str
    outcome: str
    dealer: HandResult
    boxes: dict[str, list[HandResult]]
    settlements: list[SettlementResult]
    net: dict[str, str | None]
    round: NotRequired[int]
    shoe: NotRequired[str]
    draws: NotRequired[list[dict[str, int]]]
