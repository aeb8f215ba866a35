"""The fields of the status object, which ``tablectl status --json`` prints. None is required, since
a client may meet a controller of another version.
"""

from __future__ import annotations

from typing import TypedDict

from controller.game.round.result_fields import BettorsAccount, HandResult, SettlementResult
from controller.json_values import JsonObject


class ShownHand(HandResult, total=False):
    """A hand; what lies on it by bettor and kind (``main``, ``double``, ``bought``); its marks, in
    the order of their letters (:mod:`~controller.table.showing.boxes`)."""

    stakes: dict[str, dict[str, str | None]]
    marks: list[str]


class Insured(TypedDict):
    """An insurance: ``of`` whose wager, as in ``1a``, and its amount."""

    of: str
    amount: str | None


class ShownBox(TypedDict, total=False):
    """A box: its hands; the amounts of its main wagers, and of side wagers that are not settled, by
    bettor and kind; ``insurance`` that is not settled, by who took it; ``returned``: what was given
    back when bets were closed."""

    hands: list[ShownHand]
    wagers: dict[str, dict[str, str | None]]
    insurance: dict[str, list[Insured]]
    returned: dict[str, dict[str, str | None]]
    absent: list[str]


class Asks(TypedDict):
    """What is awaited as a code (:data:`controller.table.showing.said.Code`), with the values that
    the prompt varies by."""

    code: str
    values: JsonObject


class Held(TypedDict, total=False):
    """Why the table is held, what to do next, and what a supervisor may do about it."""

    reason: str
    fault: str
    faults: list[str]
    next_step: str
    remedies: list[str]
    cards: list[str]


class Status(TypedDict, total=False):
    """What follows from the state; of the daemon, ``at`` (the number of the journal's last entry
    that changed what is shown), when it ``started`` (ISO 8601, UTC), its ``program`` and its
    ``journal``."""

    table: str
    rules: str
    state: str
    round: int
    prompt: str
    asks: Asks
    awaiting: str | None
    permitted: list[str]
    turn: dict[str, int] | None
    boxes: dict[str, ShownBox]
    dealer: HandResult
    meter: dict[str, int | None] | None
    offer: dict[str, int] | None
    devices: dict[str, JsonObject]
    shoe: JsonObject
    figures: list[int]
    places: int
    squeezed: list[int]
    held: Held | None
    conditions: dict[str, str]
    settlements: list[SettlementResult]
    owed: list[SettlementResult]
    account: list[BettorsAccount]
    due: list[str]
    keypad: list[str]
    at: int
    started: str
    program: JsonObject
    journal: JsonObject
