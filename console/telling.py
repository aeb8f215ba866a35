"""What each page is told: the dealer's the table as it stands, the sign what everybody may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from console.acting import Actor
from console.following import TableFollower
from console.seat import Seat
from console.sign import ShownMultipliers
from controller.forms.json_values import JsonObject
from controller.game.commands.verbs import LYING, VERBS, Fact

OF_TABLE: Final = (
    *(
        "table",
        "state",
        "round",
        "asks",
        "permitted",
        "actions",
        "turn",
        "boxes",
        "dealer",
        "meter",
        "offer",
    ),
    *("places", "limits", "bettors", "drawn", "squeezed", "held", "owed", "account", "at"),
)
OF_SHOE: Final = ("remaining", "cutting_card")
"""What the dealer's page shows of the status."""
OF_SIGN: Final = ("table", "rules", "limits", "figures", "meter")
BETWEEN: Final = ("closed", "idle", "betting", "settled", "void", "service")
"""Of the table's states those in which no round is in play."""


def verb_rows() -> dict[str, list[str]]:
    """The verbs in the order of their keys, each with what it belongs to and what is true of it."""
    return {
        name: [row.part, *(str(fact.name).lower() for fact in row.facts | _lying(name))]
        for name, row in VERBS.items()
    }


def _lying(name: str) -> Fact:
    """What is true of a wager that a supervisor says, beside what is of one that is placed."""
    return LYING.facts if name == LYING.name else Fact.PLAIN


def for_dealer(boot: str, table: TableFollower, seat: Seat, actor: Actor) -> JsonObject:
    """The state of the dealer's page by its parts: ``console`` (this start), ``lost``, ``seat``
    (the page that acts), ``person``, his ``role``, ``once`` and ``table``."""
    return {
        "console": boot,
        "lost": table.lost,
        "seat": seat.name,
        "person": actor.person,
        "role": actor.role,
        "once": actor.once,
        "table": _table(table.status),
    }


def for_sign(table: TableFollower, shown: ShownMultipliers, words: Sequence[str]) -> JsonObject:
    """The state of the sign by its parts: ``lost``, ``last`` (multipliers), ``words`` and
    ``table``."""
    told = {key: table.status.get(key) for key in OF_SIGN} if table.status else None
    if told is not None:
        told["between"] = str(table.status.get("state")).removeprefix("held.") in BETWEEN
    return {"lost": table.lost, "last": shown.last, "words": list(words), "table": told}


def _table(status: JsonObject) -> JsonObject | None:
    if not status:
        return None
    told = {key: status.get(key) for key in OF_TABLE}
    if isinstance(shoe := status.get("shoe"), dict):
        told["shoe"] = {key: shoe.get(key) for key in OF_SHOE}
    return told
