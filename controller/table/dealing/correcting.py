"""A misread card: whether it can be the one named, and the corrected count of the shoe."""

from __future__ import annotations

from controller.round.refusal import Refused
from controller.round.steps.step import Step
from controller.rules.cards import TEN
from controller.table.state.table import Table


def check(table: Table, step: Step) -> None:
    """Check that the shoe can have held one more of that card.

    Raises:
        Refused: the set has no tens, or all cards of that kind have left the shoe.
    """
    card = step.cards[0]
    if not table.rules.cards.tens.value and card.rank == TEN:
        raise Refused(f"{card}: the set has no tens", table.rules.cards.tens.clause, "NO TENS")
    if table.shoe.used[card] >= table.settings.decks:
        raise Refused(
            f"{card}: all {table.settings.decks} of this shoe have come; it cannot be this card",
            short="ALL ARE OUT",
        )


def count_again(table: Table, step: Step) -> None:
    """Correct the count of the shoe and the round's list of cards."""
    dealing = table.dealing
    named = [at for at, loose in enumerate(dealing.drawn) if loose.card is not None]
    place, card = named[step.number - 1], step.cards[0]
    old = dealing.drawn[place]
    assert old.card
    table.shoe.correct(old.card, card, counted=not old.foreign)
    dealing.correct(place, card)
