"""What a supervisor says of the cards that wait: which one it is, whether it is used."""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.game.rules.cards import TEN
from controller.table.command_reading import SupervisorCommand
from controller.table.dealing import cards_in, irregularities
from controller.table.entering.supervisors_list import commands_text, supervisor_commands
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table


def _loose(table: Table) -> list[LooseCard]:
    waiting = table.holds.cards
    if not waiting:
        raise Refused("no card waits for the supervisor", short="NO CARD WAITS")
    return waiting


def name_card(table: Table, order: SupervisorCommand) -> None:
    """``card CARD``: the card that waits and was not read is that one.

    Raises:
        Refused: another remedy comes first, it was read, or it cannot be that card.
    """
    if irregularities.is_open(table):
        raise Refused(
            f"the card that waits is not the first: permitted are {commands_text(table)}",
            short="REMEDY FIRST",
        )
    first = _loose(table)[0]
    card = order.card
    assert card
    if first.card is not None or first.foreign:
        raise Refused(
            f"the card that waits was read: {first}; permitted are {commands_text(table)}",
            short="CARD WAS READ",
        )
    if card.rank == TEN and not table.rules.cards.tens.value:
        raise Refused(
            f"{card}: the set has no tens", table.rules.cards.tens.clause, short="NO TENS IN SET"
        )
    left = table.settings.decks - table.shoe.used[card]
    if left <= 0:
        raise Refused(
            f"{card}: all {table.settings.decks} of this shoe have come; it cannot be this card",
            short="ALL ARE OUT",
        )
    first.name(card)
    _again(table)


def use(table: Table) -> None:
    """``use``: the card that waits is played.

    Raises:
        Refused: it cannot be used.
    """
    first = _loose(table)[0]
    if "use" not in supervisor_commands(table):
        raise Refused(
            f"the card cannot be used: permitted are {commands_text(table)}", short="CANNOT BE USED"
        )
    first.permit()
    _again(table)


def discard(table: Table) -> None:
    """``discard``: the card that waits is put away.

    Raises:
        Refused: it cannot be.
    """
    _loose(table)
    if "discard" not in supervisor_commands(table):
        raise Refused(
            f"the card cannot be discarded: permitted are {commands_text(table)}",
            short="CANNOT DISCARD",
        )
    cards_in.discard_first(table)


def _again(table: Table) -> None:
    """Check the waiting cards again."""
    cards_in.work_off(table, table.holds.take_cards())
