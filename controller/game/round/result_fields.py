"""The result object of a round: its fields and their types."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class HandResult(TypedDict):
    """A hand: its cards, and what they come to."""

    cards: str
    total: int


class SettlementResult(TypedDict):
    """The result of one wager on one hand; amounts are None where they are not entered. ``A-06``
    behind the ``clause`` is a default of the house. ``outcome`` ``reversed`` takes back the one
    before, with the opposite ``net``."""

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
    """Of one bettor with a wager or insurance: ``at_stake`` lies and is not settled; ``now`` is
    what is due at this moment, the sum of ``owed``; ``net`` is all that was told in the round, as
    seen by the bettor. None: one amount was not given."""

    box: int
    bettor: str
    at_stake: str | None
    now: str | None
    net: str | None


class RoundResult(TypedDict):
    """A round: ``outcome`` is ``settled`` or ``void``; ``settlements`` stand in order, ``net`` is
    by box and bettor. One from a journal has its number besides, the ``shoe`` as drawn, with marks,
    and the draws."""

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
