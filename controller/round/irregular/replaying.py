"""A round replayed from its inputs with one change; cards by their numbers, and what is told anew.

Each function returns the round that replaces its argument. How a round is replayed is decided by
:mod:`controller.round.draft`, which passes the function in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from controller.round.log import Given, cards_out
from controller.round.model import REVERSED, Settlement
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.rules.cards import TEN, Card, write_cards

Replay = Callable[[Round, Iterable[Given]], Round]
"""Makes a new round of the same wagers and applies all inputs of a log to it; raises
:class:`Refused` where one is not permitted in the new round."""


def on_the_table(rnd: Round) -> Counter[Card]:
    """The cards that lie before players and dealer, or wait for their place."""
    hands = [hand.cards for hand in rnd.hands]
    return Counter(card for cards in [*hands, rnd.dealer, rnd.waiting] for card in cards)


def correct(rnd: Round, number: int, card: Card, replay: Replay) -> Round:
    """Replay the round with ``card`` as the ``number``-th card, which was misread.

    Raises:
        Refused: no such card; a settlement or a step taken would change.
    """
    check_number(rnd, number)
    check_other_card(rnd, number, card)
    out = cards_out(rnd.log)
    log, place = [], number - 1
    for given in rnd.log:
        count = len(given.cards)
        if 0 <= place < count:
            given = _corrected(given, place, card)  # noqa: PLW2901
        log.append(given)
        place -= count
    log = [_named(given, out[number - 1], card) for given in log]
    try:
        again = replay(rnd, log)
    except Refused as refused:
        raise Refused(
            f"with {card} for {out[number - 1]} what was done could not have been: "
            f"{refused.reason}",
            refused.clause,
            short="CANNOT BE NOW",
            code="could-not-have-been",
        ) from refused
    if again.settlements[: len(rnd.settlements)] != rnd.settlements:
        raise Refused(
            f"a wager has been settled on the strength of {out[number - 1]}",
            rnd.clause,
            short="SETTLED ALREADY",
        )
    remark = f"card {number} of the round was read {out[number - 1]}, it is {card}"
    return remarked(again, rnd, remark)


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
    for step in [*steps, *rnd.edits]:
        if step.verb == "correct":
            out[step.number - 1] = step.cards[0]
    return out


def retell(again: Round, before: Round, remarks: Iterable[str]) -> None:
    """Have the round that replaces ``before`` tell what was told, then the reversals of what is not
    due any more, then what is due instead."""
    again.remarks = [*before.remarks, *remarks]
    told = before.settlements
    if not before.history and again.settlements[: len(told)] == told:
        return
    retell_from(again, before.told, told)


def retell_from(again: Round, told: list[Settlement], were: list[Settlement]) -> None:
    """The same, where ``told`` was told before, and ``were`` the settlements that were due."""
    due, gone = again.settlements.copy(), []
    for settlement in were:
        if settlement in due:
            due.remove(settlement)
        else:
            gone.append(settlement.reversed())
    again.history = [*told, *gone, *due]
    again.covered = len(again.settlements)


def takes_back(before: Round, after: Round) -> bool:
    """Whether the second round tells a reversal that the first one does not."""
    new = after.told[len(before.told) :]
    return any(settlement.outcome == REVERSED for settlement in new)


def remarked(again: Round, rnd: Round, remark: str) -> Round:
    """The replayed round, with the earlier remarks and the new one."""
    again.remarks = [*rnd.remarks, remark]
    return again


def _named(given: Given, was: Card, card: Card) -> Given:
    """The remedy or report with the corrected card in place of the misread one."""
    step = given.step
    if step is None or step.verb not in ("use", "discard", "choose", "report"):
        return given
    return Given("step", step.with_cards([card if c == was else c for c in step.cards]))


def _corrected(given: Given, place: int, card: Card) -> Given:
    """The input of a card that had seemed one too many of its kind: it is now dealt."""
    if given.loose and given.loose.trigger == "count" and given.loose.asked:
        return Given("card", card)
    return given.with_card(place, card)
