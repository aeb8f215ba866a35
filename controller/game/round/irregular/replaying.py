"""A round replayed from its inputs with one change; cards by their numbers, and what is told anew.

Each function returns the round that replaces its argument. How a round is replayed is decided by
:mod:`controller.game.round.draft`, which passes the function in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from controller.game.round.log import Input, NumberedCard, cards_out
from controller.game.round.model import REVERSED, Settlement
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Correct
from controller.game.round.state import Round
from controller.game.rules.cards import TEN, Card, write_cards

Replay = Callable[[Round, Iterable[Input]], Round]
"""Makes a new round of the same wagers and applies all inputs of a log to it; raises
:class:`Refused` where one is not permitted in the new round."""


def numbered(rnd: Round, replay: Replay, log: list[Input]) -> Round:
    """A copy of the round, which ``log`` has led to, with its cards numbered, and without the
    corrections that are not judged. A round that a snapshot has stored is played again for it."""
    if not all(isinstance(card, NumberedCard) for card in cards_out(log)):
        return replay(rnd, log)
    again = rnd.clone()
    again.irregular.edits = ()
    return again


def on_the_table(rnd: Round) -> Counter[Card]:
    """The cards that lie before players and dealer, or wait for their place."""
    hands = [hand.cards for hand in rnd.hands]
    return Counter(card for cards in [*hands, rnd.dealer, rnd.irregular.waiting] for card in cards)


def check_number(rnd: Round, number: int) -> None:
    """Check that so many cards have left the shoe.

    Raises:
        Refused: they have not.
    """
    out = cards_out(rnd.log)
    if number > len(out):
        raise Refused(
            f"there is no card {number}: {len(out)} have left the shoe: {write_cards(out)}",
            rnd.clause,
            short=f"ONLY {len(out)} CARDS",
            code="no-such-card",
        )


def check_other_card(rnd: Round, number: int, card: Card) -> None:
    """Check that the ``number``-th card of the round can be ``card``, and is another one so far.

    Raises:
        Refused: the set has no tens, or it is that card already.
    """
    tens = rnd.rules.cards.tens
    if card.rank == TEN and not tens.value:
        raise Refused(f"{card}: the set has no tens", tens.clause, "NO TENS IN SET")
    if known_cards(rnd)[number - 1] == card:
        raise Refused(f"card {number} is {card} already", rnd.clause, short="IT IS THAT CARD")


def known_cards(rnd: Round) -> list[Card]:
    """The cards that have left the shoe, as corrected so far."""
    out = cards_out(rnd.log)
    steps = [step for given in rnd.log for step in given.corrections]
    for step in [*steps, *rnd.irregular.edits]:
        if isinstance(step, Correct):
            out[step.number - 1] = step.card
    return out


def retell(again: Round, before: Round, remarks: Iterable[str]) -> None:
    """Have the round that replaces ``before`` tell what was told, then the reversals of what is not
    due any more, then what is due instead."""
    again.irregular.remarks = [*before.irregular.remarks, *remarks]
    told = before.settlements
    if not before.irregular.history and again.settlements[: len(told)] == told:
        return
    retell_from(again, before.all_settlements, told)


def retell_from(again: Round, told: list[Settlement], were: list[Settlement]) -> None:
    """The same, where ``told`` was told before, and ``were`` the settlements that were due."""
    due, gone = again.settlements.copy(), []
    for settlement in were:
        if settlement in due:
            due.remove(settlement)
        else:
            gone.append(settlement.reversed())
    again.irregular.history = [*told, *gone, *due]
    again.irregular.covered = len(again.settlements)


def takes_back(before: Round, after: Round) -> bool:
    """Whether the second round tells a reversal that the first one does not."""
    new = after.all_settlements[len(before.all_settlements) :]
    return any(settlement.outcome == REVERSED for settlement in new)


def remarked(again: Round, rnd: Round, remark: str) -> Round:
    """The replayed round, with the earlier remarks and the new one."""
    again.irregular.remarks = [*rnd.irregular.remarks, remark]
    return again
