"""One round of play, from the closed bets to the last settlement: the functions that play it.

The inputs are cards, steps, presses and drawn multipliers; the machine decides whether and what
next, the guards give the reason for a refusal, the settling functions the amounts. Each function
returns the next round and leaves its argument unchanged, also when it refuses. A round keeps its
inputs, so that it can be played again with a correction. What the functions do that only copy the
round first, and when they refuse, is said where they change it: in :mod:`~.draft`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Concatenate, ParamSpec

from controller.game.round import draft, moves
from controller.game.round.irregular import judging
from controller.game.round.log import Input, Loose
from controller.game.round.remedies import Report
from controller.game.round.state import Round
from controller.game.rules.cards import Card

P = ParamSpec("P")


def _of_a_copy(
    change: Callable[Concatenate[Round, P], Round],
) -> Callable[Concatenate[Round, P], Round]:
    @wraps(change)
    def changed(rnd: Round, /, *args: P.args, **kwargs: P.kwargs) -> Round:
        return change(rnd.clone(), *args, **kwargs)

    return changed


begin_round, check, play_again = draft.begin_round, draft.check, draft.play_again
judges_first = draft.judges_first
"""Not wrapped: they change no existing round."""

take_card = _of_a_copy(draft.deal)
take_step = _of_a_copy(draft.take_step)
press = _of_a_copy(draft.press)
judge = _of_a_copy(draft.judge)
with_input = _of_a_copy(draft.apply_input)


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
    """The round after cards have left the shoe that may not be played as they came, and wait; if no
    irregularity is open already. ``asked``: one of them was due. ``box`` is the empty box that one
    went to. ``by_itself`` False: no remedy is applied before a person has reported what happened.
    """
    loose = Loose(tuple(cards), trigger, asked, tuple(seen), box, by_itself)
    return with_input(rnd, Input("loose", loose))


def take_waiting(rnd: Round) -> Round:
    """The round after the first of the cards that were put back was dealt."""
    return with_input(rnd, Input("waiting"))


def draw(rnd: Round, multiplier: int) -> Round:
    """The round after the draw for the box that pressed, once."""
    return with_input(rnd, Input("drawn", multiplier))


def show_multiplier(rnd: Round) -> Round:
    """The round after the meter has shown the drawn multiplier."""
    return with_input(rnd, Input("shown"))


def as_said(rnd: Round) -> Round:
    """The round with its cards where its corrections say, and nothing judged: only to be shown."""
    return judging.as_said(rnd, play_again) if rnd.irregular.edits else rnd


def places(rnd: Round) -> list[str]:
    """Where each card that has left the shoe lies, in the order in which they left it."""
    return judging.places(rnd, play_again)


def without_corrections(rnd: Round, keep: int = 0) -> Round:
    """The round without its corrections that are not judged yet, but the first ``keep``."""
    after = rnd.clone()
    after.irregular.edits = rnd.irregular.edits[:keep]
    return after


def void(rnd: Round, clause: str) -> Round:
    """The round as void; every wager is returned."""
    after = rnd.clone()
    moves.void(after, clause)
    return after


def together(rnd: Round, card: Card, *, foreign: bool = False) -> Round:
    """The round in which ``card`` waits with the last one, together with which it left the shoe;
    what that one has settled is reversed. ``foreign``: it does not belong to the set."""
    return judging.together(rnd, card, play_again, foreign=foreign)


def without_last_card(rnd: Round, step: Report) -> Round:
    """The round with its last card taken back, which ``step`` reports as drawn in error or gone to
    an empty box; refused unless a card has just left the shoe, and went where that says."""
    return judging.last_card(judge(rnd), step, play_again)
