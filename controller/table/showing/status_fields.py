"""The fields of the status object, which ``tablectl status --json`` prints. None is required, since
a client may meet a controller of another version.
"""

from __future__ import annotations

from typing import TypedDict

from controller.forms.json_values import JsonObject, checked
from controller.game.round.result_fields import BettorsAccount, HandResult, SettlementResult
from controller.table.showing.actions import Action


class ShownHand(HandResult, total=False):
    """A hand. ``stakes`` lie on it, by bettor and kind (``main``, ``double``, ``bought``); one that
    is settled is gone. ``marks`` are ``split``, ``doubled``, ``bought``, ``surrendered``,
    ``withdrawn``, ``pontoon``, ``bust``, ``settled``, ``void``."""

    stakes: dict[str, dict[str, str | None]]
    marks: list[str]


class Insured(TypedDict):
    """An insurance: ``of`` whose wager, as in ``1a``, and its amount."""

    of: str
    amount: str | None


class ShownBox(TypedDict, total=False):
    """A box. ``wagers`` are its main wagers, and side wagers that are not settled, by bettor and
    kind; ``insurance`` is what is not settled of it, by who took it; ``returned`` is what a bettor
    got back when bets were closed; ``absent`` are the bettors who are not there."""

    hands: list[ShownHand]
    wagers: dict[str, dict[str, str | None]]
    insurance: dict[str, list[Insured]]
    returned: dict[str, dict[str, str | None]]
    absent: list[str]


class Asks(TypedDict):
    """What is awaited as a code (:data:`controller.table.showing.prompt_text.Code`), with the
    values that the prompt varies by."""

    code: str
    values: JsonObject


class StatusHold(TypedDict, total=False):
    """Why the table is held, what to do next, and the ``remedies`` that a supervisor may give, in
    ``remedy_actions`` as objects."""

    reason: str
    fault: str
    faults: list[str]
    next_step: str
    remedies: list[str]
    remedy_actions: list[Action]
    cards: list[str]


class DrawnCard(TypedDict):
    """A card of the round, or of the one just cleared, as it may be shown; the list has them by
    their numbers, from 1. It ``lies`` at ``box 3`` or, of several hands, ``box 3.2``, at the
    ``dealer``; it ``waits`` for a decision, or is ``out``."""

    card: str
    lies: str


class Choices(TypedDict):
    """What may be said of what went wrong, at a table with this ``at``, by the ``dealer`` and by a
    ``supervisor``: commands with a word in capitals for each value that is still to be said; in
    ``dealer_actions`` and ``supervisor_actions`` as objects. ``clauses`` has those by which some of
    them are given."""

    at: int
    dealer: list[str]
    supervisor: list[str]
    dealer_actions: list[Action]
    supervisor_actions: list[Action]
    clauses: dict[str, str]


class Status(TypedDict, total=False):
    """The table as it is. ``at`` is the number of the journal's last entry that changed what is
    shown. ``permitted`` are the commands that the dealer may give, ``actions`` the same as objects,
    ``turn`` is the hand that decides. ``owed`` is due now; in a void round first what is taken
    back, then what is returned. ``due`` are the settlements in words, ``keypad`` its two rows.
    ``held``: why play is held; ``conditions`` are faults that are present, with their words.
    ``places`` are the table's boxes, ``limits`` its limits (null: none), ``bettors`` who may have a
    wager of each kind, by letters as ``abc``, ``squeezed`` the boxes that are dealt face down,
    ``figures`` the multipliers that may be drawn.

    ``shoe``: ``gate`` (cards that it lets pass now), ``set`` (null: unknown), ``remaining`` and
    ``used`` by the table's count (null: unknown), ``unrevealed``, ``unread``, ``burned``,
    ``burn_due``, ``cutting_card``, ``shuffle_due``, and ``blocked``: sets that may not be played,
    with what is missing; ``full`` shoes have that many cards, ``tens`` among them or not. It never
    says which cards are left.

    Of a device: its ``link`` (``up`` or ``down``) and since when, the ``reason`` why it is down,
    what is ``stopped`` and which ``faults`` it reports, the command that it ``refused`` last.

    ``started`` and what stands behind it are the daemon's; ``journal.witnesses`` tells how far each
    has cosigned, the floor's mirror among them, and what it answered; ``upkeep`` is of the second
    copy, the scrubber and the tree.
    """

    table: str
    rules: str
    state: str
    round: int
    prompt: str
    asks: Asks
    awaiting: str | None
    permitted: list[str]
    actions: list[Action]
    turn: dict[str, int] | None
    boxes: dict[str, ShownBox]
    dealer: HandResult
    meter: dict[str, int | None] | None
    offer: dict[str, int] | None
    devices: dict[str, JsonObject]
    shoe: JsonObject
    figures: list[int]
    places: int
    limits: dict[str, str | None]
    bettors: dict[str, str]
    drawn: list[DrawnCard]
    squeezed: list[int]
    held: StatusHold | None
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
    configuration: JsonObject
    state_directory: str
    log: str
    upkeep: JsonObject


def status_of(answer: JsonObject) -> Status:
    """The status that a controller has sent, or WrongForm; a field that is null counts as left
    out."""
    told = {key: value for key, value in answer.items() if value is not None}
    return checked(Status, told, "status")
