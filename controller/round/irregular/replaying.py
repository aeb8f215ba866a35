"""A round replayed from its inputs with one change: corrections and reconstruction.

The change is accepted only where every settlement already made stays the same. Each function
returns the round that replaces its argument. How a round is replayed is decided by
:mod:`controller.round.draft`, which passes the function in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from controller.round.irregular.cases import DECISIONS
from controller.round.irregularity import Irregularity
from controller.round.log import Given, cards_out
from controller.round.refusal import Refused
from controller.round.state import Round
from controller.round.steps import irregular
from controller.rules.cards import TEN, Card, write_cards
from controller.rules.schema import Case
from controller.rules.triggers import KNOWN

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
    out = cards_out(rnd.log)
    if number > len(out):
        raise Refused(
            f"there is no card {number}: {len(out)} have left the shoe: {write_cards(out)}",
            rnd.clause,
            short=f"ONLY {len(out)} CARDS",
        )
    if card.rank == TEN and not rnd.rules.cards.tens.value:
        raise Refused(f"{card}: the set has no tens", rnd.rules.cards.tens.clause, "NO TENS IN SET")
    if out[number - 1] == card:
        raise Refused(f"card {number} is {card} already", rnd.clause, short="IT IS THAT CARD")
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
        ) from refused
    if again.settlements[: len(rnd.settlements)] != rnd.settlements:
        raise Refused(
            f"a wager has been settled on the strength of {out[number - 1]}",
            rnd.clause,
            short="SETTLED ALREADY",
        )
    remark = f"card {number} of the round was read {out[number - 1]}, it is {card}"
    return _remarked(again, rnd, remark)


def _remarked(again: Round, rnd: Round, remark: str) -> Round:
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


def can_be_reconstructed(rnd: Round, found: Irregularity, replay: Replay) -> bool:
    """Whether the cards and decisions of the round can be reconstructed as they should have
    been."""
    try:
        if KNOWN[found.trigger].rewinds:
            rewind(rnd, found, rnd.rules.irregularities[0], replay)
        elif found.trigger == "not-burned":
            burn_first(rnd, rnd.rules.irregularities[0], replay)
    except Refused:
        return False
    return True


def decisions_of(rnd: Round, box: int) -> list[int]:
    """Places in the log of the decisions that the box has made."""
    return [
        place
        for place, given in enumerate(rnd.log)
        if given.step
        and given.step.seat
        and given.step.seat.box == box
        and given.step.verb in DECISIONS
    ]


def rewind(rnd: Round, found: Irregularity, case: Case, replay: Replay) -> Round:
    """Take the box's last decision back; the cards that left since are the next ones.

    Raises:
        Refused: it has not decided, or a wager has been settled since.
    """
    decided = decisions_of(rnd, found.box)
    if not decided:
        raise Refused(
            f"box {found.box} has made no decision yet", case.clause, short="NO DECISION YET"
        )
    before, since = rnd.log[: decided[-1]], rnd.log[decided[-1] :]
    if replay(rnd, before).settlements != rnd.settlements:
        raise Refused(
            f"a wager has been settled since box {found.box} decided", case.clause, "SETTLED SINCE"
        )
    stay = [g for g in since if g.step and g.step.verb == "report" and KNOWN[g.step.word].stays]
    log = [*before, *stay]
    left = _still_on_the_table(rnd, replay(rnd, log), cards_out(since))
    log += [Given("back", (card,)) if lies else Given("burned", card) for card, lies in left]
    again = replay(rnd, log)
    remark = f"box {found.box} decides again; next: {write_cards(again.waiting)}"
    return _remarked(again, rnd, remark)


def _still_on_the_table(now: Round, then: Round, left: list[Card]) -> Iterator[tuple[Card, bool]]:
    """The cards that have left since ``then``, and whether each has not been discarded."""
    lying = on_the_table(now) - on_the_table(then)
    for card in left:
        yield card, lying[card] > 0
        lying[card] -= 1


def burn_first(rnd: Round, case: Case, replay: Replay) -> Round:
    """Burn the first card of the round; the others move up by one place.

    Raises:
        Refused: the round has already had an input other than a card.
    """
    cards = [card for given in rnd.log if given.what == "card" for card in given.cards]
    if len(cards) < sum(given.what != "step" for given in rnd.log) or not cards:
        raise Refused("the cards cannot be moved up any more", case.clause, short="TOO LATE")
    steps = [g for g in rnd.log if g.step and g.step.verb not in irregular.FORMS]
    if steps:
        raise Refused(f"{steps[0].value} has been taken already", case.clause, short="TOO LATE")
    log = [Given("burned", cards[0]), *(Given("card", card) for card in cards[1:])]
    return _remarked(replay(rnd, log), rnd, f"{cards[0]} is burned; the others move up")
