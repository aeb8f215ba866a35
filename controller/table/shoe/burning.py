"""Burning the first card of a new shoe (``shoe.burn``).

The prompt asks for it between rounds. The dealer's ``burn`` opens the gate for exactly one card;
that card is noted, counted among those that have left, and never dealt; it is shown on request. The
documents know a burn that was left out (MBS 5.21) or leave it to the house (Division 15, 8.1): bets
can be closed without it, which is noted, and what follows is handled as an irregularity.
"""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.table import sequence
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table


def burn_due(table: Table) -> bool:
    """Whether the first card of the shoe is still in it and to be burned."""
    return table.shoe.book.fresh and table.rules.shoe.burn.value != "never"


def may_burn(table: Table) -> bool:
    """Whether ``burn`` may be entered now."""
    return burn_due(table) and sequence.may(table, "burn")


def ask_for_burn(table: Table) -> None:
    """``burn``: the next card is burned."""
    rule = table.rules.shoe.burn
    if rule.value == "never":
        raise Refused("these rules burn no card", rule.clause, short="NOT PLAYED HERE")
    if table.shoe.burning:
        raise Refused("the card to be burned is awaited", rule.clause, short="DRAW THE CARD")
    sequence.check(table, "burn")
    if not burn_due(table):
        raise sequence.refusal(table, "burn")
    table.shoe.burning = True


def burn(table: Table, loose: LooseCard) -> None:
    """Discard the card, face down."""
    table.shoe.burning = False
    table.shoe.burn(str(loose))
    if loose.card is not None:
        table.shoe.use(loose.card)
    table.note(f"burned: {loose}")


def close_refused(table: Table) -> Refused | None:
    """The reason against closing bets while the gate is open for the card to be burned."""
    if not table.shoe.burning:
        return None
    return Refused(
        "the card to be burned has not come: draw it, or take that back",
        table.rules.shoe.burn.clause,
        short="BURN FIRST",
    )


def closed(table: Table) -> None:
    """Note a burn that was left out, when bets are closed."""
    if burn_due(table):
        clause = table.rules.shoe.burn.clause
        table.note(f"the first card of the shoe was not burned ({clause})")
