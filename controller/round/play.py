"""One round of play, from the closed bets to the last settlement: its verbs.

A round takes cards, steps, presses and drawn multipliers; the machine decides whether and what
next, the guards say why not, the settling functions say how much. Each verb gives the round that
follows, and the one that it is given stays as it was, also when it refuses. A round remembers what
it was given, so that it can be played again with a correction.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.round import draft, moves
from controller.round.log import Given, Loose
from controller.round.state import Round
from controller.round.steps.step import Step
from controller.rules.cards import Card

begin, check, play_again = draft.begin, draft.check, draft.play_again
"""As they stand: they change no round."""


def take(rnd: Round, card: Card) -> Round:
    """A card leaves the shoe; it has exactly one destination.

    Raises:
        Refused: no card may leave now.
    """
    return give(rnd, Given("card", card))


def take_waiting(rnd: Round) -> Round:
    """The first of the cards that were put back is the next card.

    Raises:
        Refused: no card may be taken now.
    """
    return give(rnd, Given("waiting"))


def lay_aside(
    rnd: Round,
    cards: Iterable[Card],
    trigger: str,
    *,
    asked: bool = False,
    seen: Iterable[Card] = (),
    box: int = 0,
    by_itself: bool = True,
) -> Round:
    """Cards have left the shoe that may not be played as they came; they wait.

    ``asked``: one of them was due. ``box`` is the empty box that one went to. ``by_itself`` False:
    somebody has still to say what happened, whatever the rules leave to nobody.

    Raises:
        Refused: something is wrong already.
    """
    loose = Loose(tuple(cards), trigger, asked, tuple(seen), box, by_itself)
    return give(rnd, Given("loose", loose))


def take_step(rnd: Round, step: Step) -> Round:
    """A decision of a player, the dealer's ``done``, a report or a remedy.

    In a window (offers, withdrawal) any other step closes it first, if it may then be taken.

    Raises:
        Refused: it may not be taken now.
    """
    return draft.take_step(rnd.clone(), step)


def press(rnd: Round, step: Step) -> Round:
    """The button is pressed, whatever is wrong at the table.

    Raises:
        Refused: it is not offered to that box.
    """
    return draft.press(rnd.clone(), step)


def draw(rnd: Round, multiplier: int) -> Round:
    """The draw for the box that pressed.

    Raises:
        Refused: it was drawn already.
    """
    return give(rnd, Given("drawn", multiplier))


def show(rnd: Round) -> Round:
    """The meter shows the multiplier drawn."""
    return give(rnd, Given("shown"))


def void(rnd: Round, clause: str) -> Round:
    """The round is void; every wager is returned."""
    after = rnd.clone()
    moves.void(after, clause)
    return after


def give(rnd: Round, given: Given) -> Round:
    """One thing that a round is given, for the first time or once more.

    Raises:
        Refused: it may not be now.
    """
    return draft.give(rnd.clone(), given)


def without_last(rnd: Round) -> Round:
    """The round without the last thing that it was given; what was remarked stays."""
    again = play_again(rnd, rnd.log[:-1])
    again.remarks = rnd.remarks.copy()
    return again
